import { scheduleRoutes } from '@signalbox/contract/schedules';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextFire } from '../../engine/next-fire.ts';
import { anInventory, aProject, aRepository, aTemplate, type TestProject } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let foreign: TestProject;
let templateId: number;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_SCHEDULE_TIMEZONE: 'Europe/Berlin' } });
  project = await aProject(server);
  foreign = await aProject(server);
  templateId = await aTemplate(server, project, { name: 'Nightly' });
});
afterAll(() => server.stop());

const session = () => project.manager.session;
const at = (id: number) => ({ project_id: project.id, schedule_id: id });
const base = () => ({ template_id: templateId, name: 'Night', cron_format: '0 3 * * *' });
const send = (method: 'POST' | 'PUT', path: string, body: object) =>
  server.call(method, `/project/${project.id}/schedules${path}`, { session: session(), body });
const get = async (id: number) => (await server.ask(scheduleRoutes.get, { params: at(id), session: session() })).body;
const change = (id: number, body: object) => send('PUT', `/${id}`, { id, ...base(), ...body });
async function aSchedule(body: object = {}): Promise<number> {
  const answer = await send('POST', '', { ...base(), ...body });
  expect(answer.status).toBe(201);
  return (answer.body as { id: number }).id;
}
const list = async (query: { template_id?: string } = {}, of = project) =>
  (await server.ask(scheduleRoutes.list, { params: { project_id: of.id }, query, session: of.guest.session })).body;
const nextOf = (cron: string, zone: string) => new Date(nextFire(cron, zone, Date.now()) ?? 0).toISOString();

test('a schedule is stored with the zone of the server, and sleeps until it is switched on', async () => {
  const answer = await server.ask(scheduleRoutes.create, {
    params: { project_id: project.id },
    body: { ...base(), name: ' Night ', cron_format: ' 0 3 * * * ' },
    session: session(),
  });
  expect(answer.status).toBe(201);
  const { id } = answer.body;
  expect(answer.body).toEqual({
    ...base(),
    id,
    project_id: project.id,
    tpl_name: 'Nightly',
    timezone: 'Europe/Berlin',
    active: false,
    repository_id: null,
    params: null,
    next_run: null,
    last_run: null,
    problem: null,
  });
  expect(await get(id)).toEqual(answer.body);
  expect((await list()).find((schedule) => schedule.id === id)).toEqual(answer.body);
  expect((await send('PUT', `/${id}/active`, { active: true })).status).toBe(204);
  expect(await get(id)).toEqual({ ...answer.body, active: true, next_run: nextOf('0 3 * * *', 'Europe/Berlin') });
  await send('PUT', `/${id}/active`, { active: false });
  expect(await get(id)).toEqual(answer.body);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: undefined }, 'name'],
  [{ template_id: undefined }, 'template_id'],
  [{ cron_format: undefined }, 'cron_format'],
  [{ cron_format: '* * * * 7' }, 'cron_format'],
  [{ cron_format: 'TZ=Nowhere * * * * *' }, 'cron_format'],
  [{ timezone: 'Nowhere' }, 'timezone'],
  [{ timezone: '+02:00' }, 'timezone'],
  [{ active: 'yes' }, 'active'],
  [{ project_id: 4711 }, 'project_id'],
  [{ params: { environment: '[]' } }, 'params.environment'],
  [{ params: { arguments: '{}' } }, 'params.arguments'],
  [{ params: { git_branch: '-x' } }, 'params.git_branch'],
])('%j is refused on creation and on change, and names the field', async (fields, field) => {
  const before = await list();
  const answers = [await send('POST', '', { ...base(), ...fields })];
  const [stored] = before;
  if (stored !== undefined && field !== 'name') answers.push(await change(stored.id, fields));
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(answer.error.details).toContainEqual(expect.objectContaining({ path: field }));
  }
  expect(await list()).toEqual(before);
});

test('a wrong cron text is told in one sentence, wherever it is sent', async () => {
  const id = await aSchedule();
  const wrong = { cron_format: '0 25 * * *' };
  for (const answer of [
    await send('POST', '', { ...base(), ...wrong }),
    await send('POST', '/validate', wrong),
    await change(id, wrong),
  ]) {
    expect([answer.status, answer.error.error]).toEqual([400, 'Cron: "25" is no hour: 0 to 23']);
  }
});

test('a cron text is checked together with its zone, and the answer says when it would fire', async () => {
  const answer = await server.ask(scheduleRoutes.validate, {
    params: { project_id: project.id },
    body: { cron_format: '0 3 * * *', timezone: 'Asia/Tokyo' },
    session: session(),
  });
  expect(answer.status).toBe(200);
  expect(answer.body.next_runs).toHaveLength(5);
  expect(answer.body.next_runs[0]).toBe(nextOf('0 3 * * *', 'Asia/Tokyo'));
  const never = await send('POST', '/validate', { cron_format: '0 0 30 2 *' });
  expect([never.status, never.body]).toEqual([200, { next_runs: [] }]);
  expect((await send('POST', '/validate', { cron_format: '@daily', timezone: 'x' })).status).toBe(400);
});

