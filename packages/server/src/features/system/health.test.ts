import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openPostgresForReading } from '../../db/postgres.ts';
import type { StateTables } from '../../db/tables.ts';
import type { Engine } from '../../engine/start.ts';
import { aProject, aUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { describeHealth } from './health.ts';

type Pulse = ReturnType<Engine['readPulse']>;

let server: TestServer;
let problems: string[] = [];
const healthy: Pulse = { isWriteRefused: false, sinceWrite: 0, sinceSweep: 0, clockBehind: 0, clockError: 0 };
let pulse: Partial<Pulse> = {};

async function start(): Promise<void> {
  problems = [];
  pulse = {};
  const readFacts = async () => ({ tools: [], sharedUser: false, problems });
  server = await startTestServer({ engine: { readFacts, readPulse: () => ({ ...healthy, ...pulse }) } });
}
afterEach(() => server.stop());

async function ask(headers: Record<string, string> = {}, session?: string) {
  const { status, body } = await server.fetch('GET', '/healthz', { headers, session });
  return [status, body];
}

const forwarded = { 'x-forwarded-for': '192.0.2.1' };

describe('health', () => {
  test('is degraded while tasks wait or clocks differ, and failing while nothing can be stored', async () => {
    await start();
    expect(await ask()).toEqual([200, { status: 'ok', problems: [] }]);
    problems = ['No runner is online: tasks wait'];
    expect(await ask()).toEqual([200, { status: 'degraded', problems }]);
    problems = [];
    const cases: [Partial<Pulse>, number, string, string][] = [
      [{ sinceWrite: 19_000, sinceSweep: 29_000, clockError: 4000 }, 200, 'ok', ''],
      [{ sinceSweep: 31_000 }, 200, 'degraded', 'The queue has not been looked after for 31 s'],
      [{ clockError: -7000 }, 200, 'degraded', 'The clocks of this server and of its database differ by 7 s'],
      [{ clockBehind: 9000 }, 200, 'degraded', 'The clock stands 9 s before what was stored last'],
      [{ sinceWrite: 21_000 }, 503, 'failing', 'Nothing could be stored for 21 s'],
      [{ isWriteRefused: true, sinceWrite: 3000 }, 503, 'failing', 'The database does not store anything'],
    ];
    for (const [facts, code, status, problem] of cases) {
      pulse = facts;
      expect(await ask()).toEqual([code, { status, problems: problem === '' ? [] : [problem] }]);
    }
  });

  test('tells a stranger one word, and an administrator the reasons', async () => {
    await start();
    problems = ['No runner is online: tasks wait'];
    const project = await aProject(server);
    const admin = await aUser(server, { admin: true });
    expect(await ask(forwarded)).toEqual([200, { status: 'degraded' }]);
    expect(await ask({ via: '1.1 proxy' })).toEqual([200, { status: 'degraded' }]);
    expect(await ask(forwarded, project.owner.session)).toEqual([200, { status: 'degraded' }]);
    expect(await ask({ ...forwarded, authorization: 'Bearer odd' })).toEqual([200, { status: 'degraded' }]);
    expect(await ask(forwarded, admin.session)).toEqual([200, { status: 'degraded', problems }]);
  });
});

test('the sweep of a server proves that it can store, and notices when it cannot', async () => {
  server = await startTestServer();
  await server.engine.sweep();
  const rows = await server.database.read.selectFrom('server_pulse').selectAll().execute();
  expect(rows).toMatchObject([{ server: expect.any(String), seen: expect.any(Number) }]);
  expect(server.engine.readPulse()).toMatchObject({ isWriteRefused: false, clockBehind: 0 });
  // Whatever the reason is, a write that fails is one: here the table is gone.
  await server.database.transact((db) => db.schema.alterTable('server_pulse').renameTo('gone').execute());
  await server.engine.sweep();
  expect(server.engine.readPulse().isWriteRefused).toBe(true);
  const { status, body } = await server.fetch('GET', '/healthz');
  expect([status, body]).toMatchObject([503, { status: 'failing' }]);
  expect(server.logged.filter((line) => line.includes('does not store'))).toHaveLength(1);
  await server.database.transact((db) => db.schema.alterTable('gone').renameTo('server_pulse').execute());
  await server.engine.sweep();
  expect(server.engine.readPulse().isWriteRefused).toBe(false);
});

test('a clock that was set back shows, and is told in the log', async () => {
  server = await startTestServer();
  const later = Date.now() + 3_600_000;
  await server.database.transact((db) =>
    db.insertInto('server_pulse').values({ server: 'another', seen: later }).execute(),
  );
  await server.engine.sweep();
  expect(server.engine.readPulse().clockBehind).toBeGreaterThan(3_500_000);
  expect(server.logged.some((line) => line.includes('clock was set back'))).toBe(true);
});

test('a database that takes a connection and says nothing is failing, and soon', async () => {
  server = await startTestServer();
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const sockets: Socket[] = [];
  silent.on('connection', (socket) => sockets.push(socket));
  const read = openPostgresForReading<StateTables>(`postgres://nobody@127.0.0.1:${port}/nothing`, 1);
  const { database, engine, config } = server;
  const asked = performance.now();
  const health = await describeHealth({ database: { ...database, read }, engine, dataDir: config.dataDir });
  expect(health).toEqual({ status: 'failing', problems: ['The database does not answer'] });
  expect(performance.now() - asked).toBeLessThan(8000);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await read.destroy();
});
