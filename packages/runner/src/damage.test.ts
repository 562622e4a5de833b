import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { explainFailure } from './tasks/endings.ts';
import { Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';

let yard: Yard;

beforeEach(async () => {
  yard = await Yard.open();
});

afterEach(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
});

/** A task that writes while no server is there, and the file of its spool. */
async function spoolAlone(): Promise<{ track: Track; spool: string }> {
  const go = join(yard.directory, 'go');
  const track = yard.server.add(
    yard.script(`echo one; until [ -e ${go} ]; do sleep 0.05; done; seq 1 5000; sleep 0.2`),
  );
  await yard.server.until(() => yard.server.textOf(track).includes('one\n'));
  await yard.server.close();
  writeFileSync(go, '');
  const directory = join(yard.dataDir, 'tasks', `${track.job.task_id}-${track.claimId}`);
  const readState = (): string => readFileSync(join(directory, 'state.json'), 'utf8');
  await expect.poll(readState, { timeout: 10_000 }).toContain('"phase":"ended"');
  const [name = ''] = readdirSync(directory).filter((entry) => entry.endsWith('.spool'));
  return { track, spool: join(directory, name) };
}

async function returnServer(): Promise<void> {
  await yard.server.listen();
  yard.announce();
}

it.each(['cut short', 'overwritten'])(
  'ends a log whose spool was %s with a record of what is lost',
  {
    timeout: 60_000,
  },
  async (way) => {
    const { track, spool } = await spoolAlone();
    const kept = track.next - 1;
    if (way === 'cut short') truncateSync(spool, 10);
    else writeFileSync(spool, Buffer.alloc(readFileSync(spool).length, 'x'));
    const healthy = yard.script('echo healthy');
    await returnServer();
    const other = yard.server.add(healthy);
    expect((await yard.server.finished(other, 50_000)).outcome).toBe('success');
    expect((await yard.server.finished(track, 50_000)).outcome).toBe('success');
    expect(yard.server.textOf(other)).toContain('healthy\n');
    expect(track.gaps).toEqual([
      { first: kept + 1, count: track.next - 1 - kept, reason: expect.stringContaining('is damaged') },
    ]);
    expect(yard.output).toBe('');
  },
);

it('gives up the one report that the server refuses, and brings all others', async () => {
  const tracks = [1, 2, 3, 4, 5].map(() => yard.script('echo through'));
  const refused = tracks[2]?.task_id;
  yard.server.refusesReport = (report) => report.kind === 'finish' && report.task_id === refused;
  const added = tracks.map((job) => yard.server.add(job));
  for (const track of added.filter(({ job }) => job.task_id !== refused)) {
    expect((await yard.server.finished(track)).outcome).toBe('success');
  }
  await yard.server.until(() => yard.server.syncs.at(-1)?.holds.length === 0);
  expect(yard.output).toContain(`Task ${refused}: the server does not take its finish report: bad report\n`);
});

it('cuts the reason of a failure to what a server stores', () => {
  expect(explainFailure(new Error('x'.repeat(100_000))).reason).toHaveLength(1000);
});

it('says why a task could not be taken in hand, and goes on with the next one', { timeout: 30_000 }, async () => {
  const tasks = join(yard.dataDir, 'tasks');
  await yard.server.until(() => yard.server.syncs.length > 0);
  renameSync(tasks, `${tasks}-away`);
  writeFileSync(tasks, 'not a directory');
  const failing = yard.server.add(yard.script('echo never'));
  const finish = await yard.server.finished(failing);
  expect(finish).toMatchObject({ outcome: 'error', seal: { lines: 0, bytes: 0, crc: 0 } });
  expect(finish.reason).toMatch(/^The runner could not run the task: .*tasks/);
  rmSync(tasks);
  renameSync(`${tasks}-away`, tasks);
  expect((await yard.server.finished(yard.server.add(yard.script('echo next')))).outcome).toBe('success');
  expect(yard.output).toContain('could not be taken');
});
