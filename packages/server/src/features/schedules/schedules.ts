import type {
  CronPreview,
  Schedule,
  ScheduleChange,
  ScheduleInput,
  ScheduleParams,
} from '@signalbox/contract/schedules';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { listFires, nextFire } from '../../engine/next-fire.ts';
import { AppError } from '../../errors.ts';
import { requireOwn, requireSameIds } from '../references/references.ts';
import { requireTemplate } from '../templates/templates.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  type ScheduleValues,
  type StoredSchedule,
  toSchedule,
  updateSchedule,
} from './queries.ts';

/** What schedules need to know of time: on all servers of one database the same. */
export type ScheduleClock = {
  now(): number;
  /** Of schedules that name none. */
  readonly timezone: string;
  /** Told after a change, so that it counts at once. */
  onChange(): void;
};

const previewCount = 5;
const commitCheckName = 'Check for new commits';

export async function requireSchedule(db: Db, projectId: number, id: number): Promise<Schedule> {
  return toSchedule(await requireStored(db, { projectId, id }));
}

async function requireStored(db: Db, { projectId, id }: SchedulePlace): Promise<StoredSchedule> {
  const schedule = await findSchedule(db, projectId, id);
  if (schedule === undefined) throw noSchedule();
  return schedule;
}

async function takeStored(db: Db, place: SchedulePlace): Promise<StoredSchedule> {
  if (!(await lockSchedule(db, place.projectId, place.id))) throw noSchedule();
  return requireStored(db, place);
}

const noSchedule = (): AppError => new AppError('not_found', 'There is no such schedule in this project');

export async function createSchedule(
  database: Database,
  clock: ScheduleClock,
  actor: Actor,
  projectId: number,
  input: ScheduleInput,
): Promise<Schedule> {
  requireSameIds({ projectId }, input);
  const values = {
    template_id: input.template_id,
    name: input.name || commitCheckName,
    cron_format: input.cron_format,
    timezone: input.timezone || clock.timezone,
    active: input.active ?? false,
    repository_id: input.repository_id ?? null,
    params: input.params ?? null,
  };
  const schedule = await database.transact(async (db) => {
    await checkSchedule(db, projectId, values);
    const id = await insertSchedule(db, projectId, { ...values, next_fire: findNext(values, clock.now()) });
    await recordChange(db, actor, { projectId, id }, values.name, 'created');
    return requireSchedule(db, projectId, id);
  });
  clock.onChange();
  return schedule;
}

export type SchedulePlace = { readonly projectId: number; readonly id: number };

export async function changeSchedule(
  database: Database,
  clock: ScheduleClock,
  actor: Actor,
  place: SchedulePlace,
  change: ScheduleChange,
): Promise<void> {
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const stored = await takeStored(db, place);
    const values = {
      template_id: change.template_id,
      name: change.name || stored.name,
      cron_format: change.cron_format,
      timezone: change.timezone || stored.timezone,
      active: change.active ?? stored.active,
      repository_id: keep(change.repository_id, stored.repository_id),
      params: keep(change.params, stored.params),
    };
    await checkSchedule(db, place.projectId, values);
    await store(db, clock, stored, values);
    await recordChange(db, actor, place, values.name, 'updated');
  });
  clock.onChange();
}

const keep = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given);

export async function setScheduleActive(
  database: Database,
  clock: ScheduleClock,
  actor: Actor,
  place: SchedulePlace,
  active: boolean,
): Promise<void> {
  await database.transact(async (db) => {
    const stored = await takeStored(db, place);
    await store(db, clock, stored, { ...stored, active });
    await recordChange(db, actor, place, stored.name, active ? 'switched on' : 'switched off');
  });
  clock.onChange();
}

type Settings = Omit<ScheduleValues, 'next_fire'>;

/** The next time stays what it was where nothing changed that it follows from: a new name starts no distance anew. */
async function store(db: Db, clock: ScheduleClock, stored: StoredSchedule, settings: Settings): Promise<void> {
  const { template_id, name, cron_format, timezone, active, repository_id, params } = settings;
  const isSameTime = stored.cron_format === cron_format && stored.timezone === timezone && stored.active === active;
  const next_fire = isSameTime ? stored.next_fire : findNext(settings, clock.now());
  const values = { template_id, name, cron_format, timezone, active, repository_id, params, next_fire };
  const place = { projectId: stored.project_id, id: stored.id };
  await updateSchedule(db, place, values, stored.repository_id !== repository_id);
}

function findNext({ active, cron_format, timezone }: Settings, now: number): number | null {
  return active ? (nextFire(cron_format, timezone, now) ?? null) : null;
}

export async function removeSchedule(database: Database, actor: Actor, place: SchedulePlace): Promise<void> {
  await database.transact(async (db) => {
    const { name } = await takeStored(db, place);
    await deleteSchedule(db, place.projectId, place.id);
    await recordChange(db, actor, place, name, 'deleted');
  });
}

/** The cron text itself was checked by the contract. */
export function previewCron(
  clock: ScheduleClock,
  check: { cron_format: string; timezone?: string | undefined },
): CronPreview {
  const times = listFires(check.cron_format, check.timezone || clock.timezone, clock.now(), previewCount);
  return { next_runs: times.map((time) => new Date(time).toISOString()) };
}

async function checkSchedule(
  db: Db,
  projectId: number,
  { template_id, repository_id, params }: Pick<Settings, 'template_id' | 'repository_id' | 'params'>,
): Promise<void> {
  await requireOwn(db, projectId, [
    { field: 'template_id', table: 'template', id: template_id },
    { field: 'repository_id', table: 'repository', id: repository_id },
    { field: 'params.inventory_id', table: 'inventory', id: params?.inventory_id },
  ]);
  if (params?.environment) await refuseSecretAnswers(db, { projectId, id: template_id }, params);
}

/** What a schedule holds is read by every member, so the answer to a secret question has no place in it. */
async function refuseSecretAnswers(db: Db, { projectId, id }: SchedulePlace, params: ScheduleParams): Promise<void> {
  const given = JSON.parse(params.environment || '{}') as object;
  const { survey_vars } = await requireTemplate(db, projectId, id);
  const secret = survey_vars.find(({ name, type }) => type === 'secret' && Object.hasOwn(given, name));
  if (secret === undefined) return;
  const message = `answers "${secret.title}", which is secret: a schedule cannot keep it`;
  throw new AppError('invalid', `params.environment ${message}`, [{ path: 'params.environment', message }]);
}

async function recordChange(
  db: Db,
  actor: Actor,
  { projectId, id }: SchedulePlace,
  name: string,
  verb: 'created' | 'updated' | 'deleted' | 'switched on' | 'switched off',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'schedule',
    objectId: id,
    objectName: name,
    description: `Schedule ${name} ${verb}`,
  });
}
