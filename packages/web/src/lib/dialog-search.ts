import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** What the form of a list edits: a new object, or that with the id. */
export type Editing = 'new' | number;

/** The form that is open over a list, kept in the address (`edit`), so that it can be linked to and left with Back. */
export function useEditing(): [Editing | undefined, (editing: Editing | undefined) => void] {
  const { edit } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (editing: Editing | undefined): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, edit: editing }),
      replace: editing === undefined,
    });
  return [readEditing(edit), change];
}

/**
 * Forgets how a save went once its form is left, with Back too: what comes late must neither close the next form nor be told in it.
 *
 * @param form names the form that is open
 */
export function useFreshSave(form: string | number | undefined, reset: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the form that changes
  useEffect(() => reset, [form, reset]);
}

function readEditing(edit: unknown): Editing | undefined {
  if (edit === 'new') return 'new';
  return typeof edit === 'number' && Number.isInteger(edit) && edit > 0 ? edit : undefined;
}
