import type { AlertFacts } from '../db/alerts.ts';

/** What a person reads, as plain text: each channel writes it in its own way. */
export type Message = {
  /** The state in a word, with a picture. */
  readonly status: string;
  /** What it is about. */
  readonly title: string;
  /** Where the console shows it. */
  readonly url: string;
  readonly text: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly mood: 'good' | 'bad' | 'neutral';
};

const statuses: Record<AlertFacts['kind'], Pick<Message, 'status' | 'mood'>> = {
  success: { status: '✅ SUCCESS', mood: 'good' },
  error: { status: '❌ ERROR', mood: 'bad' },
  waiting_confirmation: { status: '⏸️ WAITING FOR CONFIRMATION', mood: 'neutral' },
  test: { status: '🔔 TEST', mood: 'neutral' },
};

/** @param webUrl public URL of the console, without a slash at the end */
export function describeAlert({ kind, project, task, author }: AlertFacts, webUrl: string): Message {
  const fields = [
    { name: 'Project', value: onOneLine(project.name) },
    ...(task === null ? [] : [{ name: 'Task', value: `#${task.id}` }]),
    { name: 'Author', value: onOneLine(author) || '–' },
    { name: 'Version', value: onOneLine(describeVersion(task)) },
  ].filter(({ value }) => value !== '');
  return {
    ...statuses[kind],
    title: task === null ? 'Test message' : onOneLine(task.template.name),
    url: linkOf({ project, task }, webUrl),
    text: task === null ? 'Messages about tasks of this project arrive here.' : describeText(task),
    fields,
  };
}

/** Where the console shows the task, or for a test the project. */
export function linkOf({ project, task }: Pick<AlertFacts, 'project' | 'task'>, webUrl: string): string {
  const page = `${webUrl}/project/${project.id}`;
  return task === null ? page : `${page}/templates/${task.template.id}?t=${task.id}`;
}

function describeVersion(task: AlertFacts['task']): string {
  if (task === null) return '';
  return task.version ?? (task.build_version === null ? '' : `build ${task.build_version}`);
}

function describeText({ message, reason }: NonNullable<AlertFacts['task']>): string {
  return [message, reason].filter((text) => text !== '').join('\n');
}

/** Titles and fields have one line wherever they are shown. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
