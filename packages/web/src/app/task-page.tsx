import { LogView } from '../features/log/log-view.tsx';
import { TaskScreen } from '../features/tasks/task-screen.tsx';

export function TaskPage() {
  return (
    <TaskScreen
      renderLog={({ project_id: projectId, id, status }) => <LogView {...{ projectId, status }} taskId={id} />}
    />
  );
}
