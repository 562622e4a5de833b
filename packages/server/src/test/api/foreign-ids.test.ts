import { listRoutes } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { TestServer } from '../start-test-server.ts';
import { createPlace } from './callers.ts';
import { ChangeWatch } from './change-watch.ts';
import type { Place, Sender } from './place.ts';
import type { Sample } from './sample.ts';
import { makeSample, titlesOf } from './samples.ts';
import { send } from './send.ts';
import { startApiServer } from './start-api-server.ts';
import { findRoute, type NamedRoute } from './tables.ts';

/** Every id of a valid request, in path and body, is replaced by one of another project. */

let server: TestServer;
let own: Place;
let foreign: Place;
let watch: ChangeWatch;
beforeAll(async () => {
  server = await startApiServer();
  own = await createPlace(server);
  foreign = await createPlace(server);
  watch = await ChangeWatch.open(server.database);
});
afterAll(() => server.stop());

const inProjects = listRoutes().filter(({ route }) => route.path.startsWith('/project/:'));
const titled = inProjects.flatMap((named) => titlesOf(named).map((title) => ({ title, named })));

const ownerOf = ({ project }: Place): Sender => ({ userId: project.owner.id, session: project.owner.session });
const adminOf = ({ admin }: Place): Sender => ({ userId: admin.id, session: admin.session });

type Forgery = { what: string; sample: Sample; statuses: number[] };

/** The sample of one project with one id of the other. What stands in the path stands in the body too. */
function forge(mine: Sample, theirs: Sample): Forgery[] {
  const inPath = (mine.ids ?? []).flatMap((id, index): Forgery[] => {
    const other = theirs.ids?.[index];
    if (other === undefined || other === id) return [];
    const sample = { ...mine, ids: mine.ids?.with(index, other) ?? [], body: renumber(mine.body, id, other) };
    return [{ what: `id ${index + 1} of the path`, sample, statuses: [404] }];
  });
  const inBody = forgeBody(mine.body, theirs.body).map(({ what, body }) => ({
    what,
    sample: { ...mine, body },
    statuses: [400, 404],
  }));
  return [...inPath, ...inBody];
}

function renumber(body: unknown, id: number | string, other: number | string): unknown {
  if (!isObject(body) || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isReference(name) && value === id ? other : value]),
  );
}

/** People belong to no project. */
const isReference = (name: string): boolean => /(^|_)id$/.test(name) && name !== 'user_id';

function forgeBody(mine: unknown, theirs: unknown, path = ''): { what: string; body: unknown }[] {
  if (!isObject(mine) || !isObject(theirs)) return [];
  return Object.entries(mine).flatMap(([name, value], index) => {
    const at = `${path}${name}`;
    if (/^\d+$/.test(name)) {
      const { [name]: _, ...rest } = mine;
      return [{ what: `${at} as a key`, body: { ...rest, [Object.keys(theirs)[index] ?? '']: value } }];
    }
    const other = theirs[name];
    if (isReference(name) && typeof value === 'number' && typeof other === 'number' && other !== value) {
      return [{ what: at, body: { ...mine, [name]: other } }];
    }
    const inner = forgeBody(value, other, `${at}.`);
    return inner.map(({ what, body }) => ({ what, body: { ...mine, [name]: body } }));
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value);

describe('an id of another project', () => {
  test.each(titled)('is refused by $title and changes nothing', async ({ title, named }) => {
    const mine = await makeSample(title, own, ownerOf(own));
    const theirs = await makeSample(title, foreign, ownerOf(foreign));
    await watch.changedTables();
    for (const { session } of [ownerOf(own), adminOf(own)]) {
      for (const { what, sample, statuses } of forge(mine, theirs)) {
        const answer = await send(named, own, sample, { cookie: `signalbox=${session}` });
        expect([what, answer.status, answer.text], what).toEqual([what, expect.toBeOneOf(statuses), answer.text]);
        expect([what, await watch.changedTables()]).toEqual([what, []]);
      }
    }
  });
});

describe('what belongs to another person', () => {
  const personal = [
    'DELETE /user/tokens/:token_id',
    'DELETE /user/sessions/:session_id',
    'DELETE /users/:user_id/sessions/:session_id (own)',
    'GET /users/:user_id/2fas/totp/:totp_id/qr (own)',
    'DELETE /users/:user_id/2fas/totp/:totp_id (own)',
  ];
  test.each(personal)('is not there for %s', async (title) => {
    const named = findRoute(title.replace(' (own)', ''));
    if (named === undefined) throw new Error(`There is no ${title}`);
    const sender = ownerOf(own);
    const mine = await makeSample(title, own, sender);
    const theirs = await makeSample(title, foreign, ownerOf(foreign));
    await watch.changedTables();
    const ids = [...(mine.ids ?? []).slice(0, -1), theirs.ids?.at(-1) ?? ''];
    const answer = await send(named, own, { ...mine, ids }, { cookie: `signalbox=${sender.session}` });
    expect(answer.status).toBe(404);
    expect(await watch.changedTables()).toEqual([]);
  });
});

/** Ids that name no object of a project, or that say again what the path says and are not looked at. */
const exempt: Record<string, string[]> = {
  'team.add': ['user_id'],
  'templates.create': ['template_id'],
  'templates.update': ['template_id'],
};

test.each(inProjects.filter(({ route }) => route.body !== undefined))(
  'the samples of $name name every id that its body may hold',
  async (named) => {
    const texts = await Promise.all(
      titlesOf(named).map(async (title) => JSON.stringify((await makeSample(title, own, adminOf(own))).body)),
    );
    const missing = listIds(named).filter((name) => !texts.some((text) => new RegExp(`"${name}":\\d`).test(text)));
    expect(missing).toEqual([]);
  },
);

function listIds({ name: routeName, route }: NamedRoute): string[] {
  if (route.body === undefined) return [];
  const text = JSON.stringify(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }));
  const names = [...text.matchAll(/"(\w+_id)":\{/g)].map(([, name]) => String(name));
  return [...new Set(names)].filter((name) => !exempt[routeName]?.includes(name));
}
