import { type App, AppId, AppInput } from '@signalbox/contract/apps';
import { type FieldTitles, findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import type { AppSave } from './data.ts';

export type AppDraft = {
  id: string;
  title: string;
  icon: string;
  path: string;
  priority: string;
  args: string[];
  active: boolean;
};

export function draftOf(app: App | undefined): AppDraft {
  return {
    id: app?.id ?? '',
    title: app?.title ?? '',
    icon: app?.icon ?? '',
    path: app?.path ?? '',
    priority: app === undefined ? '' : String(app.priority),
    args: app?.args ?? [],
    active: app?.active ?? true,
  };
}

export function toAppSave({ id, title, icon, path, priority, args, active }: AppDraft): AppSave {
  return {
    id: id.trim(),
    input: {
      title: title.trim(),
      icon: icon.trim(),
      path: path.trim(),
      priority: readInteger(priority),
      args: args.length === 0 ? null : args,
      active,
    },
  };
}

/** Nothing is 0; what is no whole number is NaN, which the contract's schema refuses. */
function readInteger(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

export function listTitles(): FieldTitles {
  return {
    id: t('apps.id'),
    title: t('apps.name'),
    icon: t('apps.icon'),
    path: t('apps.path'),
    priority: t('apps.priority'),
    args: t('apps.args'),
  };
}

export function findAppProblems(draft: AppDraft, isNew: boolean, taken: readonly string[]): Record<string, string> {
  const { id, input } = toAppSave(draft);
  const problems = findProblems(AppInput, input, listTitles());
  if (Number.isNaN(input.priority)) problems.priority = t('field.notInteger');
  if (!isNew) return problems;
  if (id === '') problems.id = t('field.required', { field: t('apps.id') });
  else if (taken.includes(id)) problems.id = t('apps.idTaken');
  else if (!AppId.safeParse(id).success) problems.id = t('apps.idForm');
  return problems;
}
