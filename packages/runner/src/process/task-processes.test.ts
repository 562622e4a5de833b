import { once } from 'node:events';
import { closeSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { CgroupTree } from './cgroup.ts';
import { FifoPool } from './fifo-pool.ts';
import { taskMark } from './marked-processes.ts';
import { listSlotUsers, type SlotUser } from './slot-users.ts';
import { endTree, nothingExtra, TaskProcesses } from './task-processes.ts';

let directory: string;
let word: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sbp-'));
  // A time that nothing else sleeps: by it the processes of this test are told from all others.
  word = String(100_000 + Math.floor(Math.random() * 900_000));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function listSleepers(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1') === `sleep\0${word}\0` ? [Number(name)] : [];
    } catch {
      return []; // it ended while we looked
    }
  });
}

/** Runs a script to its end; what it started is left. */
async function run(script: string, cgroups: CgroupTree | null, user: SlotUser | null): Promise<TaskProcesses> {
  const fifos = new FifoPool(join(directory, 'fifos'));
  const fifo = await fifos.take(user);
  const task = { name: `t-${word}`, mark: `${taskMark}=${word}`, directory, spared: null, companions: null };
  const processes = new TaskProcesses(cgroups, user, task);
  const env = { PATH: process.env.PATH ?? '', [taskMark]: word };
  const cwd = user === null ? directory : '/';
  const child = processes.spawn(
    { file: 'bash', args: ['-c', script], cwd, env, stdio: [null, fifo.write, fifo.write] },
    fifo.inode,
  );
  closeSync(fifo.write);
  const reader = new Socket({ fd: fifo.read, readable: true, writable: false });
  reader.resume();
  await once(child, 'exit');
  return processes;
}

const recognisable: [name: string, script: string][] = [
  ['a child in the background', 'sleep WORD &'],
  ['a child that ignores TERM', 'trap "" TERM INT; sleep WORD &'],
  ['a grandchild in a session of its own', 'setsid sleep WORD > /dev/null 2>&1 &'],
  ['a double fork that lost its parent', '(setsid bash -c "sleep WORD & exit" &) > /dev/null 2>&1'],
  ['a daemon without environment that keeps the output', 'cd /; env -i setsid nohup sleep WORD &'],
  ['a daemon without environment that stays in the directory', 'env -i setsid nohup sleep WORD > /dev/null 2>&1 &'],
];

/** Nothing tells it from any other process: a cgroup or a user of its own must. */
const daemon = 'cd /; (env -i setsid nohup sleep WORD > /dev/null 2>&1 < /dev/null &); sleep 0.3';

async function expectEnded(script: string, cgroups: CgroupTree | null, user: SlotUser | null): Promise<void> {
  const processes = await run(
    `${script.replaceAll('WORD', word)}\nwhile ! pgrep -x -f "sleep ${word}" > /dev/null; do :; done`,
    cgroups,
    user,
  );
  expect(listSleepers()).toHaveLength(1);
  await processes.endStrays();
  expect(listSleepers()).toEqual([]);
  processes.dispose();
}

it.each(recognisable)('finds by scan: %s', async (_name, script) => {
  await expectEnded(script, null, null);
});

it('does not find by scan a proper daemon without environment: the hole that the documents name', async () => {
  const processes = await run(daemon.replaceAll('WORD', word), null, null);
  expect(await processes.endStrays()).toBe(0);
  const [left] = listSleepers();
  expect(left).toBeGreaterThan(1);
  process.kill(left ?? 0, 'SIGKILL');
});

const cgroups = CgroupTree.open(`test-${process.pid}`);
afterAll(() => cgroups?.close());
it.skipIf(cgroups === null).each([...recognisable, ['a proper daemon without environment', daemon]])(
  'finds by cgroup: %s (needs a writable cgroup)',
  async (_name, script) => {
    await expectEnded(script, cgroups, null);
  },
);

// Users that every Debian has and that own no process stand in for slot users.
const [slot] = process.getuid?.() === 0 ? listSlotUsers(['games']) : [];
it
  .skipIf(slot === undefined)
  .each([...recognisable.filter(([, script]) => !script.includes('directory')), ['a proper daemon', daemon]])(
  'finds by user: %s (needs root and the user games)',
  async (_name, script) => {
    await expectEnded(script, null, slot ?? null);
  },
);

it('ends a tree from its identity alone, as a successor does', async () => {
  const processes = await run(`setsid sleep ${word} > /dev/null 2>&1 & exit`, null, null);
  const identity = structuredClone(processes.identity);
  expect(await endTree(identity, nothingExtra)).toBe(1);
  expect(listSleepers()).toEqual([]);
});
