import type { Matcher, MatcherInput } from '@signalbox/contract/integration-matchers';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requireIntegration } from './integrations.ts';
import { requirePartIds } from './part-ids.ts';
import { deletePart, findMatcher, insertMatcher, listMatchers, type PartPlace, updateMatcher } from './queries.ts';

type Parent = Omit<PartPlace, 'id'>;

export async function listOwnMatchers(db: Db, parent: Parent): Promise<Matcher[]> {
  await requireIntegration(db, parent.projectId, parent.integrationId);
  return listMatchers(db, parent);
}

/** @throws AppError not_found, also for a matcher of another integration */
export async function requireMatcher(db: Db, place: PartPlace): Promise<Matcher> {
  const matcher = await findMatcher(db, place);
  if (matcher === undefined) throw new AppError('not_found', 'There is no such matcher in this integration');
  return matcher;
}

export function createMatcher(database: Database, actor: Actor, parent: Parent, input: MatcherInput): Promise<Matcher> {
  requirePartIds(parent, input);
  return database.transact(async (db) => {
    await requireIntegration(db, parent.projectId, parent.integrationId);
    const matcher = await insertMatcher(db, parent, toValues(input));
    await recordChange(db, actor, parent, matcher, 'created');
    return matcher;
  });
}

export async function changeMatcher(
  database: Database,
  actor: Actor,
  place: PartPlace,
  input: MatcherInput,
): Promise<void> {
  requirePartIds(place, input);
  await database.transact(async (db) => {
    await requireMatcher(db, place);
    await updateMatcher(db, place, toValues(input));
    await recordChange(db, actor, place, { id: place.id, name: input.name }, 'updated');
  });
}

export async function removeMatcher(database: Database, actor: Actor, place: PartPlace): Promise<void> {
  await database.transact(async (db) => {
    const matcher = await requireMatcher(db, place);
    await deletePart(db, 'integration_matcher', place);
    await recordChange(db, actor, place, matcher, 'deleted');
  });
}

const toValues = ({ name, match_type, method, body_data_type, key, value }: MatcherInput) => ({
  name,
  match_type,
  method,
  // Says nothing of a header.
  body_data_type: body_data_type || ('string' as const),
  key,
  value,
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
    objectType: 'integrationmatcher',
    objectId: id,
    objectName: name,
    description: `Integration Matcher ${name} ${verb}`,
  });
}
