import type { TaskItem } from '@signalbox/contract/tasks';
import type { ReactNode } from 'react';
import { LogView } from '../features/log/log-view.tsx';

/** Draws the log of a task; its own state ends with the task that it shows. */
export function renderTaskLog(task: TaskItem): ReactNode {
  return <LogView key={task.id} projectId={task.project_id} taskId={task.id} status={task.status} />;
}
