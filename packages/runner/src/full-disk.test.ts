import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';
import { canMount, SmallDisk } from './test/small-disk.ts';

const mayMount = canMount();
const timeout = 60_000;

describe.skipIf(!mayMount)(`a full disk${mayMount ? '' : ' (needs root that may mount)'}`, { timeout }, () => {
  let yard: Yard;
  let disk: SmallDisk;
  beforeEach(async () => {
    yard = await Yard.open({}, (directory) => {
      disk = new SmallDisk(join(directory, 'data'), 8);
    });
    expect((await run('echo before')).outcome).toBe('success');
  });
  afterEach(async () => {
    disk.makeRoom();
    await yard.close().catch(() => undefined);
    disk.unmount();
    await yard.close();
  });

  async function run(text: string) {
    const track = yard.server.add(yard.script(text));
    const { outcome, reason } = await yard.server.finished(track, timeout);
    return { outcome, reason, track };
  }

  /** The runner takes tasks as before, and has kept nothing of those that failed. */
  async function expectGoesOn(): Promise<void> {
    const { outcome, track } = await run('seq 1 1000');
    expect([outcome, track.gaps]).toEqual(['success', []]);
    expect(yard.server.textOf(track)).toContain('\n1000\n');
    await expect.poll(() => readdirSync(join(yard.dataDir, 'tasks')), { timeout }).toEqual([]);
    expect(yard.runners[0]?.exitCode).toBe(null);
  }

  it('fails a task that there is no room for, in one line, and later tasks run when there is room again', async () => {
    disk.fill();
    const { outcome, reason, track } = await run('echo never');
    expect(outcome).toBe('error');
    expect(reason).toMatch(/^The disk of the runner is full: /);
    expect(reason).not.toContain('\n');
    expect(yard.server.textOf(track)).not.toContain('never\n');
    disk.makeRoom();
    await expectGoesOn();
  });

  it('says which lines were lost of a task that was running when the disk became full, and ends it truthfully', async () => {
    const go = join(yard.directory, 'go');
    const track: Track = yard.server.add(
      yard.script(`echo one; until [ -e ${go} ]; do sleep 0.05; done; seq 1 50000; exit 3`),
    );
    await yard.server.until(() => yard.server.textOf(track).includes('one\n'));
    disk.fill();
    writeFileSync(go, '');
    expect(await yard.server.finished(track, timeout)).toMatchObject({
      outcome: 'error',
      reason: 'A part of the log is lost: the disk of the runner is full',
      exit_code: 3,
    });
    expect(new Set(track.gaps.map(({ reason }) => reason))).toEqual(new Set(['the disk of the runner is full']));
    disk.makeRoom();
    await expectGoesOn();
  });

  it('takes away what a task has filled the disk with, also while the next one is waited for', async () => {
    const { outcome, reason, track } = await run('head -c 100000000 /dev/zero > big');
    expect([outcome, reason]).toEqual(['error', 'bash ended with exit code 1']);
    expect(yard.server.textOf(track)).toContain('No space left on device');
    await expectGoesOn();
  });
});
