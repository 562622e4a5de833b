import type { TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import { Link } from '@tanstack/react-router';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './templates.module.css';

/** Version that a task built, or that it deployed. */
export function readVersion(task: TaskItem | null): string | null {
  return task === null ? null : (task.version ?? task.build_task?.version ?? null);
}

/** #4182 · admin · 3 m ago; a task that waits for another one says for which. */
export function LastTask({ template }: { template: Template }) {
  const task = template.last_task;
  if (task === null) return null;
  const blocker = task.waiting_reason?.blockers[0];
  return (
    <span>
      <TaskLink task={task} />
      {' · '}
      {describeStarter(task)}
      {' · '}
      {task.status === 'waiting' && blocker !== undefined ? (
        t('templates.behind', { id: blocker })
      ) : (
        <TimeAgo time={task.start ?? task.created} short />
      )}
    </span>
  );
}

/** Opens the log of a task over the current screen. */
export function TaskLink({ task, isName = false }: { task: { id: number }; isName?: boolean }) {
  return (
    <Link
      className={css.taskLink}
      data-name={isName || undefined}
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, t: task.id })}
      resetScroll={false}
    >
      #{task.id}
    </Link>
  );
}
