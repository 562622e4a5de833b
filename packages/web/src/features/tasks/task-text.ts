import type { Task } from '@signalbox/contract/tasks';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { t } from '../../lib/i18n.ts';
import { readArguments, readObject } from '../../lib/json-text.ts';
import { paramLists, paramSwitches, paramTitles } from '../../ui/task-params.ts';

/** First 10 characters of a commit, as people know it. */
export function shortenCommit(hash: string): string {
  return hash.slice(0, 10);
}

/** First 50 characters of the first line of a commit's message. */
export function shortenMessage(message: string): string {
  const line = message.split('\n')[0] ?? '';
  return line.length > 50 ? `${line.slice(0, 50)}…` : line;
}

/** Where a task runs. Nowhere yet while it waits. */
export function describeRunner(task: Task): string | null {
  if (task.runner_id !== null) return t('tasks.runnerId', { id: task.runner_id });
  return task.status === 'waiting' || task.start === null ? null : t('tasks.localRunning');
}

export type Parameter = { name: string; value: string; isSecret: boolean };

/** What was given at launch: lists, switches, arguments, answers. Secret answers are named, never shown: nobody has them any more. */
export function listParameters(task: Task, survey: readonly SurveyVariable[]): Parameter[] {
  const plain = (name: string, value: string): Parameter => ({ name, value, isSecret: false });
  const { params } = task;
  const answers = readObject(task.environment) ?? {};
  const given = readArguments(task.arguments);
  const parameters = [
    ...paramLists
      .filter((name) => (params[name]?.length ?? 0) > 0)
      .map((name) => plain(t(paramTitles[name]), params[name]?.join(', ') ?? '')),
    ...paramSwitches.filter((name) => params[name] === true).map((name) => plain(t(paramTitles[name]), t('tasks.on'))),
    ...(given.length === 0 ? [] : [plain(t('tasks.arguments'), given.join(' '))]),
    ...Object.entries(answers).map(([name, value]) =>
      plain(name, typeof value === 'string' ? value : JSON.stringify(value)),
    ),
  ];
  const secrets = survey.filter((variable) => variable.type === 'secret' && !Object.hasOwn(answers, variable.name));
  return [...parameters, ...secrets.map(({ name }) => ({ name, value: t('tasks.secret'), isSecret: true }))];
}
