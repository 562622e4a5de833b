import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// The log is the largest part of the console, and many visits never open one.
const OpenTaskDialog = lazy(async () => ({ default: (await import('./open-task-dialog.tsx')).OpenTaskDialog }));
const LaunchDialogHost = lazy(async () => ({
  default: (await import('../features/tasks/launch-dialog-host.tsx')).LaunchDialogHost,
}));

/** Opens what the address names over any screen: the log of a task (`t`), the launch of a template (`run`). */
export function TaskDialogHost({ projectId }: { projectId: number | undefined }) {
  const { t: taskId, run } = useSearch({ strict: false });
  if (projectId === undefined) return null;
  return (
    <Suspense>
      {typeof taskId !== 'number' ? null : <OpenTaskDialog projectId={projectId} taskId={taskId} />}
      {run === undefined ? null : <LaunchDialogHost projectId={projectId} />}
    </Suspense>
  );
}
