import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pause } from './pause.ts';
import { makeJob, Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';

let yard: Yard;

beforeEach(async () => {
  yard = await Yard.open();
});

afterEach(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
});

function countProcesses(word: string): number {
  let count = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)) count += 1;
    } catch {
      // it ended while we looked
    }
  }
  return count;
}

async function untilLine(track: Track, text: string): Promise<void> {
  await yard.server.until(() => yard.server.textOf(track).includes(text));
}

const numbered = 'for n in $(seq 1 150); do echo line $n; sleep 0.01; done';
const expected = Array.from({ length: 150 }, (_value, index) => `line ${index + 1}\n`).join('');

it('goes on while the server is away, and hands over the whole log when it is back on another port', async () => {
  const track = yard.server.add(yard.script(numbered));
  await untilLine(track, 'line 20\n');
  await yard.server.close();
  await pause(1200);
  await yard.server.listen();
  yard.announce();
  const finish = await yard.server.finished(track);
  expect(finish.outcome).toBe('success');
  expect(yard.server.textOf(track)).toContain(expected);
  expect(yard.server.syncs.every((sync) => sync.instance === track.instance)).toBe(true);
});

it('sends again what the server has lost, from its spool', async () => {
  const track = yard.server.add(yard.script(numbered));
  await untilLine(track, 'line 60\n');
  yard.server.loseAfter(track, 3);
  await yard.server.finished(track);
  expect(yard.server.textOf(track)).toContain(expected);
});

it('sends lines again whose acknowledgement was lost, and no line is stored twice', async () => {
  const track = yard.server.add(yard.script(numbered));
  await untilLine(track, 'line 5\n');
  yard.server.dropLogAnswers = 4;
  await yard.server.finished(track);
  expect(yard.server.dropLogAnswers).toBe(0);
  expect(yard.server.textOf(track)).toContain(expected);
});

it('clears up after a runner that was killed: ends its processes, brings its log, and says that it was lost', async () => {
  const script = 'setsid sleep 4141 & env -i setsid nohup sleep 4141 >/dev/null 2>&1 & echo one; echo two; sleep 4141';
  const track = yard.server.add(yard.script(script));
  await untilLine(track, 'two\n');
  const [first] = yard.runners;
  first?.kill('SIGKILL');
  if (first) await once(first, 'exit');
  expect(countProcesses('4141')).toBeGreaterThan(2);
  yard.startRunner();
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'error', reason: 'runner lost' });
  expect(finish.strays).toBeGreaterThan(2);
  expect(countProcesses('4141')).toBe(0);
  expect(yard.server.textOf(track)).toMatch(
    /one\ntwo\nFailed: the runner was lost while the task ran; \d+ of its processes were ended\n$/,
  );
  const sync = yard.server.syncs.find((candidate) => candidate.instance !== track.instance);
  expect(sync?.holds).toMatchObject([
    { task_id: track.job.task_id, fence: 1, claim_id: track.claimId, phase: 'ended' },
  ]);
  const next = yard.server.add(yard.script('echo next'));
  expect((await yard.server.finished(next)).outcome).toBe('success');
});

it('brings the true ending of a task that had ended before its runner was killed', async () => {
  const track = yard.server.add(yard.script('echo ready; sleep 0.5; echo end; exit 4'));
  await untilLine(track, 'ready\n');
  await yard.server.close();
  const state = join(yard.dataDir, 'tasks', `${track.job.task_id}-${track.claimId}`, 'state.json');
  while (!readFileSync(state, 'utf8').includes('"phase":"ended"')) await pause(20);
  const [first] = yard.runners;
  first?.kill('SIGKILL');
  if (first) await once(first, 'exit');
  await yard.server.listen();
  yard.announce();
  yard.startRunner();
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'error', reason: 'bash ended with exit code 4', exit_code: 4 });
  expect(yard.server.textOf(track)).toContain('ready\nend\nFailed: bash ended with exit code 4\n');
});

it('brings the log of a task whose journal cannot be read, and does not let it run again', async () => {
  const track = yard.server.add(yard.script('setsid sleep 4142 & echo one; sleep 4142'));
  await untilLine(track, 'one\n');
  const [first] = yard.runners;
  first?.kill('SIGKILL');
  if (first) await once(first, 'exit');
  writeFileSync(join(yard.dataDir, 'tasks', `${track.job.task_id}-${track.claimId}`, 'state.json'), '');
  yard.startRunner();
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'error', reason: 'runner lost' });
  expect(yard.server.textOf(track)).toContain('one\nFailed: the runner was lost while the task ran; ');
  expect(countProcesses('4142')).toBe(0);
});

it('drops a task that was only being prepared when its runner was killed, so that it is queued again', async () => {
  const deaf = createServer(() => undefined);
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const { port } = deaf.address() as AddressInfo;
  const track = yard.server.add(makeJob(`http://127.0.0.1:${port}/deaf.git`));
  await once(deaf, 'connection');
  const [first] = yard.runners;
  first?.kill('SIGKILL');
  if (first) await once(first, 'exit');
  yard.startRunner();
  await yard.server.until(() => yard.server.syncs.at(-1)?.instance !== track.instance);
  expect(yard.server.syncs.at(-1)?.holds).toEqual([]);
  expect(countProcesses(`${port}/deaf.git`)).toBe(0);
  deaf.close();
});

