import { SurveyVariable } from '@signalbox/contract/templates';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

/** A question with a key of its own, so that it keeps its place in the list while it is moved and renamed. */
export type SurveyDraft = SurveyVariable & { key: string };

let lastKey = 0;
const makeKey = (): string => {
  lastKey += 1;
  return `variable-${lastKey}`;
};

export function makeSurveyDraft(variable?: SurveyVariable): SurveyDraft {
  const empty: SurveyVariable = { name: '', title: '', description: '', type: '', required: false, values: [] };
  return { ...(variable ?? empty), key: makeKey() };
}

export function draftSurvey(variables: readonly SurveyVariable[]): SurveyDraft[] {
  return variables.map(makeSurveyDraft);
}

/** Values belong to an enumeration only. */
export function toSurvey(drafts: readonly SurveyDraft[]): SurveyVariable[] {
  return drafts.map(({ key, ...variable }) => ({
    ...variable,
    values: variable.type === 'enum' ? variable.values : [],
  }));
}

/** @param others names that are taken */
export function findSurveyProblems(draft: SurveyDraft, others: readonly string[]): Record<string, string> {
  const [variable] = toSurvey([draft]);
  const titles = { name: t('survey.name'), title: t('survey.title'), values: t('survey.values') };
  const problems = findProblems(SurveyVariable, variable, titles);
  if (others.includes(draft.name.trim())) problems.name ??= t('survey.nameTaken');
  return problems;
}

/** The list with the item at `from` taken out and put in at `to`. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}
