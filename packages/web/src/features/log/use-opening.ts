import type { TaskStatus } from '@signalbox/contract/task-state';
import { useEffect, useRef, useState } from 'react';
import { type ErrorPorts, findFirstError } from './first-error.ts';
import { createErrorPorts, type TaskRef } from './log-ports.ts';
import type { LogSource } from './log-source.ts';

/** How long the first lines may wait for the search of the first error. */
const patienceMs = 1500;

type OpeningProps = {
  task: TaskRef;
  source: LogSource;
  isOpen: boolean;
  status: TaskStatus;
  /** Line that the address links to. */
  linked: number | undefined;
  showLine: (line: number) => void;
  followEnd: () => void;
};

/**
 * Opens a log at the right place, once: at the line that the address names; a failed task at its first error; any other one,
 * running or done, at its end. Answers where, or undefined until the place is known, so that nothing is drawn that would jump
 * away.
 */
export function useOpening(props: OpeningProps): { errorLine: number | undefined } | undefined {
  const { task, source, isOpen, status, linked, showLine, followEnd } = props;
  const [opened, setOpened] = useState<{ source: LogSource; errorLine: number | undefined }>();
  const started = useRef<LogSource>(undefined);
  const { projectId, taskId } = task;
  useEffect(() => {
    if (!isOpen || started.current === source) return;
    started.current = source;
    const finish = (line: number | undefined, errorLine?: number): void => {
      if (line === undefined) followEnd();
      else showLine(Math.min(line, Math.max(1, source.store.total)));
      setOpened({ source, errorLine });
    };
    if (linked !== undefined || status !== 'error') {
      finish(linked);
      return;
    }
    const patience = AbortSignal.timeout(patienceMs);
    locateFirstError({ projectId, taskId }, source, patience).then(
      (line) => finish(line, line),
      () => finish(undefined),
    );
  });
  return opened?.source === source ? opened : undefined;
}

/** A log up to this length is fetched and read here: one request instead of one for each sign. */
const maxFetched = 5000;

/** A short log is read here; a long one is searched by the server. */
export async function locateFirstError(
  task: TaskRef,
  source: LogSource,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { total } = source.store;
  if (total > maxFetched) return findFirstError(createErrorPorts(task, signal));
  await source.load(1, total, signal);
  return findFirstError(readHeld(source));
}

function readHeld({ store }: LogSource): ErrorPorts {
  return {
    search: async (query) => {
      const lines: number[] = [];
      for (let line = 1; line <= store.total; line += 1) {
        if (store.get(line)?.output.toLowerCase().includes(query.toLowerCase())) lines.push(line);
      }
      return { lines, count: lines.length, total: store.total };
    },
    fetchRange: async (from, count) => {
      const lines = [];
      for (let line = from; line < from + count; line += 1) {
        const record = store.get(line);
        if (record !== undefined) lines.push(record);
      }
      return { first: from, next: from + lines.length, total: store.total, sealed: store.sealed, lines };
    },
  };
}
