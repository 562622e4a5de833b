import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { aProject, type TestProject } from '../../test/factories.ts';
import { aliasOf, anIntegration, listDeliveriesOf, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { githubCall } from '../../test/webhook-calls.ts';
import { createAlias } from '../integrations/aliases.ts';

/** Two servers on one PostgreSQL; the embedded database has only one, whose requests race with each other. */
let opened: TestDatabase;
let servers: TestServer[];
let project: TestProject;
beforeAll(async () => {
  opened = await openTestDatabase();
  const env = { SIGNALBOX_WEBHOOK_CALLS_PER_MINUTE: '0' };
  const first = await startTestServer({ database: opened, env });
  servers = [first];
  if (opened.database.engine === 'postgres') {
    const database = await openDatabase(opened.settings);
    servers.push(await startTestServer({ database: { ...opened, database, remove: () => database.close() }, env }));
  }
  project = await aProject(first);
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

const server = (at: number): TestServer => {
  const found = servers[at % servers.length];
  if (found === undefined) throw new Error('there is no server');
  return found;
};
const secret = 'agreed';

test('a delivery that arrives at all servers at once starts one task', async () => {
  const { id, alias } = await anIntegration(server(0), project, { auth_method: 'github', secret });
  for (let round = 0; round < 10; round++) {
    const call = githubCall('push', { secret, number: `round-${round}` });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => server(at).call('POST', `/integrations/${alias}`, call)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204]);
    expect(await listTasksOf(server(0), id)).toHaveLength(round + 1);
  }
  const outcomes = (await listDeliveriesOf(server(0), project, id)).map(({ verdict }) => verdict.outcome);
  expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(50);
  for (const { logged } of servers) expect(logged).toEqual([]);
});

test('two servers that draw the same alias make two', async () => {
  const rules = { publicUrl: 'http://x', globalAlias: undefined };
  for (let round = 0; round < 10; round++) {
    const owner = { projectId: project.id, integrationId: null };
    const made = await Promise.all(
      [0, 1, 2, 3].map((at) => {
        const texts = [`same-${round}`, `own-${round}-${at}`];
        const drawText = () => texts.shift() ?? '';
        return createAlias(server(at).database, { ...rules, drawText }, project.owner.actor, owner);
      }),
    );
    const aliases = made.map(({ url }) => aliasOf(url));
    expect(new Set(aliases).size).toBe(4);
    expect(aliases.filter((alias) => alias === `same-${round}`)).toHaveLength(1);
  }
});

test('an integration that is deleted while calls arrive ends none of them in a failure', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, alias } = await anIntegration(server(0), project, { auth_method: 'github', secret });
    const calls = Array.from({ length: 6 }, (_, at) =>
      server(at).call('POST', `/integrations/${alias}`, githubCall('push', { secret: at % 2 ? secret : 'wrong' })),
    );
    const removed = server(1).call('DELETE', `/project/${project.id}/integrations/${id}`, {
      session: project.owner.session,
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
    expect((await removed).status).toBe(204);
    const left = await server(0)
      .database.read.selectFrom('integration_delivery')
      .select('id')
      .where('integration_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  }
});
