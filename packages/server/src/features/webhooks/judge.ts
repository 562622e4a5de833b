import type { DeliveryOutcome, DeliveryRoute } from '@signalbox/contract/deliveries';
import { SurveyVariable } from '@signalbox/contract/templates';
import * as z from 'zod/mini';
import type { Actor } from '../../auth/actor.ts';
import type { ProofVerdict } from './authentication.ts';
import type { Call, Content } from './call.ts';
import {
  checkMatchers,
  type Extracted,
  type Extraction,
  extractValues,
  type MatcherVerdict,
  type Rule,
} from './matching.ts';
import type { Candidate } from './queries.ts';

/** A call whose sender was proved, on its way to one integration. */
export type Arrival = {
  readonly call: Call;
  readonly content: Content;
  readonly reachedBy: DeliveryRoute;
  readonly proof: ProofVerdict;
  /** What the sender calls this delivery; with it a second one starts nothing. */
  readonly claim: string | null;
  /** Who asked for a stored delivery once more. */
  readonly replay: { readonly deliveryId: number; readonly actor: Actor } | null;
};

export type Judgement = {
  readonly matchers: readonly MatcherVerdict[];
  readonly values: readonly Extracted[];
  /** Variables whose answers are secret, and those answers. */
  readonly secretVariables: ReadonlySet<string>;
  readonly secretAnswers: readonly string[];
  /** What the task gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Why no task is started; undefined where nothing is in the way yet. */
  readonly stop: { readonly outcome: DeliveryOutcome; readonly text: string } | undefined;
};

/** A task's variables lie in every list of tasks, and on command lines. */
const longestValue = 64 * 1024;

/** Goes through matchers and values of one integration. Nothing is stored. */
export function judgeCall(
  { survey_vars }: Pick<Candidate, 'survey_vars'>,
  { rules, extractions }: { rules: readonly Rule[]; extractions: readonly Extraction[] },
  { content, reachedBy }: Pick<Arrival, 'content' | 'reachedBy'>,
): Judgement {
  const matchers = checkMatchers(rules, content);
  const values = extractValues(extractions, content);
  const survey = z.parse(z.array(SurveyVariable), JSON.parse(survey_vars));
  const secretVariables = new Set(survey.filter(({ type }) => type === 'secret').map(({ name }) => name));
  const given = values.flatMap(({ variable, text }) => (text === undefined ? [] : [[variable, text] as const]));
  return {
    matchers,
    values,
    secretVariables,
    secretAnswers: given.filter(([variable]) => secretVariables.has(variable)).map(([, text]) => text),
    environment: Object.fromEntries(given),
    stop: findStop(matchers, values, reachedBy),
  };
}

function findStop(
  matchers: readonly MatcherVerdict[],
  values: readonly Extracted[],
  reachedBy: DeliveryRoute,
): Judgement['stop'] {
  const failed = matchers.find(({ matched }) => !matched);
  if (failed !== undefined) return { outcome: 'not_matched', text: `The matcher "${failed.name}" does not hold` };
  if (matchers.length === 0 && reachedBy !== 'integration') {
    const text = 'It has no matcher, and under an alias that integrations share it needs one';
    return { outcome: 'not_matched', text };
  }
  const long = values.find(({ text }) => text !== undefined && text.length > longestValue);
  if (long === undefined) return undefined;
  return { outcome: 'not_started', text: `The value "${long.name}" for ${long.variable} is longer than 64 KiB` };
}
