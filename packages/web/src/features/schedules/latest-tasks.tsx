import type { Schedule } from '@signalbox/contract/schedules';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { describeStarter } from '../../lib/describe-starter.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { templateTasksQuery } from '../../lib/task-queries.ts';
import { type Column, SubRow } from '../../ui/data-table.tsx';
import { Duration } from '../../ui/duration.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './schedules.module.css';

const shownTasks = 5;

/** The five latest tasks of the schedule's template, in the columns of the list. */
export function LatestTasks({ schedule, columns }: { schedule: Schedule; columns: Column<Schedule>[] }) {
  const { project_id: projectId, template_id: templateId } = schedule;
  const { data: tasks, error } = useQuery(templateTasksQuery(projectId, templateId, { limit: shownTasks }));
  if (tasks === undefined || tasks.length === 0) {
    const words =
      error === null ? t(tasks === undefined ? 'ui.loading' : 'schedules.notLaunched') : describeError(error);
    return <SubRow columns={columns} cells={{ name: words }} />;
  }
  return tasks.map((task) => (
    <SubRow
      key={task.id}
      columns={columns}
      cells={{
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
      }}
      end={<Duration start={task.start} end={task.end} />}
    />
  ));
}
