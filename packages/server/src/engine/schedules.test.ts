import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { anEnvironment, anInventory, aProject, aTemplate, type TestProject } from '../test/factories.ts';
import {
  aSchedule,
  changeSchedule,
  endTasks,
  listEvents,
  listTasks,
  reach,
  readSchedule,
} from '../test/schedule-world.ts';
import { type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';

let clock: TestClock;
let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let templateId: number;

beforeEach(async () => {
  database = await openTestDatabase();
  clock = new TestClock();
  server = await startEngineServer({ clock, database });
  project = await aProject(server);
  templateId = await aTemplate(server, project);
  await reach(server, clock, '2027-01-10T00:00:30Z');
}, 60_000);
afterEach(() => server.stop());

const aNightly = (input: object = {}) =>
  aSchedule(server, project, { template_id: templateId, cron_format: '*/5 * * * *', ...input });
const at = (time: string) => reach(server, clock, time);
const createdAt = async (id: number) =>
  (await listTasks(server, id)).map((task) => new Date(task.created).toISOString().slice(0, 16));

describe('a schedule', () => {
  test('starts one task at each of its times and none in between, with its own id on it', async () => {
    const id = await aNightly();
    await at('2027-01-10T00:04:59Z');
    expect(await listTasks(server, id)).toEqual([]);
    for (const time of ['00:05:00', '00:05:01', '00:09:59', '00:10:03', '00:10:08']) {
      await at(`2027-01-10T${time}Z`);
      await endTasks(server);
    }
    expect(await listTasks(server, id)).toMatchObject([
      { template_id: templateId, user_id: null, schedule_id: id, status: 'stopped' },
      { template_id: templateId, user_id: null, schedule_id: id, status: 'stopped' },
    ]);
    expect(await readSchedule(server, project, id)).toMatchObject({
      last_run: '2027-01-10T00:10:00.000Z',
      next_run: '2027-01-10T00:15:00.000Z',
      problem: null,
    });
    expect(await listEvents(server, id)).toEqual([]);
  });

  test('gives its tasks what it holds, which wins over the template and its variable group', async () => {
    const inventory = await anInventory(server, project);
    templateId = await aTemplate(server, project, {
      environment_id: await anEnvironment(server, project),
      survey_vars: [{ name: 'stage', title: 'Stage', required: true }],
      task_params: { limit: ['all'], auto_approve: true },
    });
    const id = await aNightly({
      params: {
        message: 'By night',
        environment: '{"stage":"test","extra":1}',
        params: { limit: 'web', dry_run: true },
        inventory_id: inventory,
        git_branch: 'next',
      },
    });
    await at('2027-01-10T00:05:00Z');
    const [task] = await listTasks(server, id);
    expect(task).toMatchObject({ message: 'By night', inventory_id: inventory, git_branch: 'next' });
    expect(JSON.parse(task?.environment ?? '')).toEqual({ stage: 'test', extra: 1 });
    expect(JSON.parse(task?.params ?? '')).toEqual({ limit: ['web'], dry_run: true, auto_approve: true });
  });

  test('never fires while it is switched off, nor after it was deleted', async () => {
    const off = await aNightly({ active: false });
    const gone = await aNightly();
    await server.call('DELETE', `/project/${project.id}/schedules/${gone}`, { session: project.manager.session });
    const switched = await aNightly();
    await changeSchedule(server, project, switched, { active: false });
    await at('2027-01-10T01:00:00Z');
    for (const id of [off, gone, switched]) expect(await listTasks(server, id)).toEqual([]);
  });

  test('goes by its new text from the moment of the change', async () => {
    const id = await aNightly();
    await changeSchedule(server, project, id, { cron_format: '7 * * * *' });
    await at('2027-01-10T00:05:00Z');
    expect(await listTasks(server, id)).toEqual([]);
    await at('2027-01-10T00:07:00Z');
    expect(await createdAt(id)).toEqual(['2027-01-10T00:07']);
  });

  test('adds nothing to the queue while a task of its own waits there, and says so once', async () => {
    const id = await aNightly();
    const other = await aNightly();
    for (const minute of ['05', '10', '15']) await at(`2027-01-10T00:${minute}:00Z`);
    const [task] = await listTasks(server, id);
    expect(await listTasks(server, id)).toHaveLength(1);
    expect(await listTasks(server, other)).toHaveLength(1);
    const text = `its task ID ${task?.id} still waits`;
    expect(await readSchedule(server, project, id)).toMatchObject({ problem: { code: 'queued', text } });
    expect(await listEvents(server, id)).toEqual([`Schedule Night started no task: ${text}`]);
    await endTasks(server);
    await at('2027-01-10T00:20:00Z');
    expect(await listTasks(server, id)).toHaveLength(2);
    expect(await readSchedule(server, project, id)).toMatchObject({ problem: null });
  });

  test('starts nothing while a required answer is missing, and names the variable once for each change', async () => {
    templateId = await aTemplate(server, project, {
      survey_vars: [{ name: 'stage', title: 'Stage', required: true }],
    });
    const id = await aNightly();
    for (const minute of ['05', '10', '15']) await at(`2027-01-10T00:${minute}:00Z`);
    const sentence = 'Schedule Night started no task: Stage is required (stage)';
    expect(await listTasks(server, id)).toEqual([]);
    expect(await listEvents(server, id)).toEqual([sentence]);
    expect((await readSchedule(server, project, id)).problem).toEqual({
      code: 'refused',
      text: 'Stage is required (stage)',
    });
    await changeSchedule(server, project, id, { name: 'Night' });
    expect((await readSchedule(server, project, id)).problem).toBeNull();
    for (const minute of ['20', '25']) await at(`2027-01-10T00:${minute}:00Z`);
    expect(await listEvents(server, id)).toEqual([sentence, sentence]);
    await changeSchedule(server, project, id, { params: { environment: '{"stage":"live"}' } });
    await at('2027-01-10T00:30:00Z');
    expect(await listTasks(server, id)).toHaveLength(1);
  });

  test('that is damaged is left out after three tries, and stands in nobody’s way', async () => {
    const broken = await aNightly();
    const sound = await aNightly();
    await database.database.transact((db) =>
      db.updateTable('schedule').set({ params: '{' }).where('id', '=', broken).execute(),
    );
    await at('2027-01-10T00:05:00Z');
    expect(await listTasks(server, sound)).toHaveLength(1);
    await at('2027-01-10T00:05:05Z');
    await at('2027-01-10T00:05:10Z');
    const row = await database.database.read
      .selectFrom('schedule')
      .select(['next_fire', 'problem'])
      .where('id', '=', broken)
      .executeTakeFirstOrThrow();
    expect(row.next_fire).toBe(Date.parse('2027-01-10T00:10:00Z'));
    expect(row.problem).toContain('failed');
    expect(server.logged.filter((line) => line.includes('could not be taken'))).toHaveLength(3);
  });
});

describe('after a time without a server', () => {
  test('the latest missed tick is run once, and the activity list says how many were not', async () => {
    const id = await aNightly();
    await at('2027-01-10T00:37:00Z');
    await at('2027-01-10T00:37:05Z');
    expect(await createdAt(id)).toEqual(['2027-01-10T00:37']);
    expect(await readSchedule(server, project, id)).toMatchObject({
      last_run: '2027-01-10T00:35:00.000Z',
      next_run: '2027-01-10T00:40:00.000Z',
    });
    expect(await listEvents(server, id)).toEqual([
      'Schedule Night missed 6 of its times from 2027-01-10T00:05:00Z on; the one of 2027-01-10T00:35:00Z is run now',
    ]);
  });

  test('a tick that is too long ago is not run', async () => {
    const id = await aNightly({ cron_format: '0 3 * * *' });
    await at('2027-01-12T12:00:00Z');
    expect(await listTasks(server, id)).toEqual([]);
    expect(await listEvents(server, id)).toEqual([
      'Schedule Night missed 3 of its times from 2027-01-10T03:00:00Z on; none is made up for',
    ]);
    await at('2027-01-13T03:00:00Z');
    expect(await createdAt(id)).toEqual(['2027-01-13T03:00']);
  });

  test('a year of minutes is counted no further than to 100', async () => {
    const id = await aNightly({ cron_format: '* * * * *' });
    await at('2028-01-10T00:00:10Z');
    expect(await listTasks(server, id)).toHaveLength(1);
    expect((await listEvents(server, id))[0]).toContain('missed at least 100 of its times');
  });

  test('a distance goes on in its own steps', async () => {
    const id = await aNightly({ cron_format: '@every 90s' });
    const first = Date.parse((await readSchedule(server, project, id)).next_run ?? '');
    await reach(server, clock, first + 10 * 90_000 + 40_000);
    expect(await readSchedule(server, project, id)).toMatchObject({
      last_run: new Date(first + 10 * 90_000).toISOString(),
      next_run: new Date(first + 11 * 90_000).toISOString(),
    });
  });
});

describe('when clocks change in the zone', () => {
  const fire = async (cron: string, zone: string, times: string[]) => {
    const id = await aNightly({ cron_format: cron, timezone: zone });
    for (const time of times) {
      await at(time);
      await endTasks(server);
    }
    return await createdAt(id);
  };
  const halfHours = (day: string) =>
    Array.from({ length: 48 }, (_, half) => new Date(Date.parse(`${day}T00:00:01Z`) + half * 1_800_000).toISOString());

  test('a time that is skipped fires at the end of the gap, once', async () => {
    await at('2027-03-27T12:00:00Z');
    expect(await fire('30 2 * * *', 'Europe/Berlin', halfHours('2027-03-28'))).toEqual(['2027-03-28T01:00']);
  });

  test('a time that comes twice fires once, and an hourly one in both hours', async () => {
    await at('2027-10-30T23:00:00Z');
    const hourly = await aNightly({ cron_format: '0 * * * *', timezone: 'Europe/Berlin' });
    const nightly = await fire('30 2 * * *', 'Europe/Berlin', halfHours('2027-10-31'));
    expect(nightly).toEqual(['2027-10-31T00:30']);
    expect(await listTasks(server, hourly)).toHaveLength(24);
  });
});

describe('a leap of the machine’s clock', () => {
  test('forwards and back again fires no tick twice, and leaves no schedule silent', async () => {
    const id = await aNightly();
    await at('2027-01-10T00:05:00Z');
    await endTasks(server);
    await at('2027-01-11T00:05:02Z');
    await endTasks(server);
    expect(await createdAt(id)).toEqual(['2027-01-10T00:05', '2027-01-11T00:05']);
    await at('2027-01-10T00:05:10Z');
    expect((await readSchedule(server, project, id)).next_run).toBe('2027-01-10T00:10:00.000Z');
    for (const time of ['10T00:10:00', '10T23:59:00', '11T00:00:00', '11T00:05:00', '11T00:09:00', '11T00:10:00']) {
      await at(`2027-01-${time}Z`);
      await endTasks(server);
    }
    const ticks = await database.database.read
      .selectFrom('schedule_tick')
      .select(['nominal', 'task_id'])
      .where('schedule_id', '=', id)
      .orderBy('nominal')
      .execute();
    expect(ticks.every((tick) => tick.task_id !== null)).toBe(true);
    expect(await listTasks(server, id)).toHaveLength(ticks.length);
    expect(ticks.map((tick) => new Date(tick.nominal).toISOString().slice(8, 16))).toEqual([
      '10T00:05',
      '10T00:10',
      '10T23:55',
      '11T00:00',
      '11T00:05',
      '11T00:10',
    ]);
  });

  test('backwards, while the server was down, is made good at its start', async () => {
    const id = await aNightly();
    await at('2027-01-11T00:05:00Z');
    await server.halt();
    clock.advance(Date.parse('2027-01-10T00:06:00Z') - clock.now());
    server = await startEngineServer({ clock, database });
    await expect.poll(async () => (await readSchedule(server, project, id)).next_run).toBe('2027-01-10T00:10:00.000Z');
  });
});
