import type { Role, RoleName } from '@signalbox/contract/permissions';
import { type MessageKey, t } from './i18n.ts';

const words: Record<RoleName, MessageKey> = {
  owner: 'role.owner',
  manager: 'role.manager',
  task_runner: 'role.taskRunner',
  guest: 'role.guest',
};

/** The role as a word. An administrator who is no member has none and may do everything. */
export function describeRole({ role }: Role, isAdmin: boolean): string {
  if (role !== '') return t(words[role]);
  return isAdmin ? t('role.administrator') : t('role.none');
}
