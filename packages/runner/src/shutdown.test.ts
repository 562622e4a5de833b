import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeJob, Yard } from './test/fixtures.ts';

let yard: Yard;

beforeEach(async () => {
  yard = await Yard.open();
});

afterEach(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

it('does not begin a task that arrives while it is shut down', async () => {
  const track = yard.server.add(
    yard.script('trap "echo cleaning; sleep 1; exit 0" INT; echo ready; while :; do sleep 0.05; done'),
  );
  await yard.server.until(() => yard.server.textOf(track).includes('ready\n'));
  const [runner] = yard.runners;
  runner?.kill('SIGTERM');
  await yard.server.until(() => yard.server.textOf(track).includes('cleaning\n'));
  const late = yard.server.add(yard.script('echo late'));
  expect(late.instance).toBe(track.instance);
  if (runner) await once(runner, 'exit');
  expect(late.start).toBeNull();
  expect(late.lines).toEqual([]);
  expect(track.finish?.outcome).toBe('error');
});

it('says nothing of a task that it was only preparing when it is shut down, so that another runner gets it', async () => {
  const deaf = createServer(() => undefined);
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const track = yard.server.add(makeJob(`http://127.0.0.1:${(deaf.address() as AddressInfo).port}/deaf.git`));
  await once(deaf, 'connection');
  const [runner] = yard.runners;
  runner?.kill('SIGTERM');
  if (runner) await once(runner, 'exit');
  expect(track.finish).toBeNull();
  expect(readdirSync(join(yard.dataDir, 'tasks'))).toEqual([]);
  deaf.close();
});
