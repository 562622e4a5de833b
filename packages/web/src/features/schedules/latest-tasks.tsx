import type { Schedule } from '@signalbox/contract/schedules';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { latestTasksQuery } from '../../lib/task-queries.ts';
import type { Column } from '../../ui/data-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TaskRows } from '../../ui/task-rows.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './schedules.module.css';

/** The latest tasks of the schedule's template, in the columns of the list. */
export function LatestTasks({ schedule, columns }: { schedule: Schedule; columns: Column<Schedule>[] }) {
  const { data: tasks, error } = useQuery(latestTasksQuery(schedule.project_id, schedule.template_id));
  return (
    <TaskRows
      tasks={tasks}
      error={error}
      columns={columns}
      none={t('schedules.notLaunched')}
      listCells={(task) => ({
        name: (
          <Link to="." search={(before: Record<string, unknown>) => ({ ...before, t: task.id })} className={css.task}>
            #{task.id}
          </Link>
        ),
        cron: <StatusBadge status={task.status} title={task.waiting_reason?.text} />,
        template: (
          <>
            <TimeAgo time={task.start ?? task.created} short /> · {describeStarter(task)}
          </>
        ),
      })}
    />
  );
}
