import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { LogFinder } from './log-finder.ts';
import { searchLog, type TaskRef } from './log-ports.ts';

/** How long the reader may pause while typing, and how often a growing log is searched again. */
const typingMs = 100;
const refreshMs = 1000;

/** The search in a log: the text in the box, and what the server found for it. */
export function useLogFinder({ projectId, taskId }: TaskRef, near: () => number, total: number) {
  const finder = useMemo(
    () => new LogFinder((query, after, signal) => searchLog({ projectId, taskId }, query, after, signal)),
    [projectId, taskId],
  );
  const [text, setText] = useState('');
  const state = useSyncExternalStore(
    (listener) => finder.listen(listener),
    () => finder.state,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search starts where the reader is when the text changes
  useEffect(() => {
    const timer = setTimeout(() => void finder.find(text, near()), text === '' ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [finder, text]);
  const grown = useRef(total);
  grown.current = total;
  // By the clock and not after each line: a log that never rests would never be searched again.
  useEffect(() => {
    const timer = setInterval(() => void finder.refresh(grown.current), refreshMs);
    return () => clearInterval(timer);
  }, [finder]);
  useEffect(() => () => finder.stop(), [finder]);
  return { finder, state, text, setText };
}
