import type { DeliveryOutcome, Verdict } from '@signalbox/contract/deliveries';
import type { Call } from './call.ts';
import type { Arrival, Judgement } from './judge.ts';
import type { Extraction } from './matching.ts';
import type { Candidate, NewDelivery } from './queries.ts';
import { isSecretHeader, maskBytes, maskHeaders, maskText } from './redaction.ts';

/** What is stored of a body at most. A call of which a part is missing cannot be replayed. */
const keptBytes = 256 * 1024;
/** Texts of a verdict are there to be read. */
const shownCharacters = 500;
const hidden = '***';

export type Recorded = {
  readonly candidate: Candidate;
  readonly secret: string | undefined;
  readonly arrival: Omit<Arrival, 'content'>;
  readonly now: number;
};
type Result = { readonly outcome: DeliveryOutcome; readonly text: string; readonly taskId: number | null };

/** A call whose sender was not proved: without its body, which may be anybody's. */
export function recordRefusal(recorded: Recorded): NewDelivery {
  const { text } = recorded.arrival.proof;
  const result = { outcome: 'refused', text, taskId: null } as const;
  return write(recorded, result, {
    matchers: [],
    values: [],
    body: { size: recorded.arrival.call.body.length, kept: 'nothing' },
    secrets: listSecrets(recorded),
    bytes: Buffer.alloc(0),
  });
}

/** A call that was looked at, with everything that led to its verdict and no secret. */
export function recordJudgement(
  recorded: Recorded,
  judgement: Judgement,
  extractions: readonly Extraction[],
  result: Result,
): NewDelivery {
  const secrets = [...listSecrets(recorded), ...judgement.secretAnswers];
  const { auth_header: authHeader } = recorded.candidate;
  const show = (text: string) => cut(maskText(text, secrets));
  const matchers = judgement.matchers.map((matcher) => {
    const isSecret = matcher.match_type === 'header' && isSecretHeader(matcher.key, authHeader);
    const [expected, actual] = isSecret ? [hidden, hidden] : [show(matcher.expected), show(matcher.actual)];
    return { ...matcher, expected, actual };
  });
  const values = judgement.values.map(({ name, variable, text }, at) => {
    const extraction = extractions[at];
    const isSecret = extraction?.value_source === 'header' && isSecretHeader(extraction.key, authHeader);
    if (text === undefined || judgement.secretVariables.has(variable)) return { name, variable, value: null };
    return { name, variable, value: isSecret ? hidden : show(text) };
  });
  const { bytes, body } = keepBody(recorded.arrival.call, secrets, judgement.secretAnswers.length > 0);
  return write(recorded, result, { matchers, values, body, secrets, bytes });
}

/** Nothing of a body that answers a secret question; else as much as is kept of any, with secrets masked. */
function keepBody(
  { body }: Call,
  secrets: readonly string[],
  isSecret: boolean,
): { bytes: Buffer; body: Verdict['body'] } {
  const size = body.length;
  if (isSecret) return { bytes: Buffer.alloc(0), body: { size, kept: 'nothing' } };
  const masked = maskBytes(body, secrets);
  if (masked.length <= keptBytes) return { bytes: masked, body: { size, kept: 'all' } };
  return { bytes: masked.subarray(0, keptBytes), body: { size, kept: 'part' } };
}

const listSecrets = ({ secret }: Recorded): string[] => (secret === undefined ? [] : [secret]);

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

type Parts = Pick<Verdict, 'matchers' | 'values' | 'body'> & { secrets: readonly string[]; bytes: Buffer };

function write(
  { candidate, arrival, now }: Recorded,
  { outcome, text, taskId }: Result,
  { secrets, bytes, matchers, values, body }: Parts,
): NewDelivery {
  const { call, proof, reachedBy, replay } = arrival;
  return {
    project_id: candidate.project_id,
    integration_id: candidate.id,
    created: now,
    method: call.method,
    headers: JSON.stringify(maskHeaders(call.headers, candidate.auth_header, secrets)),
    body: bytes,
    outcome,
    claim: outcome === 'started' ? arrival.claim : null,
    task_id: taskId,
    verdict: {
      outcome,
      text,
      reached_by: reachedBy,
      authentication: { method: candidate.auth_method, ...proof },
      matchers: [...matchers],
      values: [...values],
      body,
      replay: replay && {
        delivery_id: replay.deliveryId,
        user_id: replay.actor.userId,
        username: replay.actor.username,
      },
    },
  };
}
