import { type Event, eventRoutes } from '@signalbox/contract/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noActor, recordEvent } from '../../db/events.ts';
import { aProject, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let other: TestProject;
/** Member of both projects. */
let both: TestUser;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  other = await aProject(server);
  admin = await aUser(server, { admin: true });
  both = await aUser(server, { role: 'guest', projectId: project.id });
  await server.database.transact((db) =>
    db.insertInto('project_user').values({ project_id: other.id, user_id: both.id, role: 'guest' }).execute(),
  );
  await server.database.transact((db) => db.deleteFrom('event').execute());
  for (let count = 1; count <= 9; count += 1) {
    await record(project.id, `own ${count}`);
    if (count % 3 === 0) await record(other.id, `other ${count}`);
    if (count % 4 === 0) await record(null, `installation ${count}`);
  }
});
afterAll(() => server.stop());

async function record(projectId: number | null, description: string): Promise<void> {
  const actor = projectId === other.id ? noActor : { userId: project.owner.id, address: '192.0.2.7' };
  await server.database.transact((db) =>
    recordEvent(db, actor, { projectId, objectType: 'key', objectId: 7, objectName: 'deploy', description }),
  );
}

type List = { events: Event[]; texts: string[]; next: string | undefined };

async function ask(path: string, by: TestUser): Promise<List> {
  const answer = await server.call('GET', path, { session: by.session });
  expect(answer.status, answer.text).toBe(200);
  const events = answer.body as Event[];
  const [, next] = /^<(\?[^>]*)>; rel="next"$/.exec(String(answer.headers.link ?? '')) ?? [];
  return { events, texts: events.map(({ description }) => description), next };
}

async function followLinks(path: string, query: string, by: TestUser): Promise<string[][]> {
  const pages: string[][] = [];
  let next: string | undefined = query;
  while (next !== undefined && pages.length < 100) {
    const page: List = await ask(`${path}${next}`, by);
    pages.push(page.texts);
    next = page.next;
  }
  return pages;
}

const ownTexts = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((count) => `own ${count}`);
const bothTexts = [
  ...['other 9', 'own 9', 'own 8', 'own 7'],
  ...['other 6', 'own 6', 'own 5', 'own 4'],
  ...['other 3', 'own 3', 'own 2', 'own 1'],
];

describe.each(['', '/last'])('GET P/events%s', (path) => {
  test('tells the events of the project, newest first, with who did what', async () => {
    const { events, texts, next } = await ask(`/project/${project.id}/events${path}`, project.guest);
    expect(texts).toEqual(ownTexts);
    expect(next).toBeUndefined();
    expect(events[0]).toMatchObject({
      user_id: project.owner.id,
      username: project.owner.actor.username,
      project_id: project.id,
      project_name: expect.stringMatching(/^project/),
      object_type: 'key',
      object_id: 7,
      object_name: 'deploy',
      integration_id: null,
    });
  });

  test('goes on page by page without gap and repetition', async () => {
    const pages = await followLinks(`/project/${project.id}/events${path}`, '?limit=4', project.guest);
    expect(pages.map((page) => page.length)).toEqual([4, 4, 1]);
    expect(pages.flat()).toEqual(ownTexts);
  });
});

describe.each(['', '/last'])('GET /events%s', (path) => {
  test('tells the events of all projects of the caller, and of no other', async () => {
    expect((await ask(`/events${path}`, both)).texts).toEqual(bothTexts);
    expect((await ask(`/events${path}`, project.guest)).texts).toEqual(ownTexts);
    expect((await ask(`/events${path}`, project.stranger)).texts).toEqual([]);
  });

  test('tells administrators what belongs to no project, and beyond that what they are members of', async () => {
    expect((await ask(`/events${path}`, admin)).texts).toEqual(['installation 8', 'installation 4']);
    const member = await aUser(server, { admin: true, role: 'guest', projectId: other.id });
    const { texts } = await ask(`/events${path}`, member);
    expect(texts).toEqual(['other 9', 'installation 8', 'other 6', 'installation 4', 'other 3']);
    const pages = await followLinks(`/events${path}`, '?limit=2', member);
    expect(pages.flat()).toEqual(texts);
  });

  test.each([1, 2, 5, 11, 12])('goes on page by page without gap and repetition: %i at a time', async (limit) => {
    const pages = await followLinks(`/events${path}`, `?limit=${limit}`, both);
    expect(pages.flat()).toEqual(bothTexts);
    expect(pages.every((page) => page.length <= limit && page.length > 0)).toBe(true);
  });

  test('refuses to go on before what is no id', async () => {
    for (const before of ['0', 'x', '-1', '99999999999999999999']) {
      const answer = await server.call('GET', `/events${path}?before=${before}`, { session: both.session });
      expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
    }
  });
});

test('addresses are told to administrators only', async () => {
  const path = `/project/${project.id}/events/last`;
  for (const user of [project.owner, project.guest]) {
    const { events } = await ask(path, user);
    expect(events.some((event) => 'address' in event)).toBe(false);
  }
  expect((await ask(path, admin)).events[0]).toMatchObject({ address: '192.0.2.7' });
});

test('an event outlives its user, and then has none', async () => {
  const { id } = await aUser(server);
  await server.database.transact(async (db) => {
    const entry = { projectId: project.id, objectType: 'view', objectId: 1, objectName: 'v', description: 'late' };
    await recordEvent(db, { userId: id, address: '' }, entry);
  });
  await server.database.transact((db) => db.deleteFrom('user').where('id', '=', id).execute());
  const { body } = await server.ask(eventRoutes.lastOfProject, {
    params: { project_id: project.id },
    query: { limit: '1' },
    session: project.guest.session,
  });
  expect(body).toMatchObject([{ description: 'late', user_id: null, username: null }]);
  await server.database.transact((db) => db.deleteFrom('event').where('description', '=', 'late').execute());
});
