import { type StatsPoint, statsRoutes } from '@signalbox/contract/stats';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TaskCountTable } from '../../db/tables.ts';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let templateId: number;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  templateId = await aTemplate(server, project);
}, 60_000);
afterEach(() => server.stop());

type Ended = Partial<Omit<TaskCountTable, 'bucket'>> & { at: string };

/** Ended tasks, as the engine counts them by quarters of an hour. */
async function count(...ended: Ended[]): Promise<void> {
  const rows = ended.map(({ at, ...row }) => ({
    project_id: project.id,
    template_id: templateId,
    user_id: 0,
    status: 'success' as const,
    count: 1,
    ...row,
    bucket: Date.parse(at) - (Date.parse(at) % 900_000),
  }));
  await server.database.transact((db) => db.insertInto('task_count').values(rows).execute());
}

async function ask(query: string, path = ''): Promise<StatsPoint[]> {
  const answer = await server.call('GET', `/project/${project.id}${path}/stats${query}`, {
    session: project.guest.session,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as StatsPoint[];
}

const askDays = async (query: string) =>
  Object.fromEntries((await ask(query)).map(({ date, count_by_status: by }) => [date, by.success]));

test('a task that ends is counted on the day of its creation, by its status', async () => {
  const peer = new RunnerPeer((await aRunner(server)).token, server.url);
  for (const outcome of ['success', 'error', 'success'] as const) {
    const { body } = await server.ask(taskRoutes.create, {
      params: { project_id: project.id },
      body: { template_id: templateId },
      session: project.runner.session,
    });
    await expect.poll(async () => peer.jobs.has(body.id) || (await peer.sync()).jobs.length > 0).toBe(true);
    await peer.start(body.id);
    await peer.finish(body.id, { outcome });
  }
  const points = await ask('');
  const total = { success: 0, error: 0, stopped: 0 };
  for (const { count_by_status: by } of points) {
    total.success += by.success;
    total.error += by.error;
    total.stopped += by.stopped;
  }
  expect(total).toEqual({ success: 2, error: 1, stopped: 0 });
  expect(new Date().toISOString().slice(0, 10) >= (points[0]?.date ?? '')).toBe(true);
  expect(await ask(`?user_id=${project.runner.id}`)).toEqual(points);
  expect(await ask(`?user_id=${project.owner.id}`)).toEqual([]);
});

test('only days that have tasks are told, oldest first, from start to end', async () => {
  await count(
    { at: '2026-03-05T10:00Z', count: 3 },
    { at: '2026-03-01T23:59Z' },
    { at: '2026-03-03T00:00Z', status: 'error', count: 2 },
    { at: '2026-03-03T12:00Z', status: 'stopped' },
    { at: '2026-03-03T12:00Z' },
  );
  expect(await ask('?start=2026-03-02&end=2026-03-04')).toEqual([
    { date: '2026-03-03', count_by_status: { success: 1, error: 2, stopped: 1 } },
  ]);
  expect((await ask('?start=2026-03-03')).map(({ date }) => date)).toEqual(['2026-03-03', '2026-03-05']);
  expect((await ask('?end=2026-03-01')).map(({ date }) => date)).toEqual(['2026-03-01']);
  expect((await ask('')).map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-03', '2026-03-05']);
  expect(await ask('?start=2027-01-01')).toEqual([]);
});

test('a template has its own, and so has a user', async () => {
  const other = await aTemplate(server, project);
  await count(
    { at: '2026-03-01T10:00Z', user_id: project.runner.id },
    { at: '2026-03-01T10:00Z', template_id: other, count: 5 },
  );
  expect(await ask('', `/templates/${other}`)).toMatchObject([{ count_by_status: { success: 5 } }]);
  expect(await ask('', `/templates/${templateId}`)).toMatchObject([{ count_by_status: { success: 1 } }]);
  expect(await ask(`?user_id=${project.runner.id}`, `/templates/${other}`)).toEqual([]);
  expect(await ask(`?user_id=${project.runner.id}`)).toMatchObject([{ count_by_status: { success: 1 } }]);
});

test('what another project has done is not told', async () => {
  const elsewhere = await aProject(server);
  const foreign = await aTemplate(server, elsewhere);
  await count({ at: '2026-03-01T10:00Z', project_id: elsewhere.id, template_id: foreign });
  expect(await ask('')).toEqual([]);
  const path = `/project/${project.id}/templates/${foreign}/stats`;
  expect((await server.call('GET', path, { session: project.owner.session })).status).toBe(404);
});

describe('days begin and end', () => {
  test.each([
    ['UTC', '2026-03-01T23:59Z', '2026-03-01'],
    ['Asia/Kolkata', '2026-03-01T18:15Z', '2026-03-01'],
    ['Asia/Kolkata', '2026-03-01T18:30Z', '2026-03-02'],
    ['Asia/Kathmandu', '2026-03-01T18:00Z', '2026-03-01'],
    ['Asia/Kathmandu', '2026-03-01T18:15Z', '2026-03-02'],
    ['Pacific/Chatham', '2026-01-01T10:00Z', '2026-01-01'],
    ['Pacific/Chatham', '2026-01-01T10:15Z', '2026-01-02'],
    ['America/St_Johns', '2026-03-01T03:15Z', '2026-02-28'],
    ['America/St_Johns', '2026-03-01T03:30Z', '2026-03-01'],
    ['Pacific/Kiritimati', '2026-03-01T10:00Z', '2026-03-02'],
    ['Pacific/Pago_Pago', '2026-03-01T10:45Z', '2026-02-28'],
  ])('in %s: what was created at %s belongs to %s', async (zone, at, day) => {
    await count({ at });
    const tz = encodeURIComponent(zone);
    expect(await askDays(`?tz=${tz}`)).toEqual({ [day]: 1 });
    expect(await askDays(`?tz=${tz}&start=${day}&end=${day}`)).toEqual({ [day]: 1 });
  });

  test('where clocks change: the day has 23 or 25 hours, and no task is lost or counted twice', async () => {
    const hours = (day: string, first: number) =>
      Array.from({ length: 28 }, (_, hour) => ({
        at: new Date(Date.parse(`${day}T00:00Z`) + (first + hour) * 3_600_000).toISOString(),
      }));
    await count(...hours('2026-03-29', -2), ...hours('2026-10-25', -3));
    const tz = 'tz=Europe/Berlin';
    // From 0:00 at +1 to 24:00 at +2.
    expect(await askDays(`?${tz}&start=2026-03-29&end=2026-03-29`)).toEqual({ '2026-03-29': 23 });
    expect(await askDays(`?${tz}&start=2026-10-25&end=2026-10-25`)).toEqual({ '2026-10-25': 25 });
    const all = Object.values(await askDays(`?${tz}`));
    expect(all.reduce((sum, success) => sum + success, 0)).toBe(56);
  });

  test('where midnight does not exist: the day begins at one', async () => {
    // Beirut put its clocks forward at midnight.
    await count({ at: '2026-03-28T21:45Z' }, { at: '2026-03-28T22:00Z', count: 2 });
    expect(await askDays('?tz=Asia/Beirut&start=2026-03-28')).toEqual({ '2026-03-28': 1, '2026-03-29': 2 });
    expect(await askDays('?tz=Asia/Beirut&start=2026-03-29&end=2026-03-29')).toEqual({ '2026-03-29': 2 });
  });
});

test.each([
  'start=yesterday',
  'start=2026-02-30',
  'start=2026-13-01',
  'start=2026-1-1',
  'start=2026-03-01T00:00:00Z',
  'start=',
  'end=2026-02-29',
  'start=2026-03-02&end=2026-03-01',
  'tz=Mars/Base',
  'tz=%2B05:07',
  'tz=2026-01-01T00:00Z',
  `tz=${'x'.repeat(65)}`,
  'user_id=0',
  'user_id=x',
])('?%s is refused with the field', async (query) => {
  for (const path of ['', `/templates/${templateId}`]) {
    const answer = await server.call('GET', `/project/${project.id}${path}/stats?${query}`, {
      session: project.guest.session,
    });
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
    expect(answer.error.details).toMatchObject([{ path: expect.stringMatching(/^(start|end|tz|user_id)$/) }]);
  }
});

test('the routes answer with their schema', async () => {
  await count({ at: '2026-03-01T10:00Z' });
  const { session } = project.guest;
  const params = { project_id: project.id, template_id: templateId };
  const expected = [{ date: '2026-03-01', count_by_status: { success: 1, error: 0, stopped: 0 } }];
  expect((await server.ask(statsRoutes.ofProject, { params, session })).body).toEqual(expected);
  expect((await server.ask(statsRoutes.ofTemplate, { params, session })).body).toEqual(expected);
});
