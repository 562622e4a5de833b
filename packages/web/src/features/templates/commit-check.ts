import type { Schedule } from '@signalbox/contract/schedules';
import { type MessageKey, t } from '../../lib/i18n.ts';

/** The option of a template to run by itself when its repository, or another one, has a new commit. */
export type CommitCheck = { isOn: boolean; repositoryId: string | null; cron: string };

const intervals: { cron: string; title: MessageKey }[] = [
  { cron: '* * * * *', title: 'templates.everyMinute' },
  { cron: '*/5 * * * *', title: 'templates.every5Minutes' },
  { cron: '*/10 * * * *', title: 'templates.every10Minutes' },
  { cron: '0 * * * *', title: 'templates.everyHour' },
  { cron: '0 0 * * *', title: 'templates.everyDay' },
];

const defaultInterval = '* * * * *';

/** What can be chosen; a text that somebody has written elsewhere is kept as it is. */
export function listIntervals(current: string): { value: string; label: string }[] {
  const known = intervals.map(({ cron, title }) => ({ value: cron, label: t(title) }));
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }];
}

export function commitCheckOf(schedule: Schedule | undefined): CommitCheck {
  if (schedule === undefined) return { isOn: false, repositoryId: null, cron: defaultInterval };
  const { repository_id: id, cron_format: cron } = schedule;
  return { isOn: true, repositoryId: id === null ? null : String(id), cron };
}

export type CheckPlan =
  | { kind: 'nothing' }
  | { kind: 'create'; cron: string; repositoryId: number }
  | { kind: 'update'; id: number; cron: string; repositoryId: number }
  | { kind: 'remove'; id: number };

/** What has to happen to the schedule so that it matches the option. */
export function planCheck({ isOn, repositoryId, cron }: CommitCheck, stored: Schedule | undefined): CheckPlan {
  if (!isOn || repositoryId === null)
    return stored === undefined ? { kind: 'nothing' } : { kind: 'remove', id: stored.id };
  const wanted = { cron, repositoryId: Number(repositoryId) };
  if (stored === undefined) return { kind: 'create', ...wanted };
  const isSame = stored.cron_format === cron && stored.repository_id === wanted.repositoryId;
  return isSame ? { kind: 'nothing' } : { kind: 'update', id: stored.id, ...wanted };
}
