import { useState } from 'react';
import { type Editing, useFreshSave } from './dialog-search.ts';

/** What the form over a list is given. */
export type OpenForm<Value, Change> = {
  /** What is edited; undefined for a new one. */
  value: Value | undefined;
  onSubmit: (change: Change) => void;
  onClose: () => void;
  isBusy: boolean;
  error: unknown;
};

type Save<Change> = {
  mutate: (change: Change, options: { onSuccess: () => void }) => void;
  reset: () => void;
  isPending: boolean;
  error: unknown;
};

/**
 * The form that the address opens over a list: for a new object, or for the one of `rows` that it names. It closes when its
 * save has succeeded. `key` tells one form from the next.
 */
export function useOpenForm<Value extends { id: number }, Change>(
  [editing, setEditing]: [Editing | undefined, (editing: Editing | undefined) => void],
  rows: readonly Value[] | undefined,
  save: Save<Change>,
): { isOpen: boolean; key: Editing | undefined; props: OpenForm<Value, Change> } {
  useFreshSave(editing, save.reset);
  const [held, setHeld] = useState<Value>();
  // Somebody may delete what is edited here: what was typed stays, and the server says so when it is saved.
  const value = rows?.find(({ id }) => id === editing) ?? (held?.id === editing ? held : undefined);
  if (value !== held) setHeld(value);
  const onClose = (): void => setEditing(undefined);
  return {
    isOpen: editing === 'new' || value !== undefined,
    key: editing,
    props: {
      value,
      onSubmit: (change) => save.mutate(change, { onSuccess: onClose }),
      onClose,
      isBusy: save.isPending,
      error: save.error,
    },
  };
}
