import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git, makeJob, Yard } from './test/fixtures.ts';

let yard: Yard;

beforeEach(async () => {
  yard = await Yard.open();
});

afterEach(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

async function leave(): Promise<void> {
  const runner = yard.runners.at(-1);
  yard.server.drain();
  if (runner) await once(runner, 'exit');
  yard.server.isDraining = false;
}

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

it('says in its first line how it finds what tasks leave behind', async () => {
  await yard.server.until(() => yard.server.syncs.length > 0);
  expect(yard.started).toBe(1);
});

it('masks what the operator forwards to tools, but no short word', async () => {
  const own = await Yard.open({ env: { TOKEN: 'forwarded-token', MODE: 'prod' } });
  const track = own.server.add(own.script('echo "<$TOKEN> <$MODE>"'));
  await own.server.finished(track);
  expect(own.server.textOf(track)).toContain('<***> <prod>\n');
  await own.close();
});

it('removes copies of repositories that no task has used for a month, when it starts', async () => {
  const job = yard.script('echo done');
  await yard.server.finished(yard.server.add(job));
  const caches = join(yard.dataDir, 'repositories');
  const [used = ''] = readdirSync(caches);
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  utimesSync(join(caches, used), old, old);
  await yard.server.finished(yard.server.add(makeJob(job.repository.url)));
  await leave();
  mkdirSync(join(caches, 'unused'));
  utimesSync(join(caches, 'unused'), old, old);
  yard.startRunner();
  await yard.server.finished(yard.server.add(makeJob(job.repository.url)));
  await leave();
  expect(readdirSync(caches)).toEqual([used]);
});

it('removes the directories of tasks soon after the last one, without being ended', async () => {
  const job = yard.script('echo done');
  await Promise.all([1, 2, 3].map(() => yard.server.finished(yard.server.add(makeJob(job.repository.url)))));
  await expect.poll(() => readdirSync(join(yard.dataDir, 'tasks')), { timeout: 20_000 }).toEqual([]);
});

it('leaves no directory of a finished task behind', async () => {
  const track = yard.server.add(yard.script('echo done'));
  await yard.server.finished(track);
  await leave();
  expect(readdirSync(join(yard.dataDir, 'tasks'))).toEqual([]);
  const hash = createHash('sha256').update(yard.dataDir).digest('hex').slice(0, 12);
  expect(existsSync(join('/dev/shm', `signalbox-${hash}`))).toBe(false);
});
