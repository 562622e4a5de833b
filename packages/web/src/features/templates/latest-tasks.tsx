import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { describeStarter } from '../../lib/describe-starter.ts';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { templateTasksQuery } from '../../lib/task-queries.ts';
import { type Column, SubRow } from '../../ui/data-table.tsx';
import { Duration } from '../../ui/duration.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { readVersion, TaskLink } from './last-task.tsx';
import css from './templates.module.css';

const shownTasks = 5;

/** The five latest tasks of a template, in the columns of the list. */
export function LatestTasks({ template, columns }: { template: Template; columns: Column<Template>[] }) {
  const { data: tasks, error } = useQuery(templateTasksQuery(template.project_id, template.id, { limit: shownTasks }));
  if (tasks === undefined || tasks.length === 0) {
    const words =
      error === null ? t(tasks === undefined ? 'ui.loading' : 'templates.notLaunched') : describeError(error);
    return <SubRow columns={columns} cells={{ name: words }} />;
  }
  return tasks.map((task) => (
    <SubRow
      key={task.id}
      columns={columns}
      cells={{
        name: <TaskLink task={task} isName />,
        version: readVersion(task),
        status: <StatusBadge status={task.status} title={task.waiting_reason?.text} />,
        last_task: <TimeAgo time={task.start ?? task.created} short />,
        playbook: <span className={css.starter}>{describeStarter(task)}</span>,
      }}
      end={<Duration start={task.start} end={task.end} />}
    />
  ));
}
