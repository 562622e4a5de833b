import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DeliveryRoute } from '@signalbox/contract/deliveries';
import { isAliasText } from '@signalbox/contract/integration-aliases';
import type { Database, Db } from '../../db/database.ts';
import type { Keyring } from '../../db/secrets.ts';
import { openKey } from '../../engine/stored-secrets.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { checkProof, type ProofVerdict } from './authentication.ts';
import { type Call, readContent } from './call.ts';
import {
  type Candidate,
  findAlias,
  findCandidate,
  holdIntegration,
  insertDelivery,
  listSearchable,
  pruneDeliveries,
} from './queries.ts';
import type { RateLimit } from './rate-limit.ts';
import { recordRefusal } from './record.ts';
import { startFromCall, type WebhookEngine } from './start-task.ts';

export type WebhookRules = {
  /** Reaches the searchable integrations of all projects. */
  readonly globalAlias: string | undefined;
  /** Deliveries of each kind that are kept of an integration. */
  readonly keptDeliveries: number;
  readonly limit: RateLimit;
  readonly log: Logger;
};

type Target = { readonly reachedBy: DeliveryRoute; readonly candidates: readonly Candidate[] };

/**
 * Takes a call from outside to every integration that its alias reaches, each for itself: what fails for one does not stop
 * the others, and is in the log. The caller learns nothing of what was done.
 *
 * @throws AppError not_found for an unknown alias, too_many_attempts beyond the limit; a failure only where nothing worked
 */
export async function receiveCall(
  database: Database,
  engine: WebhookEngine,
  rules: WebhookRules,
  alias: string,
  call: Call,
): Promise<void> {
  const target = isAliasText(alias) ? await findTarget(database.read, rules, alias) : undefined;
  if (target === undefined) throw new AppError('not_found', 'There is no such integration');
  const failures: Failure[] = [];
  const reached = target.candidates.map((candidate) => ({ candidate }));
  const judged = await tryEach(reached, failures, ({ candidate }) => ({
    candidate,
    ...judgeSender(database.keyring, candidate, call),
  }));
  const accepted = judged.filter(({ proof }) => proof.accepted);
  const refused = judged.filter(({ proof }) => !proof.accepted);
  refuseFlood(rules, alias, accepted.length > 0 ? 'accepted' : 'refused', engine.now());
  const arrival = { call, reachedBy: target.reachedBy, claim: readClaim(call), replay: null };
  if (accepted.length > 0) {
    const content = readContent(call);
    await tryEach(accepted, failures, ({ proof, ...open }) =>
      startFromCall(database, engine, open, { ...arrival, content, proof }, rules.keptDeliveries),
    );
  }
  // Under the global alias it is somebody else's call, of another project perhaps.
  if (target.reachedBy !== 'global') {
    const records = refused.map(({ proof, ...open }) =>
      recordRefusal({ ...open, arrival: { ...arrival, proof }, now: engine.now() }),
    );
    await storeRefusals(database, records, rules.keptDeliveries);
    for (const projectId of new Set(records.map((record) => record.project_id))) {
      engine.live.noteChange(projectId, 'integrations');
    }
  }
  tellFailures(rules.log, failures, target.candidates.length);
}

type Failure = { readonly candidate: Candidate; readonly cause: unknown };

/** Signatures of a large body take milliseconds each: after so many the others get their turn. */
const turnMs = 10;

/** What fails for one is kept, and the others go on. */
async function tryEach<Item extends { candidate: Candidate }, Result>(
  items: readonly Item[],
  failures: Failure[],
  work: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > turnMs) {
      await setImmediate();
      since = performance.now();
    }
    try {
      results.push(await work(item));
    } catch (cause) {
      failures.push({ candidate: item.candidate, cause });
    }
  }
  return results;
}

/** A sender that is told of a failure in somebody else's project may give up on all of them. */
function tellFailures(log: Logger, failures: readonly Failure[], candidates: number): void {
  const [first] = failures;
  if (first !== undefined && failures.length === candidates) throw first.cause;
  for (const { candidate, cause } of failures) {
    const { id: integration, project_id: project } = candidate;
    log.error('A call could not be taken to an integration', { integration, project, cause });
  }
}

async function findTarget(db: Db, { globalAlias }: WebhookRules, alias: string): Promise<Target | undefined> {
  if (alias === globalAlias) return { reachedBy: 'global', candidates: await listSearchable(db, undefined) };
  const found = await findAlias(db, alias);
  if (found === undefined) return undefined;
  const { project_id, integration_id } = found;
  if (integration_id === null) return { reachedBy: 'project', candidates: await listSearchable(db, project_id) };
  const candidate = await findCandidate(db, project_id, integration_id);
  return { reachedBy: 'integration', candidates: candidate === undefined ? [] : [candidate] };
}

function judgeSender(
  keyring: Keyring,
  candidate: Candidate,
  call: Call,
): { secret: string | undefined; proof: ProofVerdict } {
  const secret = openSecret(keyring, candidate);
  const proof = checkProof({ method: candidate.auth_method, header: candidate.auth_header, secret }, call);
  return { secret, proof };
}

/** The password of the key; undefined where there is none. */
export function openSecret(keyring: Keyring, { key_id, key_type, key_secret }: Candidate): string | undefined {
  if (key_id === null || key_type === null) return undefined;
  const material = openKey(keyring, { id: key_id, type: key_type, secret: key_secret });
  return material.type === 'login_password' && material.password !== '' ? material.password : undefined;
}

/** Calls that prove nothing have a count of their own: a flood of them does not shut out the others. */
function refuseFlood({ limit }: WebhookRules, alias: string, kind: 'accepted' | 'refused', now: number): void {
  const wait = limit.take(`${kind} ${alias}`, now);
  if (wait === 0) return;
  throw new AppError('too_many_attempts', `Too many calls; try again in ${wait} s`, { retry_after: wait });
}

/** Headers in which senders number what they deliver, the same again when they repeat it. */
const numberHeaders = [
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'x-gogs-delivery',
  'idempotency-key',
  'webhook-id',
];

function readClaim({ headers }: Call): string | null {
  const name = numberHeaders.find((known) => headers[known] !== undefined && headers[known] !== '');
  return name === undefined ? null : createHash('sha256').update(`${name}:${headers[name]}`).digest('hex');
}

/** All in one transaction: a shared alias has many. */
async function storeRefusals(
  database: Database,
  records: readonly ReturnType<typeof recordRefusal>[],
  kept: number,
): Promise<void> {
  if (records.length === 0) return;
  await database.transact(async (db) => {
    for (const record of records) {
      const { project_id, integration_id } = record;
      if (!(await holdIntegration(db, project_id, integration_id))) continue;
      await insertDelivery(db, record);
      await pruneDeliveries(db, { project_id, id: integration_id }, 'refused', kept);
    }
  });
}
