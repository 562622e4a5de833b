import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { aSchedule, changeSchedule, listTasks, reach } from '../test/schedule-world.ts';
import { type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';
import { takeSteps } from './task-steps.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
}, 60_000);

/** Two servers on one PostgreSQL; the embedded database has only one. */
async function startTwo(clocks: [TestClock, TestClock] | undefined) {
  const opened = await openTestDatabase('postgres');
  const other = await openDatabase(opened.settings);
  const start = (database: TestDatabase, clock: TestClock | undefined) =>
    startEngineServer({ database, ...(clock === undefined ? {} : { clock }) });
  const first = await start(opened, clocks?.[0]);
  const second = await start({ ...opened, database: other, remove: async () => other.close() }, clocks?.[1]);
  stops.push(
    () => first.stop(),
    () => second.stop(),
  );
  return { first, second, project: await aProject(first) };
}

async function aServer(): Promise<{ server: EngineServer; project: TestProject; opened: TestDatabase }> {
  const opened = await openTestDatabase();
  const server = await startEngineServer({ database: opened });
  return { server, project: await aProject(server), opened };
}

async function insertSchedules(
  { database }: EngineServer,
  { id: project_id }: TestProject,
  row: { template_id: number; cron_format: string; next_fire?: number },
  count: number,
): Promise<void> {
  const rest = {
    name: 'Many',
    timezone: 'UTC',
    active: true,
    repository_id: null,
    last_commit_hash: null,
    params: null,
  };
  const rows = Array.from({ length: count }, () => ({ next_fire: Date.now(), ...rest, ...row, project_id }));
  await database.transact((db) => db.insertInto('schedule').values(rows).execute());
}

async function listTicks(database: Database) {
  return await database.read
    .selectFrom('schedule_tick')
    .selectAll()
    .orderBy('schedule_id')
    .orderBy('nominal')
    .execute();
}

test('two servers whose clocks differ start one task for each tick of 200 schedules', async () => {
  const clocks: [TestClock, TestClock] = [new TestClock(), new TestClock()];
  const { first, second, project } = await startTwo(clocks);
  const template_id = await aTemplate(first, project, { allow_parallel_tasks: true });
  const start = Math.ceil(clocks[0].now() / 60_000) * 60_000;
  await insertSchedules(first, project, { template_id, cron_format: '* * * * *', next_fire: start }, 200);
  for (let minute = 0; minute < 3; minute += 1) {
    const time = start + minute * 60_000;
    // One is 30 s behind, and gets to the tick when the other one is at it, or long after it.
    await Promise.all([
      reach(first, clocks[0], time),
      reach(second, clocks[1], minute % 2 === 0 ? time : time - 30_000),
    ]);
    await reach(second, clocks[1], time + 1000);
    const waiting = await first.database.read.selectFrom('task').selectAll().where('status', '=', 'waiting').execute();
    expect(waiting).toHaveLength(200);
    expect(new Set(waiting.map((task) => task.schedule_id)).size).toBe(200);
    await endWaiting(first.database);
  }
  const ticks = await listTicks(first.database);
  expect(ticks).toHaveLength(600);
  expect(new Set(ticks.map((tick) => tick.task_id)).size).toBe(600);
  expect([...first.logged, ...second.logged].filter((line) => line.includes('could not'))).toEqual([]);
}, 120_000);

test('a change on one server counts at once on the other', async () => {
  const { first, second, project } = await startTwo(undefined);
  const template_id = await aTemplate(first, project);
  // Only the second one is left to fire it.
  const id = await aSchedule(first, project, { template_id, cron_format: '0 0 1 1 *' });
  await first.engine.endWork();
  const begun = Date.now();
  await changeSchedule(first, project, id, { cron_format: '@every 1s' });
  await expect.poll(async () => (await listTasks(second, id)).length, { timeout: 10_000 }).toBe(1);
  const [task] = await listTasks(second, id);
  // The sweep would come every five seconds.
  expect((task?.created ?? 0) - begun).toBeLessThan(4000);
}, 60_000);

test('a schedule fires by its own timer, without a sweep', async () => {
  const { server, project } = await aServer();
  stops.push(() => server.stop());
  const template_id = await aTemplate(server, project);
  const id = await aSchedule(server, project, { template_id, cron_format: '@every 1s' });
  await expect.poll(async () => (await listTasks(server, id)).length, { timeout: 4000 }).toBe(1);
});

const program = new URL('../test/ticking-server.ts', import.meta.url).pathname;

/** Runs a server until it is killed, after so many ticks. */
async function runAndKill({ settings }: TestDatabase, ticks: number): Promise<void> {
  const { dataDir, url, encryptionKey } = settings;
  const server = spawn(process.execPath, [program, dataDir, url ?? '', `${ticks}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SIGNALBOX_ENCRYPTION_KEY: encryptionKey },
  });
  expect(await once(server, 'exit')).toEqual([null, 'SIGKILL']);
}

/** Ends what waits; where it does, a schedule starts nothing. */
async function endWaiting(database: Database): Promise<void> {
  await database.transact(async (db) => {
    const waiting = await db.selectFrom('task').selectAll().where('status', '=', 'waiting').execute();
    const steps = waiting.map((task) => ({ task, event: 'stop' }) as const);
    await takeSteps(db, database.keyring, steps, 1);
  });
}

test('kill -9 between a tick and its task leaves neither or both, and the next server goes on', async () => {
  const { server, project, opened } = await aServer();
  const template_id = await aTemplate(server, project, { allow_parallel_tasks: true });
  const begun = Math.floor(Date.now() / 1000) * 1000;
  await insertSchedules(server, project, { template_id, cron_format: '@every 1s', next_fire: begun }, 100);
  await server.halt();
  await opened.database.close();
  // What was missed is due at once, so each of these kills is in the middle of the work.
  const counts: number[] = [];
  for (const ticks of [2, 20, 45]) {
    await runAndKill(opened, ticks);
    const database = await openDatabase(opened.settings);
    counts.push(await checkTicks(database, begun));
    await endWaiting(database);
    await database.close();
  }
  await opened.remove();
  expect(counts.at(-1)).toBeGreaterThanOrEqual(2 + 20 + 45);
}, 120_000);

/** A schedule that has moved on has a tick for it, and each tick a task of its own. @returns how many */
async function checkTicks(database: Database, begun: number): Promise<number> {
  const ticks = await listTicks(database);
  const tasks = await database.read.selectFrom('task').select('id').orderBy('id').execute();
  expect(ticks.map((tick) => tick.task_id).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(tasks.map(({ id }) => id));
  const rows = await database.read.selectFrom('schedule').select(['id', 'next_fire', 'last_fire']).execute();
  for (const { id, next_fire, last_fire } of rows) {
    const last = ticks.filter((tick) => tick.schedule_id === id).at(-1);
    expect(last?.nominal ?? null).toBe(last_fire);
    expect(next_fire).toBe(last_fire === null ? begun : last_fire + 1000);
  }
  return tasks.length;
}
