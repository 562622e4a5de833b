import type { Role, RoleName } from '@signalbox/contract/permissions';
import { type MessageKey, t } from './i18n.ts';

const words: Record<RoleName, MessageKey> = {
  owner: 'role.owner',
  manager: 'role.manager',
  task_runner: 'role.taskRunner',
  guest: 'role.guest',
};

export function nameRole(role: RoleName): string {
  return t(words[role]);
}

/** The role as a word. An administrator who is no member has none and may do everything. */
export function describeRole({ role }: Role, isAdmin: boolean): string {
  if (role !== '') return nameRole(role);
  return isAdmin ? t('role.administrator') : t('role.none');
}
