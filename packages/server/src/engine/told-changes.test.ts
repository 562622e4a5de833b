import type { ServerMessage } from '@signalbox/contract/live';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../test/databases.ts';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../test/factories.ts';
import { anIntegration } from '../test/integrations.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aSchedule, reach } from '../test/schedule-world.ts';
import { aRunner, type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';

let clock: TestClock;
let server: EngineServer;
let project: TestProject;
let admin: TestUser;
beforeEach(async () => {
  clock = new TestClock();
  server = await startEngineServer({ clock, database: await openTestDatabase() });
  project = await aProject(server);
  admin = await aUser(server, { admin: true });
}, 60_000);
afterEach(() => server.stop());

type Change = Extract<ServerMessage, { type: 'changed' }>;

/** Somebody who may see some projects, as one of our own consoles. */
async function listen(projects: ReadonlySet<number>) {
  const heard: ServerMessage[] = [];
  const connection = server.engine.live.join({
    socket: {
      send: (text) => heard.push(JSON.parse(text) as ServerMessage),
      bufferedAmount: () => 0,
      close: () => undefined,
    },
    userId: admin.id,
    loadRights: async () => ({ projects }),
  });
  await server.engine.live.receive(connection, '{"type":"hello"}');
  const changes = () => heard.filter((message): message is Change => message.type === 'changed');
  return { changes: () => changes().map(({ project_id, object }) => `${project_id} ${object}`) };
}

const member = () => listen(new Set([project.id]));

test('a new member, another name of the project and its end are told to everybody, because lists of projects show them', async () => {
  const stranger = await listen(new Set());
  const { id: userId } = await aUser(server);
  const ask = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const { status } = await server.call(method, `/project/${project.id}${path}`, { session: admin.session, body });
    expect(status).toBe(204);
  };
  await ask('POST', '/users', { user_id: userId, role: 'guest' });
  await ask('PUT', '', { id: project.id, name: 'Other' });
  await ask('DELETE', '');
  await expect.poll(stranger.changes).toEqual(['null projects', 'null projects', 'null projects']);
});

test('a change of users, apps and runners is told to everybody, without a word about what it was', async () => {
  const stranger = await listen(new Set());
  const create = async (path: string, body: object) => {
    const { status } = await server.call('POST', path, { session: admin.session, body });
    expect(status).toBe(201);
  };
  await create('/users', { name: 'New', username: 'new', email: 'new@example.org', password: 'long enough for this' });
  await create('/runners', { name: 'far' });
  await expect.poll(stranger.changes).toEqual(['null users', 'null runners']);
});

test('a call of a webhook is told to the members, and to nobody else', async () => {
  const integration = await anIntegration(server, project);
  const [guest, stranger] = [await member(), await listen(new Set())];
  expect((await server.call('POST', `/integrations/${integration.alias}`, { body: {} })).status).toBe(204);
  await expect.poll(guest.changes).toEqual([`${project.id} integrations`]);
  expect(stranger.changes()).toEqual([]);
});

test('the tick of a schedule is told to the members', async () => {
  await reach(server, clock, '2027-01-10T00:00:30Z');
  const template = await aTemplate(server, project);
  await aSchedule(server, project, { template_id: template, cron_format: '*/5 * * * *' });
  const guest = await member();
  await reach(server, clock, '2027-01-10T00:05:00Z');
  await expect.poll(guest.changes).toEqual([`${project.id} schedules`]);
});

test('a runner that comes, and one that goes silent, is told of once each', async () => {
  await server.engine.sweep();
  const [guest, other] = [await member(), await listen(new Set())];
  const peer = new RunnerPeer((await aRunner(server, { projectId: project.id })).token, server.url);
  const end = new AbortController();
  const open = peer.sync({}, end.signal).catch(() => undefined);
  await expect.poll(() => [...server.engine.hub.sessions()].some((session) => session.isOpen)).toBe(true);
  for (let sweep = 0; sweep < 2; sweep += 1) await server.engine.sweep();
  await expect.poll(guest.changes).toEqual(['null runners', `${project.id} runners`]);
  end.abort();
  await open;
  clock.advance(60_000);
  await server.engine.sweep();
  await expect.poll(() => guest.changes().length).toBe(4);
  expect(other.changes()).toEqual(['null runners', 'null runners']);
});
