import type { CreatedRunner, Runner, RunnerChange, RunnerInput } from '@signalbox/contract/runners';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { onlineMs } from '../../engine/runner-facts.ts';
import { AppError } from '../../errors.ts';
import { requireSameIds } from '../references/references.ts';
import {
  deleteInstances,
  findRunner,
  insertRunner,
  listHeldTasks,
  listRunners,
  type RunnerScope,
  type RunnerSettings,
  retireRunner,
  updateRunner,
} from './queries.ts';
import { createProof } from './runner-proof.ts';

/** What of the installation decides about runners. */
export type RunnerRules = {
  readonly useRemoteRunner: boolean;
  readonly projectRunners: boolean;
  /** The time on which all servers agree. */
  now(): number;
  /** Tasks that wait may start now, or not any more. */
  wakeQueue(): void;
};

export type RunnerPlace = RunnerScope & { readonly id: number };

const defaultLostAfter = 300;

export function listRegistered(db: Db, rules: RunnerRules, scope: RunnerScope): Promise<Runner[]> {
  return listRunners(db, scope, rules.now() - onlineMs);
}

/** @throws AppError not_found, also for a runner that is not of the project of the place */
export async function requireRunner(db: Db, rules: RunnerRules, { id, ...scope }: RunnerPlace): Promise<Runner> {
  const runner = await findRunner(db, scope, id, rules.now() - onlineMs);
  if (runner === undefined) throw noRunner();
  return runner;
}

export async function createRunner(
  database: Database,
  rules: RunnerRules,
  actor: Actor,
  scope: RunnerScope,
  input: RunnerInput,
): Promise<CreatedRunner> {
  const projectId = scope.projectId ?? null;
  refuseSwitchedOff(rules, projectId);
  refuseOtherProject(projectId, input.project_id);
  const { shown, stored } = createProof();
  const settings: RunnerSettings = {
    name: input.name,
    tag: readTag(input.tag, projectId),
    webhook: input.webhook ?? '',
    max_parallel_tasks: input.max_parallel_tasks ?? 0,
    active: input.active ?? false,
    lost_after_seconds: input.lost_after_seconds ?? defaultLostAfter,
  };
  const runner = await database.transact(async (db) => {
    const id = await insertRunner(db, { ...settings, ...stored, project_id: projectId, created: Date.now() });
    const created = await requireRunner(db, rules, { ...scope, id });
    await recordChange(db, actor, created, 'created');
    return created;
  });
  return { ...runner, ...shown };
}

export async function changeRunner(
  database: Database,
  rules: RunnerRules,
  actor: Actor,
  place: RunnerPlace,
  change: RunnerChange,
): Promise<void> {
  await database.transact(async (db) => {
    const stored = await requireRunner(db, rules, place);
    refuseSwitchedOff(rules, stored.project_id);
    requireSameIds({ projectId: stored.project_id ?? 0, id: stored.id }, { id: change.id });
    refuseOtherProject(stored.project_id, change.project_id);
    const isThere = await updateRunner(db, place, stored.id, {
      name: change.name,
      tag: readTag(change.tag === undefined ? stored.tag : change.tag, stored.project_id),
      webhook: change.webhook === undefined ? stored.webhook : (change.webhook ?? ''),
      max_parallel_tasks:
        change.max_parallel_tasks === undefined ? stored.max_parallel_tasks : (change.max_parallel_tasks ?? 0),
      active: change.active ?? stored.active,
      lost_after_seconds: change.lost_after_seconds ?? stored.lost_after_seconds,
    });
    if (!isThere) throw noRunner();
    await recordChange(db, actor, { ...stored, name: change.name }, 'updated');
  });
  rules.wakeQueue();
}

export async function switchRunner(
  database: Database,
  rules: RunnerRules,
  actor: Actor,
  place: RunnerPlace,
  active: boolean,
): Promise<void> {
  await database.transact(async (db) => {
    const stored = await requireRunner(db, rules, place);
    if (active) refuseSwitchedOff(rules, stored.project_id);
    if (!(await updateRunner(db, place, stored.id, { active }))) throw noRunner();
    await recordChange(db, actor, stored, active ? 'switched on' : 'switched off');
  });
  rules.wakeQueue();
}

/**
 * A runner with tasks in hand is not deleted: their ends would be refused with its token. Whoever wants to be rid of one that
 * is dead stops its tasks with force first.
 */
export async function removeRunner(
  database: Database,
  rules: RunnerRules,
  actor: Actor,
  place: RunnerPlace,
): Promise<void> {
  await database.transact(async (db) => {
    const stored = await requireRunner(db, rules, place);
    if (!(await retireRunner(db, place, stored.id, rules.now()))) throw noRunner();
    const tasks = await listHeldTasks(db, stored.id);
    if (tasks.length > 0) throw stillBusy(tasks);
    await deleteInstances(db, stored.id);
    await recordChange(db, actor, stored, 'deleted');
  });
  rules.wakeQueue();
}

export const noRunner = (): AppError => new AppError('not_found', 'There is no such runner');

export function stillBusy(tasks: readonly number[]): AppError {
  const shown = tasks.slice(0, 5).map((id) => `#${id}`);
  const names = tasks.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ');
  return new AppError('conflict', `The runner has tasks in hand: ${names}`, { tasks });
}

export function refuseSwitchedOff({ useRemoteRunner, projectRunners }: RunnerRules, projectId: number | null): void {
  if (!useRemoteRunner) throw new AppError('forbidden', 'This server uses no other runner than its own');
  if (projectId === null || projectRunners) return;
  throw new AppError('forbidden', 'Projects have no runners of their own on this server');
}

/** A runner belongs to the place where it was created. */
function refuseOtherProject(projectId: number | null, said: number | null | undefined): void {
  if (said === undefined || said === projectId) return;
  const message = projectId === null ? 'must be null: this runner serves all projects' : 'is not the one of the runner';
  throw new AppError('invalid', `project_id ${message}`, [{ path: 'project_id', message }]);
}

/** Runners of a project have a tag, so that no task runs on one by accident. */
export function readTag(said: string | null | undefined, projectId: number | null): string | null {
  const tag = said || null;
  if (tag !== null || projectId === null) return tag;
  throw new AppError('invalid', 'tag is required', [{ path: 'tag', message: 'is required' }]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  { id, name, project_id }: Pick<Runner, 'id' | 'name' | 'project_id'>,
  what: string,
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: project_id,
    objectType: 'runner',
    objectId: id,
    objectName: name,
    description: `Runner ${name} ${what}`,
  });
}
