import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useLiveSocket } from '../../lib/live.ts';
import { createLogPorts, type TaskRef } from './log-ports.ts';
import { LogSource } from './log-source.ts';

/** The lines of a task for as long as they are on the screen. Renders again with every revision of them. */
export function useLogSource({ projectId, taskId }: TaskRef): LogSource {
  const socket = useLiveSocket();
  const source = useMemo(
    () => new LogSource(createLogPorts({ projectId, taskId }, socket)),
    [projectId, taskId, socket],
  );
  useEffect(() => {
    source.start();
    return () => source.stop();
  }, [source]);
  useSyncExternalStore(
    (listener) => source.listen(listener),
    () => source.revision,
  );
  return source;
}
