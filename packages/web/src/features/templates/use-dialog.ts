import { useNavigate, useSearch } from '@tanstack/react-router';

/** The dialog that is open over a screen of templates, kept in the address, so that it can be linked to and left with Back. */
export function useDialog(): [string | undefined, (dialog: string | undefined) => void] {
  const { dialog } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: string | undefined): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, dialog: next }),
      replace: next === undefined,
      resetScroll: false,
    });
  return [typeof dialog === 'string' ? dialog : undefined, change];
}
