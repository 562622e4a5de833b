import { afterEach, expect, test } from 'vitest';
import { aProject } from '../../test/factories.ts';
import { anIntegration, listDeliveriesOf, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { githubCall } from '../../test/webhook-calls.ts';
import { sweepDeliveries } from './delivery-sweep.ts';

const servers: TestServer[] = [];
async function start(env: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer({ env });
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
const secret = 'agreed';

test('the global alias reaches the searchable integrations of all projects, and one that fails stops no other', async () => {
  const server = await start({ SIGNALBOX_GLOBAL_INTEGRATION_ALIAS: 'everything' });
  const matchers = [{ key: 'ref', method: 'contains' as const, value: 'main' }];
  const projects = [await aProject(server), await aProject(server), await aProject(server)];
  const integrations = [];
  for (const project of projects) {
    const parts = { searchable: true, matchers, auth_method: 'github' as const, secret };
    integrations.push({ project, ...(await anIntegration(server, project, parts)) });
  }
  const [first, second, third] = integrations;
  // Sealed with a key that is gone.
  await server.database.transact((db) =>
    db
      .updateTable('key')
      .set({ secret: 'sb1:gone:AAAA' })
      .where('project_id', '=', first?.project.id ?? 0)
      .execute(),
  );
  const { headers, body } = githubCall('push', { secret });
  const answer = await server.call('POST', '/integrations/everything', { headers, body });
  expect(answer.status).toBe(204);
  expect(await listTasksOf(server, first?.id ?? 0)).toEqual([]);
  for (const integration of [second, third]) expect(await listTasksOf(server, integration?.id ?? 0)).toHaveLength(1);
  expect(server.logged).toHaveLength(1);
  expect(server.logged[0]).toContain(`"integration":${first?.id}`);
  const alone = await server.call('POST', `/integrations/${first?.alias}`, { headers, body });
  expect([alone.status, alone.error.code]).toEqual([500, 'internal']);
});

test('a call by the global alias is told to nobody but those who know its sender', async () => {
  const server = await start({ SIGNALBOX_GLOBAL_INTEGRATION_ALIAS: 'everything' });
  const matchers = [{ key: 'ref', method: 'contains' as const, value: 'main' }];
  const project = await aProject(server);
  const parts = { searchable: true, matchers, auth_method: 'github' as const };
  const known = await anIntegration(server, project, { ...parts, secret });
  const stranger = await anIntegration(server, project, { ...parts, secret: 'another' });
  await server.call('POST', '/integrations/everything', githubCall('push', { secret }));
  await server.call('POST', '/integrations/everything', githubCall('push', { secret: 'unknown to all' }));
  const [delivery, ...others] = await listDeliveriesOf(server, project, known.id);
  expect(delivery?.verdict).toMatchObject({ outcome: 'started', reached_by: 'global' });
  expect([...others, ...(await listDeliveriesOf(server, project, stranger.id))]).toEqual([]);
});

test('a large body that hundreds of integrations must look at does not stop the server', async () => {
  const server = await start({ SIGNALBOX_GLOBAL_INTEGRATION_ALIAS: 'everything' });
  const project = await aProject(server);
  const { id } = await anIntegration(server, project, { searchable: true, auth_method: 'github', secret });
  await server.database.transact(async (db) => {
    const { id: _, ...row } = await db
      .selectFrom('integration')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('integration')
      .values(Array.from({ length: 300 }, () => row))
      .execute();
  });
  const body = Buffer.alloc(2_000_000, 0x20);
  const { headers } = githubCall('push', { secret: 'wrong', body });
  let turns = 0;
  const done = server.call('POST', '/integrations/everything', { headers, body }).finally(() => clearInterval(timer));
  const timer = setInterval(() => {
    turns += 1;
  });
  expect((await done).status).toBe(204);
  expect(turns).toBeGreaterThan(5);
});

test('without the setting there is no global alias, and a bad one stops the start', async () => {
  const server = await start({});
  expect((await server.call('POST', '/integrations/everything')).status).toBe(404);
  await expect(start({ SIGNALBOX_GLOBAL_INTEGRATION_ALIAS: 'a/b' })).rejects.toThrow(
    'SIGNALBOX_GLOBAL_INTEGRATION_ALIAS must be 1 to 50 letters',
  );
});

test('an alias takes so many calls a minute; those that prove nothing do not shut out the others', async () => {
  const server = await start({ SIGNALBOX_WEBHOOK_CALLS_PER_MINUTE: '2' });
  const project = await aProject(server);
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  const send = (by: string) => server.call('POST', `/integrations/${alias}`, githubCall('push', { secret: by }));
  const statuses: number[] = [];
  for (let call = 0; call < 5; call++) statuses.push((await send('wrong')).status);
  expect(statuses).toEqual([204, 204, 429, 429, 429]);
  expect([(await send(secret)).status, (await send(secret)).status]).toEqual([204, 204]);
  const over = await send(secret);
  expect([over.status, over.error.code]).toEqual([429, 'too_many_attempts']);
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  expect(await listTasksOf(server, id)).toHaveLength(2);
  expect(await listDeliveriesOf(server, project, id)).toHaveLength(4);
});

test('so many deliveries are kept of an integration, and as many that came to nothing', async () => {
  const server = await start({ SIGNALBOX_WEBHOOK_DELIVERIES: '3' });
  const project = await aProject(server);
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  const sibling = await anIntegration(server, project);
  await server.call('POST', `/integrations/${sibling.alias}`);
  for (const by of [secret, secret, secret, secret, 'wrong', 'wrong', 'wrong', 'wrong', 'wrong']) {
    await server.call('POST', `/integrations/${alias}`, githubCall('push', { secret: by }));
  }
  const deliveries = await listDeliveriesOf(server, project, id);
  expect(deliveries.map(({ verdict }) => verdict.outcome)).toEqual([
    'refused',
    'refused',
    'refused',
    'started',
    'started',
    'started',
  ]);
  expect(await listTasksOf(server, id)).toHaveLength(4);
  expect(await listDeliveriesOf(server, project, sibling.id)).toHaveLength(1);
});

test('deliveries are deleted when they are old, however few they are', async () => {
  const server = await start({});
  const project = await aProject(server);
  const { id, alias } = await anIntegration(server, project);
  for (let call = 0; call < 3; call++) await server.call('POST', `/integrations/${alias}`);
  const [, , oldest] = await listDeliveriesOf(server, project, id);
  const day = 86_400_000;
  await server.database.transact((db) =>
    db
      .updateTable('integration_delivery')
      .set({ created: Date.now() - 31 * day })
      .where('id', '=', oldest?.id ?? 0)
      .execute(),
  );
  await sweepDeliveries(server.database, 30, Date.now());
  expect(await listDeliveriesOf(server, project, id)).toHaveLength(2);
  await sweepDeliveries(server.database, 30, Date.now() + 31 * day);
  expect(await listDeliveriesOf(server, project, id)).toEqual([]);
  expect(await listTasksOf(server, id)).toHaveLength(3);
});
