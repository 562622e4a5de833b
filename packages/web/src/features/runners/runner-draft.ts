import { RegistrationInput } from '@signalbox/contract/runner-registrations';
import { type Runner, RunnerInput } from '@signalbox/contract/runners';
import { type FieldTitles, findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

/** Numbers as they are typed; empty means that there is no limit. */
export type RunnerDraft = {
  name: string;
  tag: string;
  webhook: string;
  limit: string;
  active: boolean;
};

export function draftOf(runner: Runner | undefined): RunnerDraft {
  return {
    name: runner?.name ?? '',
    tag: runner?.tag ?? '',
    webhook: runner?.webhook ?? '',
    limit: runner === undefined || runner.max_parallel_tasks === 0 ? '' : String(runner.max_parallel_tasks),
    active: runner?.active ?? true,
  };
}

/** A limit that is missing is sent as 0; what is no whole number is NaN, which the contract's schema refuses. */
function readLimit(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

export function toRunnerInput({ name, tag, webhook, limit, active }: RunnerDraft): RunnerInput {
  return {
    name: name.trim(),
    tag: tag.trim(),
    webhook: webhook.trim(),
    max_parallel_tasks: readLimit(limit),
    active,
  };
}

/** Titles by the contract's names; the form calls the limit `limit`. */
export function listTitles(): FieldTitles {
  return {
    name: t('runners.name'),
    tag: t('runners.tag'),
    webhook: t('runners.webhook'),
    max_parallel_tasks: t('runners.limit'),
  };
}

export function renameProblems({ max_parallel_tasks: limit, ...rest }: Record<string, string>): Record<string, string> {
  return limit === undefined ? rest : { ...rest, limit };
}

/** @param isInProject there a tag is required, so that no task runs on the runner by accident */
export function findRunnerProblems(draft: RunnerDraft, isInProject: boolean): Record<string, string> {
  const problems = renameProblems(findProblems(RunnerInput, toRunnerInput(draft), listTitles()));
  return addFieldProblems(problems, draft, isInProject);
}

export type RegistrationDraft = { tag: string; limit: string; life: string };

export function toRegistrationInput({ tag, limit, life }: RegistrationDraft): RegistrationInput {
  return { tag: tag.trim(), max_parallel_tasks: readLimit(limit), expires_in_seconds: Number(life) };
}

export function findRegistrationProblems(draft: RegistrationDraft, isInProject: boolean): Record<string, string> {
  const problems = renameProblems(findProblems(RegistrationInput, toRegistrationInput(draft), listTitles()));
  return addFieldProblems(problems, draft, isInProject);
}

function addFieldProblems(
  problems: Record<string, string>,
  { tag, limit }: { tag: string; limit: string },
  isInProject: boolean,
): Record<string, string> {
  const tagProblem = isInProject && tag.trim() === '' ? { tag: t('field.required', { field: t('runners.tag') }) } : {};
  const limitProblem = Number.isNaN(readLimit(limit)) ? { limit: t('field.notInteger') } : {};
  return { ...problems, ...tagProblem, ...limitProblem };
}
