import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useOptionalProjectId } from '../lib/project-id.ts';

const TaskOverlay = lazy(async () => ({ default: (await import('./task-overlay.tsx')).TaskOverlay }));
const LaunchDialogHost = lazy(async () => ({
  default: (await import('../features/tasks/launch-dialog-host.tsx')).LaunchDialogHost,
}));

/** What the address opens over whatever screen of the project is shown: `t` the log of a task, `run` a launch. */
export function DialogHost() {
  const { t: taskId, run } = useSearch({ strict: false });
  const projectId = useOptionalProjectId();
  if (projectId === undefined) return null;
  return (
    <Suspense>
      {typeof taskId === 'number' ? <TaskOverlay projectId={projectId} taskId={taskId} /> : null}
      {run === undefined ? null : <LaunchDialogHost projectId={projectId} />}
    </Suspense>
  );
}
