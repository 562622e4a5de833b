import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeJob, makeRepository } from './test/fixtures.ts';
import { ProtocolServer } from './test/protocol-server.ts';

let server: ProtocolServer;
let directory: string;
let runner: ChildProcess | undefined;

beforeEach(async () => {
  server = new ProtocolServer();
  await server.listen();
  directory = mkdtempSync(join(tmpdir(), 'signalbox-refused-'));
  mkdirSync(join(directory, 'repositories'));
});
afterEach(async () => {
  if (runner?.exitCode === null) {
    const isOver = once(runner, 'exit');
    runner.kill('SIGTERM');
    runner.kill('SIGTERM');
    await isOver;
  }
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  expect(server.problems).toEqual([]);
});

/** A remote runner: as an operator starts it. */
function start(env: Record<string, string> = {}): ChildProcess {
  const key = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(directory, 'key.pem'), key, { mode: 0o600 });
  runner = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'start'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      SIGNALBOX_SERVER: server.url,
      SIGNALBOX_RUNNER_TOKEN: server.token,
      SIGNALBOX_RUNNER_PRIVATE_KEY_FILE: join(directory, 'key.pem'),
      SIGNALBOX_RUNNER_DATA: join(directory, 'data'),
      SIGNALBOX_LOCAL_REPOSITORIES: join(directory, 'repositories'),
      ...env,
    },
  });
  return runner;
}

function script(text: string) {
  const path = join(directory, 'repositories', 'one');
  makeRepository(path, { 'run.sh': text });
  return makeJob(path);
}

it('goes on with its task while its token is refused by mistake, and hands over all of it', async () => {
  start();
  const track = server.add(script('echo first; sleep 3; echo last'));
  await server.until(() => server.textOf(track).includes('first\n'));
  server.refuseWith = 401;
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(track.finish).toBeNull();
  server.refuseWith = null;
  expect(await server.finished(track)).toMatchObject({ outcome: 'success' });
  expect(server.textOf(track)).toContain('first\nlast\n');
});

it('takes one task and ends, when it is for one task', async () => {
  const isOver = once(start({ SIGNALBOX_RUNNER_ONE_OFF: '1' }), 'exit');
  const track = server.add(script('echo done'));
  expect(await server.finished(track)).toMatchObject({ outcome: 'success' });
  expect(await isOver).toEqual([0, null]);
  expect(new Set(server.syncs.map(({ free }) => free))).toEqual(new Set([1, 0]));
});
