import { ErrorBody, errorStatus } from '@signalbox/contract/errors';
import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { TestAnswer, TestServer } from '../start-test-server.ts';
import { type Caller, createCallers, createPlace } from './callers.ts';
import { ChangeWatch } from './change-watch.ts';
import type { Place } from './place.ts';
import type { Sample } from './sample.ts';
import { fillPath, makeSample, needsOwnPlace, titlesOf } from './samples.ts';
import { send, sendRaw } from './send.ts';
import { badIds, oddQueries, spoilBody } from './spoil.ts';
import { startApiServer } from './start-api-server.ts';
import type { Identity, NamedRoute } from './tables.ts';

/** Bad input gets a clear 4xx and changes nothing, whatever is sent to whichever route. */

let server: TestServer;
let place: Place;
let callers: Record<Identity, Caller>;
let watch: ChangeWatch;
let isSpent = false;
beforeAll(async () => {
  server = await startApiServer();
  watch = await ChangeWatch.open(server.database);
  await openPlace();
});
afterAll(() => server.stop());

async function openPlace(): Promise<void> {
  place = await createPlace(server);
  callers = await createCallers(place);
}

const titled = listRoutes().flatMap((named) => titlesOf(named).map((title) => ({ title, named })));

/** Somebody who may ask for it. */
function pickCaller(title: string, { route }: NamedRoute): Caller {
  if (route.path === '/auth/verify' || route.path === '/auth/recovery') return callers.unverified;
  if (route.permission === 'runner') return callers.runner;
  // The end of a project goes on when its answer is long there, and would be taken for what others did.
  if (title === 'DELETE /project/:') return callers.guest;
  return title.endsWith('(own)') ? callers.manager : callers.admin;
}

/** A refusal may be told in the log; a failure is an error. */
const listFailures = (): string[] => server.logged.filter((line) => line.includes('"level":"error"'));

type Answer = Pick<TestAnswer, 'status' | 'text'>;

/** The one shape of errors, the status of their code, and not a row changed. */
async function expectRefusal(what: string, { status, text }: Answer): Promise<void> {
  const changed = await watch.changedTables();
  expect([what, status], text).toEqual([what, expect.toSatisfy((it) => it < 500)]);
  if (status < 400) return;
  const { code } = z.parse(ErrorBody, JSON.parse(text));
  expect([what, status]).toEqual([what, errorStatus[code as keyof typeof errorStatus]]);
  expect(changed, `tables that were written to by ${what}`).toEqual([]);
}

async function prepare(title: string, named: NamedRoute): Promise<{ headers: Record<string, string>; sample: Sample }> {
  const spends = needsOwnPlace(title);
  if (spends || isSpent) await openPlace();
  isSpent = spends;
  server.logged.splice(0);
  const { sender, headers } = pickCaller(title, named);
  const sample = await makeSample(title, place, sender);
  await watch.changedTables();
  return { headers, sample };
}

describe('a body that is wrong changes nothing and is no failure of', () => {
  test.each(titled.filter(({ named }) => named.route.body !== undefined || named.route.binaryBody))(
    '$title',
    async ({ title, named }) => {
      const { headers, sample } = await prepare(title, named);
      for (const { what, body } of spoilBody(sample.body)) {
        // A text would be sent as it is.
        const isText = typeof body === 'string' && what.endsWith(' as the body');
        const spoiled = { ...sample, body: isText ? JSON.stringify(body) : body };
        await expectRefusal(what, await send(named, place, spoiled, headers));
      }
      expect(listFailures()).toEqual([]);
    },
  );
});

describe('an address that is wrong changes nothing and is no failure of', () => {
  test.each(titled.filter(({ named }) => named.route.path.includes(':')))('$title', async ({ title, named }) => {
    const { headers, sample } = await prepare(title, named);
    const { route } = named;
    const good = fillPath(route.path, place, sample).split('/');
    const isId = route.path.split('/').map((part) => part.startsWith(':'));
    for (const [index, part] of good.entries()) {
      for (const bad of isId[index] ? badIds : []) {
        if (bad === part) continue;
        const path = good.with(index, bad).join('/');
        const request = { headers: { ...sample.headers, ...headers }, body: sample.body };
        const answer = await sendRaw(server, route.method, `${server.http.apiPath}${path}`, request);
        expect([path, answer.status]).toEqual([path, expect.toSatisfy((status) => status >= 400 || isTextId(named))]);
        await expectRefusal(path, answer);
      }
    }
    expect(listFailures()).toEqual([]);
  });
});

/** Ids that are texts: what is odd there may be a name that is free. */
const isTextId = ({ route }: NamedRoute): boolean => /:(app_id|alias)/.test(route.path);

describe('a query that is odd is no failure of', () => {
  test.each(titled)('$title', async ({ title, named }) => {
    const { headers, sample } = await prepare(title, named);
    for (const query of oddQueries) {
      const answer = await send(named, place, { ...sample, query }, headers);
      if (answer.status < 400) await watch.changedTables();
      else await expectRefusal(query, answer);
      expect(answer.status, answer.text).toBeLessThan(500);
      if (answer.status < 300 && named.route.method !== 'GET') break;
    }
    expect(listFailures()).toEqual([]);
  });
});

describe('a body of a type that is not taken is refused by', () => {
  test.each(titled.filter(({ named }) => named.route.body !== undefined))('$title', async ({ title, named }) => {
    const { headers, sample } = await prepare(title, named);
    const types = [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ];
    for (const type of types) {
      const body = JSON.stringify(sample.body ?? {});
      const answer = await send(named, place, { ...sample, body, headers: { 'content-type': type } }, headers);
      expect(answer.status).toBe(415);
      await expectRefusal(type, answer);
    }
  });
});
