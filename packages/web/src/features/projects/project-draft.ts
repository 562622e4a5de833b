import { type Project, ProjectInput } from '@signalbox/contract/projects';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

/** `limit` is a text here: an empty field means no limit. */
export type ProjectDraft = { name: string; alert: boolean; chat: string; limit: string };

export function draftOf(project: Project | undefined): ProjectDraft {
  const limit = project?.max_parallel_tasks ?? 0;
  return {
    name: project?.name ?? '',
    alert: project?.alert ?? false,
    chat: project?.alert_chat ?? '',
    limit: limit === 0 ? '' : String(limit),
  };
}

export function toProjectInput(draft: ProjectDraft): ProjectInput {
  const limit = draft.limit.trim();
  const chat = draft.chat.trim();
  return {
    name: draft.name.trim(),
    alert: draft.alert,
    alert_chat: chat === '' ? null : chat,
    max_parallel_tasks: limit === '' ? 0 : Number(limit),
  };
}

/** Title of every field that the server may refuse, by its name on the wire. */
export function listTitles(): Record<string, string> {
  return {
    name: t('projects.nameInSentence'),
    alert_chat: t('projects.chatInSentence'),
    max_parallel_tasks: t('projects.limit'),
  };
}

/** Problems by field of the draft, from those by name on the wire. */
export function renameProblems(problems: Record<string, string>): Record<string, string> {
  const { alert_chat: chat, max_parallel_tasks: limit, ...rest } = problems;
  return { ...rest, ...(chat === undefined ? {} : { chat }), ...(limit === undefined ? {} : { limit }) };
}

export function findProjectProblems(draft: ProjectDraft): Record<string, string> {
  return renameProblems(findProblems(ProjectInput, toProjectInput(draft), listTitles()));
}
