import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../start-test-server.ts';
import { type Caller, createCallers, createPlace } from './callers.ts';
import type { Place } from './place.ts';
import type { Sample } from './sample.ts';
import { makeSample, needsOwnPlace, titlesOf } from './samples.ts';
import { send } from './send.ts';
import { startApiServer } from './start-api-server.ts';
import { findRoute, type Identity, identities, keyOf, type NamedRoute, type RightsRow, readRights } from './tables.ts';

/** Who may call what: the table of rights.txt against the server, in both directions. */

let server: TestServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const rows = readRights();
const titles = new Set(rows.map(({ title }) => keyOf(title)));

test('every route has a row', () => {
  const needed = listRoutes()
    .flatMap(titlesOf)
    .filter((title) => !/\((?!own|other)/.test(title));
  expect(needed.filter((title) => !titles.has(title))).toEqual([]);
});

test('every row has a route', () => {
  expect(rows.filter(({ call }) => findRoute(call) === undefined).map(({ title }) => title)).toEqual([]);
});

test('no row stands twice', () => {
  expect(titles.size).toBe(rows.length);
});

let place: Place;
let callers: Record<Identity, Caller>;
let isSpent = true;

async function openPlace(): Promise<void> {
  place = await createPlace(server);
  callers = await createCallers(place);
}

/** What each caller gets for a valid request. What a refused one asked for is still there for the next. */
async function answerAll({ title, named }: { title: string; named: NamedRoute }): Promise<RightsRow['statuses']> {
  const spends = needsOwnPlace(title);
  if (spends || isSpent) await openPlace();
  isSpent = spends;
  const statuses: Partial<RightsRow['statuses']> = {};
  let sample: Sample | undefined;
  for (const identity of identities) {
    const { sender, headers } = callers[identity];
    const isPersonal = title.endsWith('(own)') || !named.route.path.startsWith('/project/');
    if (sample === undefined || isPersonal) sample = await makeSample(title, place, sender);
    const { status } = await send(named, place, sample, headers);
    statuses[identity] = status;
    if (status >= 400 || named.route.method === 'GET') continue;
    if (sample.spendsPlace) await openPlace();
    sample = undefined;
  }
  return statuses as RightsRow['statuses'];
}

const served = rows.flatMap((row) => {
  const named = findRoute(row.call);
  return named === undefined ? [] : [{ ...row, named }];
});

describe('the right to', () => {
  test.each(served)('$title is what the table says', async ({ title, statuses, named }) => {
    expect(await answerAll({ title, named })).toEqual(statuses);
  });
});
