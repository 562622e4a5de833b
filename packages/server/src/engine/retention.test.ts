import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertTask, insertTemplate } from '../test/rows.ts';
import { TestClock } from '../test/start-engine-server.ts';
import { deleteRetiredLogs } from './log-store.ts';
import { Retention, type RetentionSettings } from './retention.ts';

const day = 86_400_000;

let opened: TestDatabase;
let clock: TestClock;
let project_id: number;
let template_id: number;
beforeEach(async () => {
  opened = await openTestDatabase();
  clock = new TestClock();
  project_id = await opened.database.transact((db) => insertProject(db));
  template_id = await aTemplate();
}, 60_000);
afterEach(() => opened.remove());

const aTemplate = (change: object = {}) =>
  opened.database.transact((db) => insertTemplate(db, { project_id, ...change }));

type TaskChange = Partial<Parameters<typeof insertTask>[1]>;

/** As a launch does: with the count and the link of its template. @param days how old it is */
async function aTask(days: number, change: TaskChange = {}): Promise<number> {
  const row = { project_id, template_id, status: 'success', created: clock.now() - days * day, ...change } as const;
  return await opened.database.transact(async (db) => {
    const id = await insertTask(db, row);
    await db
      .updateTable('template')
      .set((eb) => ({ task_count: eb('task_count', '+', 1), last_task_id: id }))
      .where('id', '=', row.template_id)
      .execute();
    return id;
  });
}

async function sweep(change: Partial<RetentionSettings>): Promise<void> {
  const logged: string[] = [];
  const log = createLogger((line) => logged.push(line));
  const settings = { tasksPerTemplate: 0, taskDays: 0, eventDays: 0, ...change };
  const retention = new Retention({ database: opened.database, log, clock, settings });
  await retention.sweep();
  await retention.stop();
  expect(logged).toEqual([]);
}

async function listIds(): Promise<number[]> {
  const rows = await opened.database.read.selectFrom('task').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

const readTemplate = (id = template_id) =>
  opened.database.read
    .selectFrom('template')
    .select(['task_count', 'last_task_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('by number', () => {
  test('the oldest tasks of each template go, the newest stay, and the template counts them', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 7; count += 1) ids.push(await aTask(0));
    const other = await aTemplate();
    const others = [await aTask(0, { template_id: other }), await aTask(0, { template_id: other })];
    await sweep({ tasksPerTemplate: 3 });
    expect(await listIds()).toEqual([...ids.slice(4), ...others]);
    expect(await readTemplate()).toEqual({ task_count: 3, last_task_id: ids.at(-1) });
    expect(await readTemplate(other)).toEqual({ task_count: 2, last_task_id: others[1] });
  });

  test('a task that has not ended never goes, however old', async () => {
    const statuses = [
      'waiting',
      'starting',
      'running',
      'waiting_confirmation',
      'confirmed',
      'rejected',
      'stopping',
    ] as const;
    const kept: number[] = [];
    for (const status of statuses) kept.push(await aTask(500, { status, parallel: true }));
    for (const status of ['success', 'error', 'stopped'] as const) await aTask(400, { status });
    const newest = await aTask(0);
    await sweep({ tasksPerTemplate: 1 });
    await sweep({ taskDays: 1 });
    expect(await listIds()).toEqual([...kept, newest]);
    expect(await readTemplate()).toMatchObject({ task_count: kept.length + 1 });
  });

  test('0 keeps everything', async () => {
    const ids = [await aTask(5000), await aTask(4000), await aTask(0)];
    await sweep({});
    expect(await listIds()).toEqual(ids);
  });
});

