import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';
import { addressFile, readServerId, writeAddress } from './address-file.ts';
import { insertPlaceholder } from './runner-instances.ts';

let server: EngineServer;
beforeEach(async () => {
  server = await startEngineServer();
}, 60_000);
afterEach(() => server.stop());

/** A process of the built-in runner, as the server lets one in. */
async function aBuiltInPeer(token: string): Promise<RunnerPeer> {
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const id = readServerId(server.config.dataDir);
  await server.database.transact((db) => insertPlaceholder(db, { server: id, tokenHash, now: Date.now() }));
  return new RunnerPeer(token, server.url);
}

/** What a process is told when it says something new. */
async function listen(peer: RunnerPeer) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  return await peer.ask({}, controller.signal).catch(() => 'nothing');
}

describe('the token of the built-in runner', () => {
  test('is that of one process', async () => {
    const peer = await aBuiltInPeer('first');
    expect(await listen(peer)).toBe('nothing');
    await expect(new RunnerPeer('first', server.url).sync()).rejects.toThrow('401');
  });

  test('of an older process stays good until that process is gone', async () => {
    const older = await aBuiltInPeer('first');
    expect(await listen(older)).toBe('nothing');
    const newer = await aBuiltInPeer('second');
    newer.alongside = [older.instance];
    expect(await listen(newer)).toBe('nothing');
    expect(await older.report()).toEqual([]);
  });

  test('is stored as a hash', async () => {
    await aBuiltInPeer('a-token-that-nobody-may-read');
    const rows = await server.database.read.selectFrom('runner_instance').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a-token-that');
  });
});

describe('a built-in runner of another version', () => {
  test('that this server has started works', async () => {
    const peer = await aBuiltInPeer('first');
    peer.version = '0.0.1';
    expect(await listen(peer)).toBe('nothing');
  });

  test('that an earlier server has left is told to drain', async () => {
    const peer = await aBuiltInPeer('first');
    peer.version = '0.0.1';
    await listen(peer);
    // To a server that has just come up every runner is new.
    server.engine.hub.forget(peer.instance);
    expect(await listen(peer)).toMatchObject({ commands: [{ kind: 'drain' }] });
  });
});

test('a server that ends tells an idle built-in runner to end too, and leaves a remote one alone', async () => {
  const builtIn = await aBuiltInPeer('first');
  const remote = new RunnerPeer((await aRunner(server)).token, server.url);
  const open = [builtIn.ask(), remote.ask()];
  await expect.poll(() => [...server.engine.hub.sessions()].filter((session) => session.isOpen).length).toBe(2);
  await server.engine.stop();
  const [first, second] = await Promise.all(open);
  expect(first?.commands).toEqual([{ kind: 'drain' }]);
  expect(second?.commands).toEqual([]);
  await expect(remote.sync()).rejects.toThrow('503');
});

test('a runner with a key that is none is refused, before anything is sealed for it', async () => {
  const peer = new RunnerPeer((await aRunner(server)).token, server.url);
  await expect(peer.sync({ public_key: 'AAAA' })).rejects.toThrow('400');
});

test('the address file is readable for the user of the server alone, and replaced as a whole', () => {
  const { dataDir } = server.config;
  writeAddress(dataDir, 'http://127.0.0.1:4711/base');
  expect(JSON.parse(readFileSync(addressFile(dataDir), 'utf8'))).toEqual({ url: 'http://127.0.0.1:4711/base' });
  expect(statSync(addressFile(dataDir)).mode & 0o777).toBe(0o600);
  expect(readServerId(dataDir)).toBe(readServerId(dataDir));
});
