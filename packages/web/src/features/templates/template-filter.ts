import type { Template } from '@signalbox/contract/templates';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { matchesText } from '../../lib/text-filter.ts';

/** By what the list is narrowed; empty texts narrow nothing. */
export type TemplateFilter = { q: string; app: string; status: string };

/** Stands for the state of a template that was never run. */
export const notLaunched = 'none';

/** The filter of the list, kept in the address. */
export function useFilter(): [TemplateFilter, (change: Partial<TemplateFilter>) => void] {
  const { q, app, status } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: Partial<TemplateFilter>): void => {
    const entries = Object.entries(next).map(([name, value]) => [name, value === '' ? undefined : value]);
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (before: Record<string, unknown>) => ({ ...before, ...Object.fromEntries(entries) }),
    });
  };
  return [{ q: readText(q), app: readText(app), status: readText(status) }, change];
}

/** A text of digits comes out of an address as a number. */
function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function isFiltered({ q, app, status }: TemplateFilter): boolean {
  return q.trim() !== '' || app !== '' || status !== '';
}

type Filterable = Pick<Template, 'name' | 'description' | 'app' | 'playbook'> & {
  last_task: Pick<NonNullable<Template['last_task']>, 'status'> | null;
};

/** Whether app and state of the last task are the asked ones, and every word is somewhere in the name, description, app or path. */
export function matchesFilter(template: Filterable, { q, app, status }: TemplateFilter): boolean {
  if (app !== '' && template.app !== app) return false;
  if (status !== '' && (template.last_task?.status ?? notLaunched) !== status) return false;
  return matchesText([template.name, template.description, template.app, template.playbook], q);
}
