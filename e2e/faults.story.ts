import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Order, Progress, playRow } from './faults/progress.ts';
import { type Database, openRig, type Rig } from './faults/rig.ts';
import { type Amounts, listRows } from './faults/rows.ts';

/** A short run of the campaign of `npm run faults`. */
const amounts: Amounts = {
  kills: 2,
  races: 2,
  racers: 36,
  outages: 1,
  stops: 4,
  schedules: 2,
  queue: 40,
  lines: 50_000,
};
const lines = 60;
const silent = (): void => undefined;
const listShort = (database: Database) => listRows([database], amounts);
const order: Order = { seed: 7, databases: ['sqlite', 'postgres'], amounts };

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ database, lines, isDouble: true });
  });
  afterAll(() => rig?.[Symbol.asyncDispose]());
  // One for all rows: most of the time would go into starting servers.
  const share = () => Promise.resolve({ ...rig, [Symbol.asyncDispose]: () => Promise.resolve() });

  test.each(listShort(database).map((row) => [row.name, row] as const))(
    '%s: no task is lost, run twice or left behind, and no line is missing',
    async (_name, row) => {
      const progress = Progress.begin(null, order);
      await playRow(row, progress, share, silent);
      expect(progress.of(row)).toMatchObject({ faults: row.goal, problems: [] });
    },
  );
});

test('a campaign that was broken off goes on behind its last round, with what it was asked for', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sbf-'));
  try {
    const file = join(directory, 'state.json');
    const [row] = listShort('sqlite');
    if (row === undefined) throw new Error('no row');
    Progress.begin(file, order).add(row, { faults: 1, tasks: 16, problems: ['one'] }, 2);
    const again = Progress.resume(file);
    expect(again.order).toEqual(order);
    expect(again.of(row)).toEqual({ faults: 1, tasks: 16, problems: ['one'], seconds: 2 });
    again.add(row, { faults: 1, tasks: 16, problems: [] }, 2);
    expect(Progress.resume(file).of(row)).toMatchObject({ faults: 2, tasks: 32 });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
