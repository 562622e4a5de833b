import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOptionalProjectId } from '../lib/project-id.ts';

const TaskOverlay = lazy(async () => ({ default: (await import('./task-overlay.tsx')).TaskOverlay }));

/** Opens the log of the task that `t` names, over whatever screen of the project is open. */
export function TaskDialogHost() {
  const { t: taskId } = useSearch({ strict: false });
  const projectId = useOptionalProjectId();
  if (projectId === undefined || typeof taskId !== 'number') return null;
  return (
    <Suspense>
      <TaskOverlay projectId={projectId} taskId={taskId} />
    </Suspense>
  );
}
