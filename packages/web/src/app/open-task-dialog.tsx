import { TaskDialog } from '../features/tasks/task-dialog.tsx';
import { renderTaskLog } from './task-log.tsx';

export function OpenTaskDialog({ projectId, taskId }: { projectId: number; taskId: number }) {
  return <TaskDialog key={taskId} projectId={projectId} taskId={taskId} renderLog={renderTaskLog} />;
}
