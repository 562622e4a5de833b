import type { View, ViewChange, ViewInput, ViewPositions } from '@signalbox/contract/views';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requireSameIds } from '../references/references.ts';
import { deleteView, findLastPosition, findView, insertView, updateView } from './queries.ts';

export async function requireView(db: Db, projectId: number, id: number): Promise<View> {
  const view = await findView(db, projectId, id);
  if (view === undefined) throw noView();
  return view;
}

const noView = (): AppError => new AppError('not_found', 'There is no such view in this project');

export function createView(database: Database, actor: Actor, projectId: number, input: ViewInput): Promise<View> {
  requireSameIds({ projectId }, input);
  return database.transact(async (db) => {
    const position = input.position ?? ((await findLastPosition(db, projectId)) ?? -1) + 1;
    const view = await insertView(db, projectId, { title: input.title, position });
    await recordChange(db, actor, view, 'created');
    return view;
  });
}

export type ViewPlace = { projectId: number; id: number };

export async function changeView(
  database: Database,
  actor: Actor,
  place: ViewPlace,
  change: ViewChange,
): Promise<void> {
  requireSameIds(place, change);
  const { title, position } = change;
  await database.transact(async (db) => {
    const stored = await requireView(db, place.projectId, place.id);
    await updateView(db, place.projectId, place.id, { title, ...(position === undefined ? {} : { position }) });
    await recordChange(db, actor, { ...stored, title }, 'updated');
  });
}

/** All of them, or none where one is not in the project. */
export async function arrangeViews(
  database: Database,
  actor: Actor,
  projectId: number,
  positions: ViewPositions,
): Promise<void> {
  // In the order of ids: two requests that come at once wait for each other instead of getting in a knot.
  const moves = Object.entries(positions)
    .map(([id, position]) => ({ id: Number(id), position }))
    .toSorted((one, other) => one.id - other.id);
  await database.transact(async (db) => {
    for (const { id, position } of moves) {
      if (!(await updateView(db, projectId, id, { position }))) throw noView();
    }
    if (moves.length === 0) return;
    await recordEvent(db, actor, {
      projectId,
      objectType: 'view',
      objectId: null,
      objectName: '',
      description: 'Views reordered',
    });
  });
}

export async function removeView(database: Database, actor: Actor, { projectId, id }: ViewPlace): Promise<void> {
  await database.transact(async (db) => {
    const view = await requireView(db, projectId, id);
    await deleteView(db, projectId, id);
    await recordChange(db, actor, view, 'deleted');
  });
}

async function recordChange(db: Db, actor: Actor, view: View, verb: 'created' | 'updated' | 'deleted'): Promise<void> {
  await recordEvent(db, actor, {
    projectId: view.project_id,
    objectType: 'view',
    objectId: view.id,
    objectName: view.title,
    description: `View ${view.title} ${verb}`,
  });
}
