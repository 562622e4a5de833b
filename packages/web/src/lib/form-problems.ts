import { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { ApiError } from './failure.ts';
import { type MessageKey, t } from './i18n.ts';

/** Title of every field that can be wrong, by the path that the contract's schema gives it (`survey_vars.0.name`). */
export type FieldTitles = Record<string, string>;

// The contract speaks in code: its messages are constants, and these are the console's words for them.
const words: Record<string, MessageKey> = {
  'is required': 'field.required',
  'Must be an integer': 'field.notInteger',
  'must be a valid JSON object': 'field.notJson',
  'must be a JSON object whose values are strings': 'field.notStringMap',
  'must be a JSON array of strings': 'field.notArguments',
  'is not a repository URL that can be used': 'field.notUrl',
  'is not a branch name': 'field.notBranch',
  'must be a path inside the repository': 'field.notInside',
  'must be a variable name': 'field.notVariable',
};

/** The sentence under a field for a message of the contract or the server. */
function wordProblem(message: string, title: string): string {
  const key = words[message];
  if (key !== undefined) return t(key, { field: title });
  // A message that is a sentence of its own begins with a capital letter, as the spec's do.
  return /^\p{Lu}/u.test(message) ? message : t('field.sentence', { field: title, problem: message });
}

type Issue = { path: PropertyKey[]; message: string; code?: string | undefined; input?: unknown };

function wordIssue(issue: Issue, title: string, value: unknown): string {
  const isSentence = /^\p{Lu}/u.test(issue.message) && !issue.message.startsWith('Invalid');
  if (isSentence) return wordProblem(issue.message, title);
  const isMissing = value === undefined || value === null || value === '';
  if (isMissing) return t('field.required', { field: title });
  if (issue.code === 'too_big') return t('field.tooLong', { field: title });
  if (issue.message.startsWith('Invalid')) return t('field.invalid', { field: title });
  return wordProblem(issue.message, title);
}

/**
 * What is wrong with a draft, by field: the first problem of each. A problem of a member without a title of its own
 * belongs to the nearest titled one above it.
 */
export function findProblems(schema: z.ZodMiniType, draft: unknown, titles: FieldTitles): Record<string, string> {
  const outcome = z.safeParse(schema, draft);
  const problems: Record<string, string> = {};
  if (outcome.success) return problems;
  for (const issue of outcome.error.issues) {
    const field = findTitled(issue.path.map(String), titles);
    if (field === undefined) continue;
    problems[field] ??= wordIssue(issue, titles[field] ?? '', readPath(draft, issue.path));
  }
  return problems;
}

/** Splits a failed save: sentences for the fields that are on the form, and what is left for the form's banner. */
export function readServerProblems(
  error: unknown,
  titles: FieldTitles,
): { fields: Record<string, string>; banner: string | undefined } {
  if (!(error instanceof ApiError)) return { fields: {}, banner: t('api.unknown') };
  const listed = z.safeParse(z.array(FieldProblem), error.details);
  const fields: Record<string, string> = {};
  let hasOthers = !listed.success || listed.data.length === 0;
  for (const problem of listed.data ?? []) {
    const field = findTitled(problem.path.split('.'), titles);
    if (field === undefined) hasOthers = true;
    else fields[field] ??= wordProblem(problem.message, titles[field] ?? '');
  }
  return { fields, banner: hasOthers ? error.message : undefined };
}

function findTitled(path: string[], titles: FieldTitles): string | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const field = path.slice(0, length).join('.');
    if (titles[field] !== undefined) return field;
  }
  return undefined;
}

function readPath(value: unknown, path: PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<PropertyKey, unknown>)[step];
  }
  return found;
}
