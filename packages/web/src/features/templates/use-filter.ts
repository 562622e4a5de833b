import type { Template } from '@signalbox/contract/templates';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** The text by which the list is narrowed, kept in the address as `q`. */
export function useFilter(): [string, (filter: string) => void] {
  const { q } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (filter: string): void =>
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (before: Record<string, unknown>) => ({ ...before, q: filter === '' ? undefined : filter }),
    });
  // A text of digits comes out of an address as a number.
  return [typeof q === 'string' || typeof q === 'number' ? String(q) : '', change];
}

/** Whether every word of the filter is somewhere in the name, description, app or path. */
export function matchesFilter(
  template: Pick<Template, 'name' | 'description' | 'app' | 'playbook'>,
  filter: string,
): boolean {
  const text = [template.name, template.description, template.app, template.playbook].join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
