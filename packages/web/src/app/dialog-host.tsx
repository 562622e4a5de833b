import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { useOptionalProjectId } from '../lib/project-id.ts';

const loadTaskOverlay = async () => (await import('./task-overlay.tsx')).TaskOverlay;
const loadLaunchDialog = async () => (await import('../features/tasks/launch-dialog-host.tsx')).LaunchDialogHost;

/** For browsers that do not tell when a screen is drawn and rests. */
const leisureMs = 500;

/** Calls back once there is nothing better to do. Returns what takes that back. */
function waitForLeisure(work: () => void): () => void {
  if (typeof window.requestIdleCallback === 'function') {
    const idle = window.requestIdleCallback(work);
    return () => window.cancelIdleCallback(idle);
  }
  const timer = setTimeout(work, leisureMs);
  return () => clearTimeout(timer);
}

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

type Loaded<P> = { component: ComponentType<P> } | { error: unknown };

/**
 * A component of its own chunk: fetched at once when it is wanted, else at leisure. React's own way for this waits for 300 ms
 * before it shows what has arrived, and a log should be there at once. @throws what the loading throws, while drawing
 */
function useLoaded<P>(load: () => Promise<ComponentType<P>>, isWanted: boolean): ComponentType<P> | undefined {
  const [loaded, setLoaded] = useState<Loaded<P>>();
  useEffect(() => {
    const fetchNow = (): void => {
      load().then(
        (component) => setLoaded({ component }),
        (error: unknown) => {
          if (isWanted) setLoaded({ error });
        },
      );
    };
    if (!isWanted) return waitForLeisure(fetchNow);
    fetchNow();
    return undefined;
  }, [load, isWanted]);
  if (loaded === undefined) return undefined;
  if ('error' in loaded) throw loaded.error;
  return loaded.component;
}