it('stops a task whose clone hangs', async () => {
  const deaf = createServer(() => undefined);
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const { port } = deaf.address() as AddressInfo;
  const track = yard.server.add(makeJob(`http://127.0.0.1:${port}/deaf.git`));
  await once(deaf, 'connection');
  yard.server.stop(track, 'stop');
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'stopped' });
  // The fetch is one for all tasks: it is killed when the last of them has left, and gone a moment later.
  await expect.poll(() => countProcesses(`${port}/deaf.git`), { timeout: 5000 }).toBe(0);
  deaf.close();
});

it('leaves at once and quietly when another runner works on the directory', async () => {
  await yard.server.until(() => yard.server.syncs.length > 0);
  const second = yard.startRunner();
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  expect(yard.output).toBe('');
});

it('drains: frees its lock, ends its task, then leaves; the next runner works beside it and names it', async () => {
  const track = yard.server.add(
    yard.script(`echo ready; until [ -e ${yard.directory}/go ]; do sleep 0.1; done; echo through`),
  );
  await untilLine(track, 'ready\n');
  const [first] = yard.runners;
  yard.server.drain();
  await yard.server.until(() => yard.server.syncs.at(-1)?.draining === true);
  yard.server.isDraining = false;
  yard.startRunner();
  await yard.server.until(() => yard.server.syncs.at(-1)?.instance !== track.instance);
  expect(yard.server.syncs.find((sync) => sync.instance !== track.instance)).toMatchObject({
    alongside: [track.instance],
    holds: [],
  });
  writeFileSync(join(yard.directory, 'go'), '');
  const finish = await yard.server.finished(track);
  expect(finish.outcome).toBe('success');
  expect(yard.server.textOf(track)).toContain('through\n');
  if (first && first.exitCode === null) await once(first, 'exit');
  expect(first?.exitCode).toBe(0);
});

it('leaves when it has been alone for long enough, and waits while it holds a task', async () => {
  yard.server.drain();
  const [first] = yard.runners;
  if (first) await once(first, 'exit');
  yard.server.isDraining = false;
  const runner = yard.startRunner({ leave_after_seconds: 0.5 });
  const track = yard.server.add(yard.script('echo ready; sleep 2'));
  await untilLine(track, 'ready\n');
  await yard.server.close();
  await pause(1500);
  expect(runner.exitCode).toBeNull();
  await yard.server.listen();
  yard.announce();
  await yard.server.finished(track);
  await yard.server.close();
  const [code] = await once(runner, 'exit');
  expect(code).toBe(0);
});

it('ends with code 2 when the server refuses it, and with code 1 and one sentence on a bad start line', async () => {
  yard.server.refuseWith = 401;
  await once(yard.runners[0] ?? yard.startRunner(), 'exit');
  expect(yard.runners[0]?.exitCode).toBe(2);
  expect(yard.output).toContain('The server refuses this runner: no\n');
  yard.output = '';
  const bad = yard.startRunner({ address_file: 'relative' });
  await once(bad, 'exit');
  expect(bad.exitCode).toBe(1);
  expect(yard.output.trim().split('\n')).toHaveLength(1);
  expect(yard.output).toContain('address_file');
});

it('stops its tasks when it is told to shut down, and says so', async () => {
  const track = yard.server.add(
    yard.script('trap "echo cleaned; exit 0" INT; echo ready; while :; do sleep 0.05; done'),
  );
  await untilLine(track, 'ready\n');
  yard.runners[0]?.kill('SIGTERM');
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'error', reason: 'The runner was shut down while the task ran' });
  expect(yard.server.textOf(track)).toContain('cleaned\n');
  await once(yard.runners[0] ?? yard.startRunner(), 'exit');
  expect(yard.runners[0]?.exitCode).toBe(0);
  expect(existsSync(join(yard.dataDir, 'tasks')) && readdirSync(join(yard.dataDir, 'tasks'))).toEqual([]);
});

it('says that it cannot open a job that was sealed for another claim', async () => {
  yard.server.sealsWrongly = true;
  const track = yard.server.add(yard.script('echo x'));
  expect(await yard.server.finished(track)).toMatchObject({
    outcome: 'error',
    reason: 'The job was not sealed for this runner',
  });
  expect(yard.server.textOf(track)).toBe('Failed: The job was not sealed for this runner\n');
});

it('answers probes: the head of exactly one branch, and whether a repository can be reached', async () => {
  const path = yard.repository('probed', { 'run.sh': 'true' });
  const { repository } = makeJob(path);
  const at = (id: string, kind: 'remote_head' | 'repository_test', change: Partial<typeof repository> = {}) =>
    yard.server.addProbe({ probe_id: id, kind, repository: { ...repository, ...change } });
  at('head', 'remote_head');
  at('tail', 'remote_head', { branch: 'ain' });
  at('option', 'remote_head', { branch: '--upload-pack=x' });
  at('test', 'repository_test');
  at('away', 'repository_test', { url: '/nonexistent' });
  at('helper', 'repository_test', { url: 'ext::sh -c id' });
  await yard.server.until(() => yard.server.probeAnswers.size === 6);
  const answers = Object.fromEntries([...yard.server.probeAnswers].map(([id, { ok, text }]) => [id, [ok, text]]));
  expect(answers.head).toEqual([true, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  expect(answers.tail).toEqual([false, 'The repository has no branch "ain"']);
  expect(answers.option?.[0]).toBe(false);
  expect(answers.test?.[0]).toBe(true);
  expect(answers.away).toEqual([false, expect.stringContaining('does not exist')]);
  expect(answers.helper).toEqual([false, expect.stringContaining('remote helpers are not allowed')]);
});
