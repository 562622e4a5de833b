import { References } from '@signalbox/contract/references';
import { useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, describeError } from './failure.ts';

type Named = { id: number; name: string };
type RemovalSteps<Row> = {
  loadReferences: (row: Row) => Promise<References>;
  remove: (row: Row) => Promise<unknown>;
  onRemoved: (row: Row) => void;
};

export type Removal<Row extends Named> = {
  /** What is about to be deleted; undefined when nothing is asked. */
  target: Row | undefined;
  /** What uses it: then it cannot be deleted. */
  blockers: References | undefined;
  isBusy: boolean;
  error: string | undefined;
  start: (row: Row) => void;
  confirm: () => void;
  close: () => void;
};

/** Deleting, step by step: ask the server what uses the object, ask the person, delete. */
export function useRemoval<Row extends Named>({ loadReferences, remove, onRemoved }: RemovalSteps<Row>): Removal<Row> {
  const [target, setTarget] = useState<Row>();
  const [blockers, setBlockers] = useState<References>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const close = (): void => {
    setTarget(undefined);
    setBlockers(undefined);
    setError(undefined);
  };
  const start = async (row: Row): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    // Of one that was closed before its answer came.
    setError(undefined);
    try {
      const references = await loadReferences(row);
      setBlockers(Object.values(references).some((list) => list.length > 0) ? references : undefined);
    } catch (failure) {
      setError(describeError(failure));
    } finally {
      setBusy(false);
    }
    setTarget(row);
  };
  const confirm = async (): Promise<void> => {
    if (target === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await remove(target);
      close();
      onRemoved(target);
    } catch (failure) {
      // Someone began to use it in the meantime.
      const inUse = failure instanceof ApiError ? z.safeParse(References, failure.details) : undefined;
      if (inUse?.success) setBlockers(inUse.data);
      else setError(describeError(failure));
    } finally {
      setBusy(false);
    }
  };
  return {
    target,
    blockers,
    isBusy,
    error,
    start: (row) => void start(row),
    confirm: () => void confirm(),
    close,
  };
}
