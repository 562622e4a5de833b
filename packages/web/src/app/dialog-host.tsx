import { useSearch } from '@tanstack/react-router';
import { useOptionalProjectId } from '../lib/project-id.ts';
import { useLoaded } from './use-loaded.ts';

const loadTaskOverlay = async () => (await import('./task-overlay.tsx')).TaskOverlay;
const loadLaunchDialog = async () => (await import('../features/tasks/launch-dialog-host.tsx')).LaunchDialogHost;

/** What the address opens over whatever screen of the project is shown: `t` the log of a task, `run` a launch. */
export function DialogHost() {
  const { t: taskId, run } = useSearch({ strict: false });
  const projectId = useOptionalProjectId();
  const TaskOverlay = useLoaded(loadTaskOverlay, typeof taskId === 'number');
  const LaunchDialogHost = useLoaded(loadLaunchDialog, run !== undefined);
  if (projectId === undefined) return null;
  return (
    <>
      {typeof taskId === 'number' && TaskOverlay !== undefined ? (
        <TaskOverlay projectId={projectId} taskId={taskId} />
      ) : null}
      {run !== undefined && LaunchDialogHost !== undefined ? <LaunchDialogHost projectId={projectId} /> : null}
    </>
  );
}
