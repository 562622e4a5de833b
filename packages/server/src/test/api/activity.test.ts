import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../auth/sessions.ts';
import type { TestServer } from '../start-test-server.ts';
import { createCallers, createPlace } from './callers.ts';
import { makeSample, titlesOf } from './samples.ts';
import { send } from './send.ts';
import { startApiServer } from './start-api-server.ts';
import { type Identity, identities, keyOf, readRights } from './tables.ts';

/** Whatever changes something is in the activity list, in the same transaction: with who did it, from where, and what. */

let server: TestServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const rights = new Map(readRights().map(({ title, statuses }) => [keyOf(title), statuses]));

/** Changes nothing that a person would look for, or is told by what follows from it. */
const silent = new Map([
  ['runners.sync', 'a heartbeat; what it changes are tasks, which tell it'],
  ['runners.reports', 'tells of tasks, which have events of their own'],
  ['runners.log', 'lines of a log'],
  ['runnerRegistrations.register', 'told as the act of nobody: a runner is no user'],
  ['runnerRegistrations.unregister', 'the same'],
  ['schedules.validate', 'changes nothing'],
  ['repositories.test', 'changes nothing'],
  ['stateBackend.lockOfTask', 'a tool holds it while it runs; what it stores is told'],
  ['stateBackend.unlockOfTask', 'the other end of it'],
  ['stateBackend.lock', 'a tool holds it while it runs; what it stores is told'],
  ['stateBackend.unlock', 'the other end of it'],
]);

/** The last one in the table who may: an administrator where one may, and never a token, which no session goes with. */
function findCaller(title: string): Identity | undefined {
  const statuses = rights.get(title.replace(/ \((?!own|other).*\)$/, ''));
  return identities.findLast((one) => (statuses?.[one] ?? 500) < 300 && one !== 'runner' && one !== 'token');
}

const changes = listRoutes()
  .filter(({ name, route }) => route.method !== 'GET' && !silent.has(name))
  .flatMap((named) =>
    titlesOf(named).flatMap((title) => {
      const caller = findCaller(title);
      return caller === undefined ? [] : [{ named, title, caller }];
    }),
  );

async function readEventsAfter(id: number) {
  return await server.database.read.selectFrom('event').selectAll().where('id', '>', id).orderBy('id').execute();
}

async function lastEvent(): Promise<number> {
  const row = await server.database.read
    .selectFrom('event')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Another one than that of the request: something to end. */
async function addSession(userId: number): Promise<void> {
  const session = { userId, address: '', userAgent: '', verified: true };
  await server.database.transact((db) => openSession(db, session, Date.now()));
}

describe('the activity list tells of', () => {
  test.each(changes)('$title', async ({ named, title, caller }) => {
    const place = await createPlace(server);
    const callers = await createCallers(place);
    const { sender, headers } = callers[caller];
    const sample = await makeSample(title, place, sender);
    await addSession(sender.userId);
    const before = await lastEvent();
    const answer = await send(named, place, sample, headers);
    expect(answer.status, answer.text).toBeLessThan(400);
    const events = await readEventsAfter(before);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expect(event.description.trim()).not.toBe('');
      expect(event.object_type).toMatch(/^[a-z_]{3,30}$/);
    }
    if (named.route.permission === 'public' || named.route.permission === 'session') return;
    // A user who has deleted himself is nobody any more.
    const isGone = title.startsWith('DELETE /users/');
    const told = events.filter((event) => isGone || event.user_id === sender.userId);
    expect(told.map((event) => event.address)).toContain('127.0.0.1');
    if (!named.route.path.startsWith('/project/:') || sample.spendsPlace) return;
    expect(told.map((event) => event.project_id)).toContain(place.project.id);
  });
});

test('every route that changes something is asked, or has a reason not to be', () => {
  const asked = new Set(changes.map(({ named }) => named.name));
  const left = listRoutes().filter(({ name, route }) => route.method !== 'GET' && !asked.has(name));
  expect(left.map(({ name }) => name).toSorted()).toEqual([...silent.keys()].toSorted());
});
