import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSlotUsers } from './process/slot-users.ts';
import { Yard } from './test/fixtures.ts';

// A user that every Debian has and that owns no process stands in for a slot user.
const isRoot = process.getuid?.() === 0 && listSlotUsers(['games']).length === 1;
let yard: Yard;

describe.skipIf(!isRoot)('a runner with slot users (needs root and the user games)', () => {
  beforeAll(async () => {
    yard = await Yard.open({ slot_users: ['games'] }, (directory) => chmodSync(directory, 0o755));
  });

  afterAll(async () => {
    await yard.close();
    expect(yard.server.problems).toEqual([]);
    expect(yard.output).toBe('');
  });

  it('runs each task as one of them, in a directory that is theirs, and only as many as there are', async () => {
    const script = [
      'id -un',
      'echo to stderr > /dev/stderr',
      'git rev-parse HEAD > made-here && cat made-here',
      'cat "$SEMAPHORE_VARS_FILE" | sha256sum',
      'touch "$HOME/mine" "$TMPDIR/mine"',
      'head -c1 /dev/shm/signalbox-*/*/vars.json 2> /dev/null | wc -c',
      `ls ${yard.dataDir}/repositories 2>&1 | tail -1`,
      '(cd /; env -i setsid nohup sleep 6161 > /dev/null 2>&1 < /dev/null &); sleep 0.3',
    ].join('\n');
    const tracks = [1, 2, 3].map(() => yard.server.add(yard.script(script, { secret_variables: { A: 'secret-a' } })));
    for (const track of tracks) {
      const finish = await yard.server.finished(track);
      expect(finish).toMatchObject({ outcome: 'success', strays: 1 });
      const text = yard.server.textOf(track);
      expect(text).toContain(`games\nto stderr\n${track.start?.commit_hash}\n`);
      expect(text).toContain('Permission denied');
    }
    expect(yard.server.syncs.every((sync) => sync.free !== null && sync.free <= 1)).toBe(true);
  });

  it('keeps the user of a task that could not be taken for the next one', async () => {
    const tasks = join(yard.dataDir, 'tasks');
    renameSync(tasks, `${tasks}-away`);
    writeFileSync(tasks, '');
    const failing = yard.server.add(yard.script('echo never'));
    await expect.poll(() => yard.output, { timeout: 10_000 }).toContain('could not be taken');
    rmSync(tasks, { force: true });
    renameSync(`${tasks}-away`, tasks);
    const next = yard.server.add(yard.script('id -un'));
    expect((await yard.server.finished(next)).outcome).toBe('success');
    expect(failing.start).toBeNull();
    expect((await yard.server.finished(failing)).outcome).toBe('error');
    yard.output = '';
  });
});
