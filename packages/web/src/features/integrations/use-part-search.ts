import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Editing } from '../../lib/dialog-search.ts';

/** Which part of an integration the address opens: each kind under a name of its own, `new` or an id. */
export function usePartSearch(
  name: 'matcher' | 'value' | 'delivery',
): [Editing | undefined, (part: Editing | undefined) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const given = search[name];
  const open =
    given === 'new' || (typeof given === 'number' && Number.isInteger(given) && given > 0) ? given : undefined;
  const change = (part: Editing | undefined): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, [name]: part }),
      replace: part === undefined,
    });
  return [open, change];
}
