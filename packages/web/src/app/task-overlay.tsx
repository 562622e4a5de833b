import { LogView } from '../features/log/log-view.tsx';
import { TaskDialog } from '../features/tasks/task-dialog.tsx';

/** The log of a task over any screen. */
export function TaskOverlay({ projectId, taskId }: { projectId: number; taskId: number }) {
  return (
    <TaskDialog
      key={taskId}
      projectId={projectId}
      taskId={taskId}
      renderLog={({ id, status }) => <LogView projectId={projectId} taskId={id} status={status} />}
    />
  );
}
