import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aUser } from '../test/factories.ts';
import { startTestServer } from '../test/start-test-server.ts';

type Wire = { readonly port: number; cut(): Promise<void>; mend(): Promise<void> };

/** The way to a database, which can be cut. */
async function layWire(to: URL): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()); // the other end sees it, too
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    cut: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    mend: () => listen(port),
  };
}

async function openCuttable(): Promise<{ opened: TestDatabase; wire: Wire }> {
  const { url, drop } = await createTestDatabase('empty');
  const wire = await layWire(new URL(url));
  const through = new URL(url);
  through.port = String(wire.port);
  const dataDir = await mkdtemp(path.join(tmpdir(), `signalbox-test-${process.pid}-`));
  const settings = { dataDir, url: through.href, encryptionKey: Buffer.alloc(32, 7).toString('base64') };
  const database = await openDatabase(settings);
  const remove = async () => {
    await database.close();
    await wire.cut();
    await drop();
    await rm(dataDir, { recursive: true });
  };
  return { opened: { database, dataDir, settings, remove }, wire };
}

test('while PostgreSQL is away, requests are answered with 503 and one line says so, and later as before', async () => {
  const { opened, wire } = await openCuttable();
  const server = await startTestServer({ database: opened });
  const { session } = await aUser(server, { admin: true });
  const list = () => server.call('GET', '/projects', { session });
  const add = () => server.call('POST', '/projects', { session, body: { name: 'Site' } });
  expect((await list()).status).toBe(200);
  await wire.cut();
  server.logged.length = 0;
  for (const ask of [list, add, list, add]) {
    const answer = await ask();
    expect([answer.status, answer.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('2');
  }
  const told = server.logged.filter((line) => line.includes('503'));
  expect(told).toHaveLength(1);
  expect(server.logged.join('')).not.toMatch(/ at \S+\.(ts|js):/);
  await wire.mend();
  expect((await list()).status).toBe(200);
  expect((await add()).status).toBe(201);
  await server.stop();
});
