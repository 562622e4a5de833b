import { useNavigate, useSearch } from '@tanstack/react-router';

/** The text by which a list is narrowed, kept in the address as `q`. */
export function useTextFilter(): [string, (filter: string) => void] {
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (filter: string): void =>
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (before: Record<string, unknown>) => ({
        ...before,
        q: filter === '' ? undefined : filter,
        page: undefined,
      }),
    });
  // A text of digits comes out of an address as a number.
  return [typeof q === 'string' || typeof q === 'number' ? String(q) : '', change];
}

/** Whether every word of the filter is somewhere in the texts. */
export function matchesText(texts: readonly (string | null)[], filter: string): boolean {
  const text = texts.join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
