import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git, Yard } from './test/fixtures.ts';

let yard: Yard;

beforeEach(async () => {
  yard = await Yard.open();
});

afterEach(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

it('runs a script of the head of the branch and reports commit, log and outcome', async () => {
  const job = yard.script('echo hello "$@"; echo to stderr >&2; git rev-parse HEAD', { variables: { b: 2, a: 'x y' } });
  const track = yard.server.add(job);
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'success', reason: '', exit_code: 0, strays: 0 });
  const head = git(job.repository.url, 'rev-parse', 'HEAD');
  expect(track.start).toMatchObject({ commit_hash: head, commit_message: 'First' });
  const text = yard.server.textOf(track);
  expect(text).toContain(`hello a=x y b=2\nto stderr\n${head}\n`);
  expect(text).toContain(`Checked out ${head.slice(0, 12)} of branch main: First`);
});

it('leaves no directory of a finished task behind', async () => {
  const track = yard.server.add(yard.script('echo done'));
  await yard.server.finished(track);
  yard.server.drain();
  await new Promise((resolve) => yard.runners[0]?.on('exit', resolve));
  expect(readdirSync(join(yard.dataDir, 'tasks'))).toEqual([]);
  const hash = createHash('sha256').update(yard.dataDir).digest('hex').slice(0, 12);
  expect(existsSync(join('/dev/shm', `signalbox-${hash}`))).toBe(false);
});