describe('the next time', () => {
  test('follows the cron text, the zone and the switch', async () => {
    const id = await aSchedule({ active: true, timezone: 'UTC' });
    expect((await get(id)).next_run).toBe(nextOf('0 3 * * *', 'UTC'));
    await change(id, { cron_format: '30 4 * * *' });
    expect((await get(id)).next_run).toBe(nextOf('30 4 * * *', 'UTC'));
    await change(id, { cron_format: '30 4 * * *', timezone: 'Asia/Tokyo' });
    expect((await get(id)).next_run).toBe(nextOf('30 4 * * *', 'Asia/Tokyo'));
    await change(id, { cron_format: 'CRON_TZ=UTC 30 4 * * *', timezone: 'Asia/Tokyo' });
    expect((await get(id)).next_run).toBe(nextOf('30 4 * * *', 'UTC'));
    await change(id, { cron_format: '0 0 30 2 *' });
    expect(await get(id)).toMatchObject({ active: true, next_run: null });
    await change(id, { active: false });
    expect((await get(id)).next_run).toBeNull();
  });

  test('is not moved by a change that has nothing to do with time', async () => {
    const id = await aSchedule({ active: true, cron_format: '@every 24h' });
    const soon = Date.now() + 3_600_000;
    await server.database.transact((db) =>
      db.updateTable('schedule').set({ next_fire: soon }).where('id', '=', id).execute(),
    );
    await change(id, { name: 'Renamed', cron_format: '@every 24h' });
    await send('PUT', `/${id}/active`, { active: true });
    expect(await get(id)).toMatchObject({ name: 'Renamed', next_run: new Date(soon).toISOString() });
  });
});

test('a change keeps what it does not say, and null takes it away', async () => {
  const repositoryId = await aRepository(server, project);
  const inventoryId = await anInventory(server, project);
  const params = { message: 'By night', params: { dry_run: true }, environment: '{"a":1}', inventory_id: inventoryId };
  const id = await aSchedule({ active: true, timezone: 'UTC', repository_id: repositoryId, params });
  const before = await get(id);
  expect(before).toMatchObject({ repository_id: repositoryId, params, timezone: 'UTC', active: true });
  await change(id, { name: 'Other' });
  expect(await get(id)).toEqual({ ...before, name: 'Other' });
  await change(id, { name: 'Other', repository_id: null, params: null });
  expect(await get(id)).toMatchObject({ repository_id: null, params: null });
});

