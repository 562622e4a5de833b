import { type Delivery, type DeliveryDetail, type DeliveryOutcome, Verdict } from '@signalbox/contract/deliveries';
import type { AuthMethod } from '@signalbox/contract/integrations';
import type { KeyType } from '@signalbox/contract/keys';
import { type Insertable, type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import type { IntegrationDeliveryTable } from '../../db/tables.ts';
import type { Extraction, Rule } from './matching.ts';

/** An integration with what is needed to know a sender and to launch its template. */
export type Candidate = {
  readonly id: number;
  readonly project_id: number;
  readonly name: string;
  readonly template_id: number;
  readonly auth_method: AuthMethod;
  readonly auth_header: string;
  readonly task_params: string | null;
  readonly survey_vars: string;
  readonly key_id: number | null;
  readonly key_type: KeyType | null;
  readonly key_secret: string | null;
};

function selectCandidates(db: Db) {
  return db
    .selectFrom('integration')
    .innerJoin('project', 'project.id', 'integration.project_id')
    .innerJoin('template', 'template.id', 'integration.template_id')
    .leftJoin('key', 'key.id', 'integration.auth_secret_id')
    .select([
      'integration.id',
      'integration.project_id',
      'integration.name',
      'integration.template_id',
      'integration.auth_method',
      'integration.auth_header',
      'integration.task_params',
      'template.survey_vars',
      'key.id as key_id',
      'key.type as key_type',
      'key.secret as key_secret',
    ])
    .where('project.deleted', 'is', null)
    .orderBy('integration.id');
}

/** Every searchable integration: of one project, or of all. */
export function listSearchable(db: Db, projectId: number | undefined): Promise<Candidate[]> {
  let query = selectCandidates(db).where('integration.searchable', '=', true);
  if (projectId !== undefined) query = query.where('integration.project_id', '=', projectId);
  return query.execute();
}

export function findCandidate(db: Db, projectId: number, id: number): Promise<Candidate | undefined> {
  return selectCandidates(db)
    .where('integration.project_id', '=', projectId)
    .where('integration.id', '=', id)
    .executeTakeFirst();
}

export type AliasTarget = { project_id: number; integration_id: number | null };

/** The one query that knows no project: the alias is what leads to it. */
export function findAlias(db: Db, alias: string): Promise<AliasTarget | undefined> {
  return db
    .selectFrom('integration_alias')
    .select(['project_id', 'integration_id'])
    .where('alias', '=', alias)
    .executeTakeFirst();
}

/** Keeps an integration from being deleted until the transaction ends. @returns whether it is still there */
export async function holdIntegration(db: Db, projectId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('integration')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** In the order in which they are looked at. */
export function listRules(db: Db, { id, project_id }: Candidate): Promise<Rule[]> {
  return db
    .selectFrom('integration_matcher')
    .select(['name', 'match_type', 'method', 'body_data_type', 'key', 'value'])
    .where('project_id', '=', project_id)
    .where('integration_id', '=', id)
    .orderBy('id')
    .execute();
}

/** In the order in which they are made: the last one of a variable wins. */
export function listExtractions(db: Db, { id, project_id }: Candidate): Promise<Extraction[]> {
  return db
    .selectFrom('integration_value')
    .select(['name', 'value_source', 'body_data_type', 'key', 'variable'])
    .where('project_id', '=', project_id)
    .where('integration_id', '=', id)
    .orderBy('id')
    .execute();
}

type DeliveryRow = Selectable<IntegrationDeliveryTable>;
const listed = ['id', 'project_id', 'integration_id', 'created', 'method', 'verdict', 'task_id'] as const;

function toDelivery({
  id,
  project_id,
  integration_id,
  created,
  method,
  verdict,
  task_id,
}: Pick<DeliveryRow, (typeof listed)[number]>): Delivery {
  return {
    id,
    project_id,
    integration_id,
    created: new Date(created).toISOString(),
    method: method === 'GET' ? 'GET' : 'POST',
    verdict: z.parse(Verdict, JSON.parse(verdict)),
    task_id,
  };
}

export type NewDelivery = Omit<Insertable<IntegrationDeliveryTable>, 'id' | 'verdict'> & { verdict: Verdict };

/** @throws the database's error where the same call of the sender has started a task already */
export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<Delivery> {
  const row = await db
    .insertInto('integration_delivery')
    .values({ ...delivery, verdict: JSON.stringify(delivery.verdict) })
    .returning([...listed])
    .executeTakeFirstOrThrow();
  return toDelivery(row);
}

type Place = { projectId: number; integrationId: number };
/** Without its index: the one of the integration is the better way to its deliveries, and SQLite cannot tell. */
const projectOfDelivery = sql<number>`+integration_delivery.project_id`;

/** The latest ones, older than `before`. */
export async function listDeliveries(
  db: Db,
  { projectId, integrationId }: Place,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Delivery[]> {
  let query = db
    .selectFrom('integration_delivery')
    .select([...listed])
    .where(projectOfDelivery, '=', projectId)
    .where('integration_id', '=', integrationId);
  if (before !== undefined) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toDelivery);
}

/** With the bytes of its body. */
export async function findDelivery(
  db: Db,
  { projectId, integrationId }: Place,
  id: number,
): Promise<{ detail: DeliveryDetail; body: Buffer } | undefined> {
  const row = await db
    .selectFrom('integration_delivery')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const body = Buffer.from(row.body);
  const headers = z.parse(z.record(z.string(), z.string()), JSON.parse(row.headers));
  return { detail: { ...toDelivery(row), headers, body: body.toString('utf8') }, body };
}

/** The delivery that has started a task under a claim. */
export function findClaim(
  db: Db,
  { project_id, id }: Candidate,
  claim: string,
): Promise<{ id: number; task_id: number | null } | undefined> {
  return db
    .selectFrom('integration_delivery')
    .select(['id', 'task_id'])
    .where('project_id', '=', project_id)
    .where('integration_id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst();
}

const started: DeliveryOutcome = 'started';

/**
 * Keeps so many of an integration that have started a task, and as many others: calls that come to nothing do not push
 * out the others.
 */
export async function pruneDeliveries(
  db: Db,
  { project_id, id }: Pick<Candidate, 'project_id' | 'id'>,
  outcome: DeliveryOutcome,
  kept: number,
): Promise<void> {
  const operator = outcome === started ? '=' : '!=';
  const last = await db
    .selectFrom('integration_delivery')
    .select('id')
    .where('integration_id', '=', id)
    .where('outcome', operator, started)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept - 1)
    .executeTakeFirst();
  if (last === undefined) return;
  await db
    .deleteFrom('integration_delivery')
    .where(projectOfDelivery, '=', project_id)
    .where('integration_id', '=', id)
    .where('outcome', operator, started)
    .where('id', '<', last.id)
    .execute();
}

/** Of all projects. @returns how many there were */
export async function deleteDeliveriesBefore(db: Db, time: number, most: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('integration_delivery')
    .where('id', 'in', (part) =>
      part.selectFrom('integration_delivery').select('id').where('created', '<', time).orderBy('created').limit(most),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
