import type { TaskStatus } from '@signalbox/contract/task-state';
import { taskStatuses } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import type { Db } from '../../db/database.ts';
import { toTask } from '../../engine/task-record.ts';

/** Tasks with what a list shows of their template, their user and their build. */
function selectItems(db: Db, projectId: number) {
  return db
    .selectFrom('task')
    .innerJoin('template', 'template.id', 'task.template_id')
    .leftJoin('user', 'user.id', 'task.user_id')
    .leftJoin('task as build', 'build.id', 'task.build_task_id')
    .selectAll('task')
    .select([
      'template.playbook as tpl_playbook',
      'template.name as tpl_alias',
      'template.type as tpl_type',
      'template.app as tpl_app',
      'user.name as user_name',
      'build.id as build_id',
      'build.version as build_version',
      'build.message as build_message',
      'build.status as build_status',
    ])
    .where('task.project_id', '=', projectId);
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

function toItem(row: ItemRow): TaskItem {
  const { build_id: id, build_status: status } = row;
  return {
    ...toTask(row),
    tpl_playbook: row.tpl_playbook,
    tpl_alias: row.tpl_alias,
    tpl_type: row.tpl_type,
    tpl_app: row.tpl_app,
    user_name: row.user_name,
    build_task:
      id === null || status === null
        ? null
        : { id, status, version: row.build_version, message: row.build_message ?? '' },
  };
}

export type TaskFilter = { readonly limit: number; readonly templateId?: number; readonly status?: string | undefined };

/** Newest first. A status that does not exist matches nothing. */
export async function listTasks(db: Db, projectId: number, filter: TaskFilter): Promise<TaskItem[]> {
  let query = selectItems(db, projectId);
  if (filter.templateId !== undefined) query = query.where('task.template_id', '=', filter.templateId);
  if (filter.status !== undefined && filter.status !== '') {
    if (!isStatus(filter.status)) return [];
    query = query.where('task.status', '=', filter.status);
  }
  const rows = await query.orderBy('task.id', 'desc').limit(filter.limit).execute();
  return rows.map(toItem);
}

const isStatus = (text: string): text is TaskStatus => (taskStatuses as readonly string[]).includes(text);

/** In no order. */
export async function listTasksByIds(db: Db, projectId: number, ids: readonly number[]): Promise<TaskItem[]> {
  if (ids.length === 0) return [];
  return (await selectItems(db, projectId).where('task.id', 'in', ids).execute()).map(toItem);
}

export async function findTask(db: Db, projectId: number, id: number): Promise<TaskItem | undefined> {
  const row = await selectItems(db, projectId).where('task.id', '=', id).executeTakeFirst();
  return row && toItem(row);
}

export async function findTaskStatus(db: Db, projectId: number, id: number): Promise<TaskStatus | undefined> {
  const row = await db
    .selectFrom('task')
    .select('status')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row?.status;
}
