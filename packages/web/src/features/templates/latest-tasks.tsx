import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { latestTasksQuery } from '../../lib/task-queries.ts';
import type { Column } from '../../ui/data-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TaskRows } from '../../ui/task-rows.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { readVersion, TaskLink } from './last-task.tsx';
import css from './templates.module.css';

/** The latest tasks of a template, in the columns of the list. */
export function LatestTasks({ template, columns }: { template: Template; columns: Column<Template>[] }) {
  const { data: tasks, error } = useQuery(latestTasksQuery(template.project_id, template.id));
  return (
    <TaskRows
      tasks={tasks}
      error={error}
      columns={columns}
      none={t('templates.notLaunched')}
      listCells={(task) => ({
        name: <TaskLink task={task} isName />,
        version: readVersion(task),
        status: <StatusBadge status={task.status} title={task.waiting_reason?.text} />,
        last_task: <TimeAgo time={task.start ?? task.created} short />,
        playbook: <span className={css.starter}>{describeStarter(task)}</span>,
      })}
    />
  );
}
