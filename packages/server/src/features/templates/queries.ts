import { busyStatuses } from '@signalbox/contract/task-state';
import {
  SurveyVariable,
  type Template,
  TemplateParams,
  type TemplateType,
  type Vault,
} from '@signalbox/contract/templates';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import type { TemplateTable } from '../../db/tables.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

/** What a person sets; the rest follows from tasks. */
export type TemplateValues = Omit<Template, 'id' | 'project_id' | 'vaults' | 'tasks' | 'last_task_id' | 'last_task'>;
/** A template as it is stored; its last task is looked up by whoever shows it. */
export type StoredTemplate = Omit<Template, 'last_task'>;

type TemplateRow = Selectable<TemplateTable>;

const defaultParams = z.parse(TemplateParams, {});

function toTemplate(
  { task_count: tasks, survey_vars, task_params, ...row }: TemplateRow,
  vaults: Vault[],
): StoredTemplate {
  return {
    ...row,
    survey_vars: survey_vars === '[]' ? [] : z.parse(z.array(SurveyVariable), JSON.parse(survey_vars)),
    // Checked when it was stored, and again on its way out.
    task_params: { ...defaultParams, ...(JSON.parse(task_params) as Partial<TemplateParams>) },
    vaults,
    tasks,
  };
}

function toRow({ survey_vars, task_params, ...values }: TemplateValues) {
  return { ...values, survey_vars: JSON.stringify(survey_vars), task_params: JSON.stringify(task_params) };
}

const sortColumns = ['template.name', 'template.playbook', 'inventory.name', 'environment.name', 'repository.name'];
const sortNames: Record<string, string> = {
  name: 'template.name',
  playbook: 'template.playbook',
  inventory: 'inventory.name',
  environment: 'environment.name',
  repository: 'repository.name',
};

/** Nobody else changes the template from here on until the end of the transaction. @returns its type, where there is one */
export async function lockTemplate(db: Db, projectId: number, id: number): Promise<TemplateType | undefined> {
  const row = await selectForChange(db, projectId, id).select('type').executeTakeFirst();
  return row?.type;
}

/** Locks it like `lockTemplate`. @returns what it deploys; null where it deploys nothing */
export async function lockBuildTemplate(db: Db, projectId: number, id: number): Promise<number | null> {
  const row = await selectForChange(db, projectId, id).select('build_template_id').executeTakeFirst();
  return row?.build_template_id ?? null;
}

function selectForChange(db: Db, projectId: number, id: number) {
  return db.selectFrom('template').where('id', '=', id).where('project_id', '=', projectId).forNoKeyUpdate();
}

export type TemplateFilter = { readonly app?: string | undefined; readonly viewId?: number };

export async function listTemplates(
  db: Db,
  projectId: number,
  { app, viewId }: TemplateFilter,
  { sort, order }: SortRequest,
): Promise<StoredTemplate[]> {
  let query = db
    .selectFrom('template')
    .leftJoin('inventory', 'inventory.id', 'template.inventory_id')
    .leftJoin('environment', 'environment.id', 'template.environment_id')
    .leftJoin('repository', 'repository.id', 'template.repository_id')
    .selectAll('template')
    .where('template.project_id', '=', projectId);
  if (app !== undefined && app !== '') query = query.where('template.app', '=', app);
  if (viewId !== undefined) query = query.where('template.view_id', '=', viewId);
  const column = sort !== undefined && Object.hasOwn(sortNames, sort) ? sortNames[sort] : undefined;
  const rows = await query.orderBy(orderBy({ sort: column, order }, 'template', sortColumns)).execute();
  const vaults = await listVaults(db, projectId);
  return rows.map((row) => toTemplate(row, vaults.get(row.id) ?? []));
}

export async function findTemplate(db: Db, projectId: number, id: number): Promise<StoredTemplate | undefined> {
  const row = await db
    .selectFrom('template')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toTemplate(row, (await listVaults(db, projectId, id)).get(id) ?? []);
}

/** By template; of one, or of all of the project. */
async function listVaults(db: Db, projectId: number, templateId?: number): Promise<Map<number, Vault[]>> {
  let query = db.selectFrom('template_vault').selectAll().where('project_id', '=', projectId);
  if (templateId !== undefined) query = query.where('template_id', '=', templateId);
  const rows = await query.orderBy('id').execute();
  return Map.groupBy(rows, (row) => row.template_id);
}

export async function insertTemplate(db: Db, projectId: number, values: TemplateValues): Promise<number> {
  const row = await db
    .insertInto('template')
    .values({ ...toRow(values), project_id: projectId, last_task_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateTemplate(db: Db, projectId: number, id: number, values: TemplateValues): Promise<void> {
  await db
    .updateTable('template')
    .set(toRow(values))
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

/**
 * Deletes the tasks that wait. No other comes, and none of them starts, until the end of the transaction.
 *
 * @returns ids of tasks that a runner has in hand
 */
export async function deleteWaitingTasks(db: Db, projectId: number, id: number): Promise<number[]> {
  // A launch counts its task in the row before it inserts it, so it waits for this.
  await lockTemplate(db, projectId, id);
  await db.deleteFrom('task').where('template_id', '=', id).where('status', '=', 'waiting').execute();
  const rows = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', id)
    .where('status', 'in', busyStatuses)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function setInventory(db: Db, projectId: number, id: number, inventoryId: number): Promise<void> {
  await db
    .updateTable('template')
    .set({ inventory_id: inventoryId })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

export async function deleteTemplate(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('template').where('id', '=', id).where('project_id', '=', projectId).execute();
}

/** The list is authoritative: what it does not name is deleted. Ids stay what they were. */
export async function replaceVaults(
  db: Db,
  projectId: number,
  templateId: number,
  vaults: readonly Vault[],
): Promise<void> {
  let obsolete = db.deleteFrom('template_vault').where('template_id', '=', templateId);
  const kept = vaults.flatMap(({ id }) => (id ? [id] : []));
  if (kept.length > 0) obsolete = obsolete.where('id', 'not in', kept);
  await obsolete.where('project_id', '=', projectId).execute();
  for (const { id, project_id: _project, template_id: _template, ...vault } of vaults) {
    const values = {
      name: vault.name ?? null,
      type: vault.type,
      vault_key_id: vault.type === 'password' ? (vault.vault_key_id ?? null) : null,
      script: vault.type === 'script' ? (vault.script ?? null) : null,
    };
    if (id) {
      await db
        .updateTable('template_vault')
        .set(values)
        .where('id', '=', id)
        .where('template_id', '=', templateId)
        .where('project_id', '=', projectId)
        .execute();
    } else {
      await db
        .insertInto('template_vault')
        .values({ ...values, project_id: projectId, template_id: templateId })
        .execute();
    }
  }
}
