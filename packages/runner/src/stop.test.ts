import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';

let yard: Yard;

beforeAll(async () => {
  yard = await Yard.open();
});

afterAll(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

/** Processes whose command line holds this word. */
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

it('stops a tool by the interrupt that it handles', async () => {
  const track = yard.server.add(
    yard.script('trap "echo cleaned up; exit 3" INT; echo ready; while :; do sleep 0.1; done'),
  );
  await untilLine(track, 'ready');
  yard.server.stop(track, 'stop');
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'stopped', reason: 'The task was stopped', exit_code: 3 });
  expect(yard.server.textOf(track)).toContain('cleaned up\n');
});

it('kills a tool that ignores everything else when its grace is over', async () => {
  const script = 'trap "" INT TERM; echo ready; sleep 3141; sleep 3141; sleep 3141';
  const track = yard.server.add(yard.script(script, { stop_grace_seconds: 1 }));
  await untilLine(track, 'ready');
  yard.server.stop(track, 'stop');
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'stopped', exit_code: null });
  expect(countProcesses('3141')).toBe(0);
});

it('kills at once by force', async () => {
  const track = yard.server.add(yard.script('trap "" INT TERM; echo ready; while :; do sleep 3142; done'));
  await untilLine(track, 'ready');
  yard.server.stop(track, 'force');
  expect(await yard.server.finished(track)).toMatchObject({
    outcome: 'stopped',
    reason: 'The task was stopped by force',
  });
  expect(countProcesses('3142')).toBe(0);
});

it('leaves no process of a stopped task: no grandchild in a session of its own, and no daemon without environment', async () => {
  const script = [
    'setsid bash -c "trap \\"\\" TERM INT; sleep 3143; sleep 3143" &',
    'env -i /usr/bin/setsid /usr/bin/nohup /bin/bash -c "cd /; exec sleep 3143" > /dev/null 2>&1 < /dev/null &',
    'echo ready',
    'sleep 3143',
  ].join('\n');
  const track = yard.server.add(yard.script(script));
  await untilLine(track, 'ready');
  expect(countProcesses('3143')).toBeGreaterThan(2);
  yard.server.stop(track, 'stop');
  const finish = await yard.server.finished(track);
  expect(finish.outcome).toBe('stopped');
  expect(countProcesses('3143')).toBe(0);
});

it('ends what a successful task left behind, and says how many', async () => {
  const track = yard.server.add(yard.script('nohup sleep 3144 > /dev/null 2>&1 & echo bye'));
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'success', strays: 1 });
  expect(yard.server.textOf(track)).toContain('Ended 1 process that the task left behind');
  expect(countProcesses('3144')).toBe(0);
});

it('keeps the last lines of a child that outlives the script for a moment', async () => {
  const track = yard.server.add(yard.script('exec > >(sleep 0.2; cat) 2>&1; echo through a pipe'));
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'success', strays: 0 });
  expect(yard.server.textOf(track)).toContain('through a pipe\n');
});

it('ends a task that takes longer than it may as an error that says so', async () => {
  const track = yard.server.add(yard.script('sleep 3145', { timeout_seconds: 1 }));
  const finish = await yard.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'error', reason: 'The task took longer than 1 s and was stopped' });
});

it('does not start a tool when a stop came first', async () => {
  const job = yard.script('echo never');
  const track = yard.server.add(job);
  track.stop = 'stop';
  const finish = await yard.server.finished(track);
  expect(finish.outcome).toBe('stopped');
  expect(yard.server.textOf(track)).not.toContain('Running');
});

it('gives up a task that the server does not know any more, and sends nothing more of it', async () => {
  const track = yard.server.add(yard.script('echo ready; while :; do echo tick; sleep 0.05; done; exec sleep 3146'));
  await untilLine(track, 'ready');
  yard.server.forget(track);
  await yard.server.until(() => yard.server.syncs.at(-1)?.holds.length === 0);
  expect(track.finish).toBeNull();
  expect(countProcesses('3146')).toBe(0);
});

it('says by which signal a tool was ended, and with which code it failed', async () => {
  const killed = yard.server.add(yard.script('kill -9 $$'));
  const failed = yard.server.add(yard.script('exit 7'));
  expect((await yard.server.finished(killed)).reason).toBe('bash was ended by signal SIGKILL');
  expect(await yard.server.finished(failed)).toMatchObject({ reason: 'bash ended with exit code 7', exit_code: 7 });
  expect(yard.server.textOf(failed)).toContain('Failed: bash ended with exit code 7\n');
});
