import type { BodyFormat, Matcher, MatchMethod, Source } from '@signalbox/contract/integration-matchers';
import { MatcherInput } from '@signalbox/contract/integration-matchers';
import { type ExtractedValue, ExtractedValueInput, findValueProblem } from '@signalbox/contract/integration-values';
import { findProblems } from '../../lib/form-problems.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';

export const sourceNames: Record<Source, MessageKey> = {
  body: 'integrations.sourceBody',
  header: 'integrations.sourceHeader',
};
export const formatNames: Record<BodyFormat, MessageKey> = {
  json: 'integrations.formatJson',
  string: 'integrations.formatString',
};
export const methodNames: Record<MatchMethod, MessageKey> = {
  equals: 'integrations.equals',
  unequals: 'integrations.unequals',
  contains: 'integrations.contains',
};

/** Where a text is taken from, as both kinds of form hold it. */
export type PlaceDraft = { source: Source | null; format: BodyFormat | null; key: string };
export type MatcherDraft = PlaceDraft & { name: string; method: MatchMethod | null; value: string };
export type ValueDraft = PlaceDraft & { name: string; variable: string };

/** The body as it is has no parts to name. */
export function hasKey({ source, format }: PlaceDraft): boolean {
  return !(source === 'body' && format === 'string');
}

export function matcherDraftOf(matcher: Matcher | undefined): MatcherDraft {
  return {
    name: matcher?.name ?? '',
    source: matcher?.match_type ?? null,
    format: matcher === undefined ? null : matcher.body_data_type,
    key: matcher?.key ?? '',
    method: matcher?.method ?? null,
    value: matcher?.value ?? '',
  };
}

function toRawMatcher(draft: MatcherDraft) {
  return {
    name: draft.name.trim(),
    match_type: draft.source,
    method: draft.method,
    body_data_type: draft.source === 'body' ? draft.format : null,
    key: draft.key.trim(),
    value: draft.value,
  };
}

/** @throws for a draft that has problems */
export function toMatcherInput(draft: MatcherDraft): MatcherInput {
  const { match_type, method, ...rest } = toRawMatcher(draft);
  if (match_type === null || method === null) throw new Error('The matcher is not complete');
  return { ...rest, match_type, method };
}

/** Title of every field of a matcher, by its name on the wire. */
export function listMatcherTitles(): Record<string, string> {
  return {
    name: t('integrations.name'),
    match_type: t('integrations.matchSource'),
    method: t('integrations.method'),
    body_data_type: t('integrations.format'),
    key: t('integrations.key'),
    value: t('integrations.value'),
  };
}

/** Problems by the names on the wire. */
export function findMatcherProblems(draft: MatcherDraft): Record<string, string> {
  const titles = listMatcherTitles();
  const problems = findProblems(MatcherInput, toRawMatcher(draft), titles);
  // A schema looks at what depends on two members only when each of them is right.
  if (draft.source === 'body' && draft.format === null) {
    problems.body_data_type = t('field.required', { field: titles.body_data_type ?? '' });
  }
  return problems;
}

export function valueDraftOf(value: ExtractedValue | undefined): ValueDraft {
  return {
    name: value?.name ?? '',
    source: value?.value_source ?? null,
    format: value === undefined ? null : value.body_data_type,
    key: value?.key ?? '',
    variable: value?.variable ?? '',
  };
}

function toRawValue(draft: ValueDraft) {
  return {
    name: draft.name.trim(),
    value_source: draft.source,
    body_data_type: draft.source === 'body' ? draft.format : null,
    key: hasKey(draft) ? draft.key.trim() : '',
    variable: draft.variable.trim(),
  };
}

/** @throws for a draft that has problems */
export function toValueInput(draft: ValueDraft): ExtractedValueInput {
  const { value_source, ...rest } = toRawValue(draft);
  if (value_source === null) throw new Error('The value is not complete');
  return { ...rest, value_source };
}

/** Title of every field of an extracted value, by its name on the wire. */
export function listValueTitles(): Record<string, string> {
  return {
    name: t('integrations.name'),
    value_source: t('integrations.valueSource'),
    body_data_type: t('integrations.format'),
    key: t('integrations.key'),
    variable: t('integrations.variable'),
  };
}

/** Problems by the names on the wire. */
export function findValueProblems(draft: ValueDraft): Record<string, string> {
  const titles = listValueTitles();
  const raw = toRawValue(draft);
  const problems = findProblems(ExtractedValueInput, raw, titles);
  if (raw.key === '' && hasKey(draft)) problems.key = t('field.required', { field: titles.key ?? '' });
  if (raw.value_source === null) return problems;
  const problem = findValueProblem({ ...raw, value_source: raw.value_source });
  if (problem?.message === 'is required') {
    problems[problem.path] ??= t('field.required', { field: titles[problem.path] ?? '' });
  }
  return problems;
}
