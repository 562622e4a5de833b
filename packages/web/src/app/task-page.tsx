import { TaskScreen } from '../features/tasks/task-screen.tsx';
import { renderTaskLog } from './task-log.tsx';

export function TaskPage() {
  return <TaskScreen renderLog={renderTaskLog} />;
}