test('the last commit that was seen is forgotten with its repository only', async () => {
  const repositoryId = await aRepository(server, project);
  const id = await aSchedule({ repository_id: repositoryId });
  const read = async () =>
    (await server.database.read.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
      .last_commit_hash;
  await server.database.transact((db) =>
    db.updateTable('schedule').set({ last_commit_hash: 'abc' }).where('id', '=', id).execute(),
  );
  await change(id, { name: 'Renamed', cron_format: '@hourly' });
  expect(await read()).toBe('abc');
  await change(id, { repository_id: await aRepository(server, project) });
  expect(await read()).toBeNull();
});

test('the list has all schedules, that of a template for its form has those that look for commits', async () => {
  const own = await aTemplate(server, project);
  const plain = await aSchedule({ template_id: own, name: 'b' });
  const answer = await send('POST', '', {
    template_id: own,
    cron_format: '*/5 * * * *',
    repository_id: await aRepository(server, project),
    active: true,
  });
  const commits = (answer.body as { id: number }).id;
  const ids = (schedules: { id: number }[]) => schedules.map(({ id }) => id);
  expect(ids(await list({ template_id: String(own) }))).toEqual([plain, commits]);
  const params = { project_id: project.id, template_id: own };
  const ofTemplate = await server.ask(scheduleRoutes.ofTemplate, { params, session: project.guest.session });
  expect(ofTemplate.body).toEqual([expect.objectContaining({ id: commits, name: 'Check for new commits' })]);
});

test('nothing of another project can be linked, on creation and on change', async () => {
  const id = await aSchedule();
  const wrong: [string, object][] = [
    ['template_id', { template_id: await aTemplate(server, foreign) }],
    ['repository_id', { repository_id: await aRepository(server, foreign) }],
    ['params.inventory_id', { params: { inventory_id: await anInventory(server, foreign) } }],
  ];
  for (const [field, fields] of wrong) {
    for (const answer of [await send('POST', '', { ...base(), ...fields }), await change(id, fields)]) {
      expect(answer.status).toBe(400);
      expect(answer.error).toMatchObject({ code: 'unknown_reference', details: [{ path: field }] });
    }
  }
});

test('the answer to a secret question is not stored in a schedule', async () => {
  const template_id = await aTemplate(server, project, {
    survey_vars: [{ name: 'token', title: 'Token', type: 'secret' }],
  });
  const refused = await send('POST', '', { ...base(), template_id, params: { environment: '{"token":"hunter2"}' } });
  expect(refused.error.details).toMatchObject([{ path: 'params.environment' }]);
  const stored = await send('POST', '', { ...base(), template_id, params: { secret: '{"token":"hunter2"}' } });
  expect(stored.status).toBe(201);
  expect(JSON.stringify(await server.database.read.selectFrom('schedule').selectAll().execute())).not.toContain(
    'hunter2',
  );
});

test('what a schedule names says so before it is deleted', async () => {
  const inventoryId = await anInventory(server, project);
  const id = await aSchedule({ name: 'Uses it', params: { inventory_id: inventoryId } });
  const path = `/project/${project.id}/inventory/${inventoryId}`;
  const refs = await server.call('GET', `${path}/refs`, { session: session() });
  expect(refs.body).toMatchObject({ schedules: [{ id, name: 'Uses it' }] });
  expect((await server.call('DELETE', path, { session: session() })).status).toBe(409);
  const own = await server.ask(scheduleRoutes.references, { params: at(id), session: session() });
  expect(own.body).toEqual({ templates: [], inventories: [], repositories: [], integrations: [], schedules: [] });
  expect((await server.ask(scheduleRoutes.remove, { params: at(id), session: session() })).status).toBe(204);
  expect((await server.call('DELETE', path, { session: session() })).status).toBe(204);
});

test('the form of a template makes, changes and deletes the schedule of its cron option as older consoles do', async () => {
  const template_id = await aTemplate(server, project);
  const repository_id = await aRepository(server, project);
  const listForm = async () => {
    const params = { project_id: project.id, template_id };
    return (await server.ask(scheduleRoutes.ofTemplate, { params, session: session() })).body;
  };
  expect(await listForm()).toEqual([]);
  const option = { project_id: project.id, template_id, cron_format: '* * * * *', repository_id };
  expect((await send('POST', '', { ...option, active: true })).status).toBe(201);
  const [made] = await listForm();
  expect(made).toMatchObject({ ...option, active: true, name: 'Check for new commits' });
  const id = made?.id ?? 0;
  expect((await send('PUT', `/${id}`, { ...option, id, cron_format: '@hourly' })).status).toBe(204);
  expect(await listForm()).toEqual([{ ...made, cron_format: '@hourly', next_run: nextOf('@hourly', 'Europe/Berlin') }]);
  await server.ask(scheduleRoutes.remove, { params: at(id), session: session() });
  expect(await listForm()).toEqual([]);
});

test('a schedule of another project is not found', async () => {
  const body = { template_id: await aTemplate(server, foreign), name: 'Foreign', cron_format: '@daily' };
  const params = { project_id: foreign.id };
  const { body: stored } = await server.ask(scheduleRoutes.create, { params, body, session: foreign.owner.session });
  const { id } = stored;
  for (const route of [scheduleRoutes.get, scheduleRoutes.references, scheduleRoutes.remove] as const) {
    expect((await server.ask(route, { params: at(id), session: session() })).status).toBe(404);
  }
  expect((await change(id, {})).status).toBe(404);
  expect((await send('PUT', `/${id}/active`, { active: true })).status).toBe(404);
  expect(await list({}, foreign)).toEqual([stored]);
  const ofTemplate = { project_id: project.id, template_id: body.template_id };
  expect((await server.ask(scheduleRoutes.ofTemplate, { params: ofTemplate, session: session() })).status).toBe(404);
});

test('a switch and a change at the same time leave a next time that fits both', async () => {
  const id = await aSchedule({ timezone: 'UTC' });
  for (let round = 0; round < 10; round += 1) {
    const cron_format = `${round} 5 * * *`;
    await Promise.all([
      send('PUT', `/${id}/active`, { active: round % 2 === 0 }),
      change(id, { cron_format }),
      change(id, { cron_format, name: `Round ${round}` }),
    ]);
    const { active, next_run } = await get(id);
    expect([active, next_run]).toEqual(round % 2 === 0 ? [true, nextOf(cron_format, 'UTC')] : [false, null]);
  }
});

test('every change of a schedule is in the activity list', async () => {
  const id = await aSchedule({ name: 'Seen' });
  await send('PUT', `/${id}/active`, { active: true });
  await change(id, { name: 'Again' });
  await server.ask(scheduleRoutes.remove, { params: at(id), session: session() });
  const events = await server.database.read
    .selectFrom('event')
    .select(['description', 'user_id'])
    .where('object_type', '=', 'schedule')
    .where('object_id', '=', id)
    .orderBy('id')
    .execute();
  expect(events.map(({ description }) => description)).toEqual([
    'Schedule Seen created',
    'Schedule Seen switched on',
    'Schedule Again updated',
    'Schedule Again deleted',
  ]);
  expect(events.every(({ user_id }) => user_id === project.manager.id)).toBe(true);
});
