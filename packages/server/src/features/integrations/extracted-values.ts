import type { ExtractedValue, ExtractedValueChange, ExtractedValueInput } from '@signalbox/contract/integration-values';
import { findValueProblem } from '@signalbox/contract/integration-values';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import type { SortRequest } from '../../sorting.ts';
import { requireIntegration } from './integrations.ts';
import { requirePartIds } from './part-ids.ts';
import { deletePart, findValue, insertValue, listValues, type PartPlace, updateValue } from './queries.ts';

type Parent = Omit<PartPlace, 'id'>;

export async function listOwnValues(db: Db, parent: Parent, sort: SortRequest): Promise<ExtractedValue[]> {
  await requireIntegration(db, parent.projectId, parent.integrationId);
  return listValues(db, parent, sort);
}

/** @throws AppError not_found, also for a value of another integration */
export async function requireValue(db: Db, place: PartPlace): Promise<ExtractedValue> {
  const value = await findValue(db, place);
  if (value === undefined) throw new AppError('not_found', 'There is no such extracted value in this integration');
  return value;
}

export function createValue(
  database: Database,
  actor: Actor,
  parent: Parent,
  input: ExtractedValueInput,
): Promise<ExtractedValue> {
  requirePartIds(parent, input);
  return database.transact(async (db) => {
    await requireIntegration(db, parent.projectId, parent.integrationId);
    const value = await insertValue(db, parent, toValues(input));
    await recordChange(db, actor, parent, value, 'created');
    return value;
  });
}

/** Only what is sent changes; what comes of it must be whole. */
export async function changeValue(
  database: Database,
  actor: Actor,
  place: PartPlace,
  change: ExtractedValueChange,
): Promise<void> {
  requirePartIds(place, change);
  await database.transact(async (db) => {
    const values = mergeValue(await requireValue(db, place), change);
    const problem = findValueProblem(values);
    if (problem !== undefined) throw new AppError('invalid', `${problem.path} ${problem.message}`, [problem]);
    await updateValue(db, place, toValues(values));
    await recordChange(db, actor, place, { id: place.id, name: values.name }, 'updated');
  });
}

export async function removeValue(database: Database, actor: Actor, place: PartPlace): Promise<void> {
  await database.transact(async (db) => {
    const value = await requireValue(db, place);
    await deletePart(db, 'integration_value', place);
    await recordChange(db, actor, place, value, 'deleted');
  });
}

function mergeValue(stored: ExtractedValue, change: ExtractedValueChange): ExtractedValueInput {
  return {
    name: change.name ?? stored.name,
    value_source: change.value_source ?? stored.value_source,
    body_data_type: change.body_data_type === undefined ? stored.body_data_type : change.body_data_type,
    key: change.key === undefined ? stored.key : change.key,
    variable: change.variable ?? stored.variable,
  };
}

const toValues = ({ name, value_source, body_data_type, key, variable }: ExtractedValueInput) => ({
  name,
  value_source,
  // Says nothing of a header.
  body_data_type: body_data_type || ('string' as const),
  key: key ?? '',
  variable,
});

async function recordChange(
  db: Db,
  actor: Actor,
  { projectId }: Parent,
  { id, name }: { id: number; name: string },
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'integrationextractvalue',
    objectId: id,
    objectName: name,
    description: `Integration Extract Value ${name} ${verb}`,
  });
}
