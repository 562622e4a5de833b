import type { Matcher } from '@signalbox/contract/integration-matchers';
import type { ExtractedValue } from '@signalbox/contract/integration-values';
import type { Integration } from '@signalbox/contract/integrations';
import { TaskParams } from '@signalbox/contract/tasks';
import type { Insertable, Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import type { IntegrationMatcherTable, IntegrationTable, IntegrationValueTable } from '../../db/tables.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

function toIntegration({ task_params, ...row }: Selectable<IntegrationTable>): Integration {
  return { ...row, task_params: task_params === null ? null : z.parse(TaskParams, JSON.parse(task_params)) };
}

function selectIntegrations(db: Db, projectId: number) {
  return db.selectFrom('integration').selectAll().where('project_id', '=', projectId);
}

export async function listIntegrations(db: Db, projectId: number, sort: SortRequest): Promise<Integration[]> {
  const rows = await selectIntegrations(db, projectId)
    .orderBy(orderBy(sort, 'integration', ['name']))
    .execute();
  return rows.map(toIntegration);
}

export async function findIntegration(db: Db, projectId: number, id: number): Promise<Integration | undefined> {
  const row = await selectIntegrations(db, projectId).where('id', '=', id).executeTakeFirst();
  return row && toIntegration(row);
}

export type IntegrationValues = Omit<Integration, 'id' | 'project_id'>;

const toRow = ({ task_params, ...values }: IntegrationValues) => ({
  ...values,
  task_params: task_params === null ? null : JSON.stringify(task_params),
});

export async function insertIntegration(db: Db, projectId: number, values: IntegrationValues): Promise<number> {
  const row = await db
    .insertInto('integration')
    .values({ ...toRow(values), project_id: projectId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateIntegration(
  db: Db,
  projectId: number,
  id: number,
  values: IntegrationValues,
): Promise<void> {
  await db
    .updateTable('integration')
    .set(toRow(values))
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .execute();
}

export async function deleteIntegration(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('integration').where('id', '=', id).where('project_id', '=', projectId).execute();
}

/** Aliases of one integration, or those of the project itself. */
export function listAliases(
  db: Db,
  projectId: number,
  integrationId: number | null,
): Promise<{ id: number; alias: string }[]> {
  return db
    .selectFrom('integration_alias')
    .select(['id', 'alias'])
    .where('project_id', '=', projectId)
    .where('integration_id', integrationId === null ? 'is' : '=', integrationId)
    .orderBy('id')
    .execute();
}

/** @throws the database's error where the text is taken */
export async function insertAlias(
  db: Db,
  projectId: number,
  integrationId: number | null,
  alias: string,
): Promise<number> {
  const row = await db
    .insertInto('integration_alias')
    .values({ project_id: projectId, integration_id: integrationId, alias })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** @returns whether there was one */
export async function deleteAlias(
  db: Db,
  projectId: number,
  integrationId: number | null,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('integration_alias')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('integration_id', integrationId === null ? 'is' : '=', integrationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Where a matcher or a value is. */
export type PartPlace = { readonly projectId: number; readonly integrationId: number; readonly id: number };
type Parent = Omit<PartPlace, 'id'>;
type MatcherValues = Omit<Insertable<IntegrationMatcherTable>, 'id' | 'project_id' | 'integration_id'>;
type ValueValues = Omit<Insertable<IntegrationValueTable>, 'id' | 'project_id' | 'integration_id'>;

function selectMatchers(db: Db, { projectId, integrationId }: Parent) {
  return db
    .selectFrom('integration_matcher')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('integration_id', '=', integrationId);
}

export function listMatchers(db: Db, parent: Parent): Promise<Matcher[]> {
  return selectMatchers(db, parent).orderBy('id').execute();
}

export function findMatcher(db: Db, place: PartPlace): Promise<Matcher | undefined> {
  return selectMatchers(db, place).where('id', '=', place.id).executeTakeFirst();
}

export function insertMatcher(db: Db, { projectId, integrationId }: Parent, values: MatcherValues): Promise<Matcher> {
  return db
    .insertInto('integration_matcher')
    .values({ ...values, project_id: projectId, integration_id: integrationId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateMatcher(db: Db, place: PartPlace, values: MatcherValues): Promise<void> {
  await db
    .updateTable('integration_matcher')
    .set(values)
    .where('id', '=', place.id)
    .where('project_id', '=', place.projectId)
    .where('integration_id', '=', place.integrationId)
    .execute();
}

function selectValues(db: Db, { projectId, integrationId }: Parent) {
  return db
    .selectFrom('integration_value')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('integration_id', '=', integrationId);
}

export function listValues(db: Db, parent: Parent, sort: SortRequest): Promise<ExtractedValue[]> {
  return selectValues(db, parent)
    .orderBy(orderBy(sort, 'integration_value', ['name']))
    .execute();
}

export function findValue(db: Db, place: PartPlace): Promise<ExtractedValue | undefined> {
  return selectValues(db, place).where('id', '=', place.id).executeTakeFirst();
}

export function insertValue(
  db: Db,
  { projectId, integrationId }: Parent,
  values: ValueValues,
): Promise<ExtractedValue> {
  return db
    .insertInto('integration_value')
    .values({ ...values, project_id: projectId, integration_id: integrationId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateValue(db: Db, place: PartPlace, values: ValueValues): Promise<void> {
  await db
    .updateTable('integration_value')
    .set(values)
    .where('id', '=', place.id)
    .where('project_id', '=', place.projectId)
    .where('integration_id', '=', place.integrationId)
    .execute();
}

export async function deletePart(
  db: Db,
  table: 'integration_matcher' | 'integration_value',
  place: PartPlace,
): Promise<void> {
  await db
    .deleteFrom(table)
    .where('id', '=', place.id)
    .where('project_id', '=', place.projectId)
    .where('integration_id', '=', place.integrationId)
    .execute();
}
