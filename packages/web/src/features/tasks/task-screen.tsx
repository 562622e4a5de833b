import type { TaskItem } from '@signalbox/contract/tasks';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useProjectId } from '../../lib/project-id.ts';
import css from './task.module.css';
import { isGone, TaskMissing } from './task-missing.tsx';
import { TaskSkeleton } from './task-skeleton.tsx';
import { TaskView } from './task-view.tsx';
import { useTask } from './use-task.ts';

/** A task as a page of its own, for a link that can be sent. */
export function TaskScreen({ renderLog }: { renderLog: (task: TaskItem) => ReactNode }) {
  const projectId = useProjectId();
  const { taskId } = useParams({ strict: false }) as { taskId: string };
  const id = Number(taskId);
  const { data: task, error, refetch } = useTask(projectId, id);
  const [isFull] = usePreference('fullScreenLog');
  const params = { projectId: String(projectId) };
  usePage(
    `#${taskId}`,
    task === undefined
      ? [{ label: t('nav.templates'), link: { to: '/project/$projectId/templates', params, search: {} } }]
      : [
          { label: t('nav.templates'), link: { to: '/project/$projectId/templates', params, search: {} } },
          {
            label: task.tpl_alias,
            link: {
              to: '/project/$projectId/templates/$templateId/tasks',
              params: { ...params, templateId: String(task.template_id) },
              search: {},
            },
          },
        ],
  );
  if (isGone(error) || (task === undefined && error !== null)) {
    return <TaskMissing id={id} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={css.page} data-full={isFull || undefined}>
      {task === undefined ? <TaskSkeleton /> : <TaskView key={task.id} task={task} log={renderLog(task)} />}
    </div>
  );
}
