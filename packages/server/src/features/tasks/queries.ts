import type { TaskStatus } from '@signalbox/contract/task-state';
import { taskStatuses } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import type { Db } from '../../db/database.ts';
import { type ShownTaskRow, shownColumns, type TaskRow, toTask } from '../../engine/task-record.ts';
import { cutPage, type Page, type PageRequest } from '../../paging.ts';

/** Tasks with what a list shows of their template and their user. The caller says of which project. */
function selectAllItems(db: Db) {
  return db
    .selectFrom('task')
    .innerJoin('template', 'template.id', 'task.template_id')
    .leftJoin('user', 'user.id', 'task.user_id')
    .select(shownColumns.map((column) => `task.${column}` as const))
    .select([
      'template.playbook as tpl_playbook',
      'template.name as tpl_alias',
      'template.type as tpl_type',
      'template.app as tpl_app',
      'user.name as user_name',
    ]);
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectAllItems>['execute']>>[number];

function selectItems(db: Db, projectId: number) {
  return selectAllItems(db).where('task.project_id', '=', projectId);
}

/** The project is asked of the template, so that the index of its tasks is the one that is read. */
function selectTemplateItems(db: Db, projectId: number, templateId: number) {
  return selectAllItems(db).where('template.project_id', '=', projectId).where('task.template_id', '=', templateId);
}

async function toItems(db: Db, projectId: number, rows: readonly ItemRow[]): Promise<TaskItem[]> {
  const builds = await readBuilds(db, projectId, rows);
  return rows.map((row) => {
    const build = builds.get(row.build_task_id ?? 0);
    // Not a literal that spreads the task: that makes a slow object of each of a thousand.
    return Object.assign(toTask(row), {
      tpl_playbook: row.tpl_playbook,
      tpl_alias: row.tpl_alias,
      tpl_type: row.tpl_type,
      tpl_app: row.tpl_app,
      user_name: row.user_name,
      build_task: build === undefined ? null : toTask(build),
    });
  });
}

/** The builds that tasks deploy, each once. Most lists have none. */
async function readBuilds(db: Db, projectId: number, rows: readonly ItemRow[]): Promise<Map<number, ShownTaskRow>> {
  const ids = new Set(rows.flatMap(({ build_task_id: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return new Map();
  const builds = await db
    .selectFrom('task')
    .select(shownColumns)
    .where('id', 'in', [...ids])
    .where('project_id', '=', projectId)
    .execute();
  return new Map(builds.map((build) => [build.id, build]));
}

export type TaskFilter = PageRequest & { readonly templateId?: number; readonly status?: string | undefined };

/** Newest first. A status that does not exist matches nothing. */
export async function listTasks(db: Db, projectId: number, filter: TaskFilter): Promise<Page<TaskItem>> {
  const { templateId, status, before, limit } = filter;
  let query = templateId === undefined ? selectItems(db, projectId) : selectTemplateItems(db, projectId, templateId);
  if (before !== undefined) query = query.where('task.id', '<', before);
  if (status !== undefined && status !== '') {
    if (!isStatus(status)) return { items: [], next: undefined };
    query = query.where('task.status', '=', status);
  }
  const rows = await query
    .orderBy('task.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = cutPage(rows, limit);
  return { items: await toItems(db, projectId, page.items), next: page.next };
}

const isStatus = (text: string): text is TaskStatus => (taskStatuses as readonly string[]).includes(text);

/** In no order. */
export async function listTasksByIds(db: Db, projectId: number, ids: readonly number[]): Promise<TaskItem[]> {
  if (ids.length === 0) return [];
  const rows = await selectItems(db, projectId).where('task.id', 'in', ids).execute();
  return await toItems(db, projectId, rows);
}

export async function findTask(db: Db, projectId: number, id: number): Promise<TaskItem | undefined> {
  const row = await selectItems(db, projectId).where('task.id', '=', id).executeTakeFirst();
  return row && (await toItems(db, projectId, [row]))[0];
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

/**
 * A task and its template are counted and linked together: the row of the template is locked first, as a launch does.
 * @returns the name of the template
 */
export async function deleteTask(db: Db, task: TaskRow): Promise<string> {
  const { name } = await db
    .updateTable('template')
    .set((eb) => ({ task_count: eb('task_count', '-', 1) }))
    .where('id', '=', task.template_id)
    .where('project_id', '=', task.project_id)
    .returning('name')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('task').where('id', '=', task.id).where('project_id', '=', task.project_id).execute();
  await db
    .updateTable('template')
    .set((eb) => ({
      last_task_id: eb
        .selectFrom('task')
        .select((task) => task.fn.max('task.id').as('id'))
        .whereRef('task.template_id', '=', 'template.id'),
    }))
    .where('id', '=', task.template_id)
    // The link to the deleted task was cut by the deletion.
    .where('last_task_id', 'is', null)
    .execute();
  return name;
}
