import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Lets a form begin its save once. That a save is under way is drawn a moment after it began, and keys come quicker than that.
 * @param begin starts a mutation, or none where something is wrong with what was typed
 */
export function useOnce<Args extends unknown[]>(begin: (...args: Args) => void): (...args: Args) => void {
  const cache = useQueryClient().getMutationCache();
  const begun = useRef<Mutation>(undefined);
  return (...args) => {
    if (begun.current?.state.status === 'pending') return;
    const before = cache.getAll().at(-1);
    begin(...args);
    const last = cache.getAll().at(-1);
    begun.current = last === before ? undefined : last;
  };
}
