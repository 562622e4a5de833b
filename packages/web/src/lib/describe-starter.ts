import type { TaskItem } from '@signalbox/contract/tasks';
import { t } from './i18n.ts';

/** Who or what started a task. */
export function describeStarter(task: TaskItem): string {
  if (task.user_name !== null) return task.user_name;
  if (task.schedule_id !== null) return t('tasks.bySchedule');
  if (task.integration_id !== null) return t('tasks.byIntegration');
  return t(task.user_id === null ? 'tasks.byAutorun' : 'tasks.byFormerUser');
}