describe('by age', () => {
  test('what was launched before goes, what was launched later stays', async () => {
    await aTask(31);
    await aTask(30.01);
    const kept = [await aTask(29.99), await aTask(1)];
    await sweep({ taskDays: 30 });
    expect(await listIds()).toEqual(kept);
    expect(await readTemplate()).toEqual({ task_count: 2, last_task_id: kept[1] });
  });

  test('the newest task of a template stays, and so does the newest build and one that is to be deployed', async () => {
    await aTask(300);
    const newest = await aTask(200, { status: 'error' });
    const build = await aTemplate({ type: 'build' });
    const deploy = await aTemplate({ type: 'deploy', build_template_id: build });
    const wanted = await aTask(250, { template_id: build, version: '1' });
    await aTask(240, { template_id: build, version: '2' });
    const lastGood = await aTask(230, { template_id: build, version: '3' });
    const failed = await aTask(220, { template_id: build, version: '4', status: 'error' });
    const pending = await aTask(0, { template_id: deploy, build_task_id: wanted, status: 'waiting' });
    await sweep({ taskDays: 30, tasksPerTemplate: 1 });
    expect(await listIds()).toEqual([newest, wanted, lastGood, failed, pending].sort((a, b) => a - b));
  });

  test('statistics stay, logs go with their tasks', async () => {
    const gone = await aTask(100);
    const kept = await aTask(0);
    const count = { project_id, template_id, user_id: 0, bucket: 1, status: 'success', count: 2 } as const;
    await opened.database.transact((db) => db.insertInto('task_count').values(count).execute());
    const chunk = { first_line: 1, line_count: 1, byte_count: 1, crc: 0, time: 0, gap: null, data: new Uint8Array() };
    await opened.database.logs.transact((db) =>
      db
        .insertInto('log_chunk')
        .values([gone, kept].map((task_id) => ({ ...chunk, task_id })))
        .execute(),
    );
    await sweep({ taskDays: 30 });
    while ((await deleteRetiredLogs(opened.database)) > 0);
    const logs = await opened.database.logs.read.selectFrom('log_chunk').select('task_id').execute();
    expect(logs).toEqual([{ task_id: kept }]);
    expect(await opened.database.read.selectFrom('task_count').selectAll().execute()).toEqual([count]);
  });

  test('lines of the activity list go, also in numbers', async () => {
    const line = { project_id, user_id: null, integration_id: null, object_type: 'task', object_id: 1, address: '' };
    const rows = Array.from({ length: 1300 }, (_, at) => ({
      ...line,
      created: clock.now() - (at < 1250 ? 40 : 20) * day,
      object_name: '',
      description: `${at}`,
    }));
    await opened.database.transact((db) => db.insertInto('event').values(rows).execute());
    await sweep({ eventDays: 30 });
    const left = await opened.database.read.selectFrom('event').select('description').orderBy('id').execute();
    expect(left.map(({ description }) => Number(description))).toEqual(
      Array.from({ length: 50 }, (_, at) => 1250 + at),
    );
  });
});

describe('a clock that leaps ahead', () => {
  async function sweepAt(now: number): Promise<string[]> {
    clock.advance(now - clock.now());
    const logged: string[] = [];
    const log = createLogger((line) => logged.push(line));
    const settings = { tasksPerTemplate: 0, taskDays: 30, eventDays: 0 };
    const retention = new Retention({ database: opened.database, log, clock, settings });
    await retention.sweep();
    await retention.stop();
    return logged;
  }

  test('deletes nothing for its age, and nothing when it is right again', async () => {
    const start = clock.now();
    const ids = [await aTask(20), await aTask(10), await aTask(1)];
    const old = await aTask(31);
    await aTask(0);
    expect(await sweepAt(start)).toEqual([]);
    expect(await listIds()).not.toContain(old);
    const leapt = await sweepAt(start + 3650 * day);
    expect(leapt.join('')).toContain('"days":3650');
    expect(await sweepAt(start + 3650 * day + day / 2)).toEqual([]);
    expect(await sweepAt(start + day / 2)).toEqual([]);
    expect(await listIds()).toEqual(expect.arrayContaining(ids));
    // Nor when it leaps once more: the doubt begins anew.
    expect(await sweepAt(start + 4000 * day)).toHaveLength(1);
    expect(await listIds()).toEqual(expect.arrayContaining(ids));
  });

  test('is believed after a day, as after a long time without a server', async () => {
    const start = clock.now();
    const ids = [await aTask(20), await aTask(1)];
    await sweepAt(start);
    await sweepAt(start + 40 * day);
    expect(await listIds()).toEqual(ids);
    await sweepAt(start + 41 * day);
    expect(await listIds()).toEqual(ids.slice(1));
  });
});

test('20,000 tasks go without holding the event loop, and whoever writes meanwhile is served', async () => {
  await insertMany(20_000);
  const settings = { tasksPerTemplate: 10, taskDays: 0, eventDays: 0 };
  const retention = new Retention({ database: opened.database, log: createLogger(() => undefined), clock, settings });
  let isRunning = true;
  let longest = 0;
  let writes = 0;
  const write = async () => {
    while (isRunning) {
      const before = performance.now();
      await opened.database.transact((db) =>
        db
          .insertInto('option')
          .values({ key: `${writes}`, value: '' })
          .execute(),
      );
      longest = Math.max(longest, performance.now() - before);
      writes += 1;
      await wait(5);
    }
  };
  const writing = write();
  await retention.sweep();
  isRunning = false;
  await writing;
  expect(await listIds()).toHaveLength(10);
  expect(await readTemplate()).toMatchObject({ task_count: 10 });
  expect(longest).toBeLessThan(1000);
  await retention.stop();
}, 120_000);

async function insertMany(count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await opened.database.transact(async (db) => {
      const id = await insertTask(db, { project_id, template_id, status: 'success', created: done });
      const { id: _id, ...row } = await db
        .selectFrom('task')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await db
        .insertInto('task')
        .values(Array.from({ length: 499 }, () => row))
        .execute();
    });
  }
  await opened.database.transact((db) =>
    db.updateTable('template').set({ task_count: count }).where('id', '=', template_id).execute(),
  );
}
