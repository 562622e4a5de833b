import { maxChunkBytes, maxRecordBytes } from '@signalbox/contract/log-frame';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { findLogState, maxRangeBytes, readRange } from '../db/log-lines.ts';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { createRandom, LogWriter, type WrittenLine } from '../test/log-writer.ts';
import { insertProject, insertTask, insertTemplate } from '../test/rows.ts';
import { BadFrame, type Frame } from './log-frames.ts';
import { appendFrames, deleteRetiredLogs, sealLog } from './log-store.ts';

const task = 7;

function writeLines(texts: readonly (string | Buffer)[]): LogWriter {
  return new LogWriter(
    task,
    texts.map((text, index) => ({ time: 1000 + index, text: Buffer.from(text), continued: false })),
  );
}

function writeNumbered(count: number): LogWriter {
  return writeLines(Array.from({ length: count }, (_, index) => `line ${index + 1}`));
}

/** CR LF is one line end. */
function toShown({ text, continued }: WrittenLine): string {
  const shown = text.toString();
  return continued ? shown : shown.replace(/\r$/, '');
}

/** Lines of all kinds: empty, long, in pieces, with NUL and broken UTF-8. */
function writeRandom(seed: number, count: number): LogWriter {
  const random = createRandom(seed);
  const kinds: (() => Buffer)[] = [
    () => Buffer.alloc(0),
    () => Buffer.from(`line ${random(1000)} ünïcödé \u001b[31mred\u001b[0m`),
    () => Buffer.from(Array.from({ length: random(300) }, () => random(256)).filter((byte) => byte !== 10)),
    () => Buffer.from('ok: [host]'),
  ];
  let time = 1_700_000_000_000;
  const lines: WrittenLine[] = [];
  while (lines.length < count) {
    time += random(3) === 0 ? random(100_000) : 0;
    const isLong = random(150) === 0;
    if (isLong)
      for (let part = random(4); part > 0; part -= 1)
        lines.push({ time, text: Buffer.alloc(65_536, 'x'), continued: true });
    lines.push({ time, text: kinds[random(kinds.length)]?.() ?? Buffer.alloc(0), continued: false });
  }
  return new LogWriter(task, lines);
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let opened: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    database = opened.database;
  });
  afterEach(() => opened.remove());

  const append = (frames: Frame[]) => appendFrames(database.logs, task, frames);
  const listChunks = () =>
    database.logs.read.selectFrom('log_chunk').selectAll().where('task_id', '=', task).orderBy('first_line').execute();

  async function readRaw(): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of database.reader.streamRaw(task)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  test.each([1, 2, 3, 4, 5, 6])(
    'a log is what was written, however it was cut and sent again (seed %i)',
    async (seed) => {
      const log = writeRandom(seed, 3000);
      const random = createRandom(seed + 100);
      for (let next = 1; next <= log.lines.length; ) {
        // A runner that lost an answer starts over from some line before, with other cuts; one that is ahead is called back.
        let first = Math.max(1, next - (random(3) === 0 ? random(700) : 0) + (random(10) === 0 ? random(50) : 0));
        const frames: Frame[] = [];
        for (let more = random(5); more >= 0 && first <= log.lines.length; more -= 1) {
          const count = 1 + random([3, 30, 500][random(3)] ?? 1);
          frames.push(log.cut(first, Math.min(count, log.lines.length + 1 - first)));
          first += count;
        }
        const after = await append(frames);
        expect(after).toBeGreaterThanOrEqual(next);
        next = after;
      }
      expect(await sealLog(database.logs, task, log.seal())).toBe(log.lines.length);
      expect((await readRaw()).equals(log.raw())).toBe(true);
      const lines = await readRange(database.logs.read, task, 1, log.lines.length);
      expect(lines.map((line) => line.line)).toEqual(log.lines.map((_, index) => index + 1));
      expect(lines.map((line) => Date.parse(line.time))).toEqual(log.lines.map((line) => line.time));
      expect(lines.map((line) => line.output)).toEqual(log.lines.map(toShown));
      expect(lines.map((line) => line.continued === true)).toEqual(log.lines.map((line) => line.continued));
      expect((await listChunks()).at(-1)?.crc).toBe(log.seal().crc);
    },
  );

  test('the bytes of a chunk are stored as they came', async () => {
    const frame = writeNumbered(600).cut(1, 400);
    expect(await append([frame])).toBe(401);
    expect(Buffer.from((await listChunks())[0]?.data ?? []).equals(frame.data)).toBe(true);
  });

  test('a hole stores nothing behind it, and the answer names the line that is missing', async () => {
    const log = writeRandom(1, 100);
    expect(await append([log.cut(2, 10)])).toBe(1);
    expect(await append([log.cut(1, 10), log.cut(12, 10)])).toBe(11);
    expect(await findLogState(database.logs.read, task)).toEqual({ lines: 10, sealed: false });
  });

  test('a damaged frame is refused, and nothing of its upload is stored', async () => {
    const log = writeLines(['one', 'two', 'three', 'four']);
    const good = log.cut(1, 2);
    const { header, data } = log.cut(3, 2);
    const damaged: Frame[] = [
      { header: { ...header, crc: header.crc ^ 1 }, data },
      { header: { ...header, count: 3 }, data },
      { header: { ...header, bytes: header.bytes + 1 }, data },
      { header, data: data.subarray(1) },
      { header: { ...header, size: header.size - 1 }, data: data.subarray(0, -1) },
      { header: { ...header, count: 0 }, data },
      { header: { ...header, task_id: task + 1 }, data },
      { header, data: writeLines(['not', 'these']).cut(1, 2).data },
      { header: { ...header, gap: 'lost' }, data },
      { header: { ...header, gap: 'lost', size: 0, bytes: 0 }, data: new Uint8Array() },
    ];
    for (const [index, frame] of damaged.entries()) {
      await expect(append([good, frame]), `frame ${index}`).rejects.toThrow(BadFrame);
    }
    expect(await listChunks()).toEqual([]);
    expect(await append([good, { header, data }])).toBe(5);
  });

  test('chunks of a slow task are put together', async () => {
    const log = writeRandom(9, 2300);
    for (let first = 1; first <= log.lines.length; first += 5) {
      expect(await append([log.cut(first, 5)])).toBe(Math.min(first + 5, log.lines.length + 1));
    }
    expect((await listChunks()).length).toBeLessThan(80);
    await sealLog(database.logs, task, log.seal());
    expect((await listChunks()).length).toBeLessThan(15);
    expect((await readRaw()).equals(log.raw())).toBe(true);
  });

  test('lines that were lost are a record in the log', async () => {
    const log = writeLines(['one', 'two', 'three']);
    const gap: Frame = {
      header: { ...log.cut(1, 2).header, first: 3, count: 1_000_000, bytes: 0, size: 0, gap: 'the disk was full' },
      data: new Uint8Array(),
    };
    const rest = new LogWriter(task, [
      ...log.lines.slice(0, 2),
      { time: 9, text: Buffer.from('after'), continued: false },
    ]);
    const last = rest.cut(3, 1);
    last.header.first = 1_000_003;
    expect(await append([log.cut(1, 2), gap, last])).toBe(1_000_004);
    // Sent again, begun in the middle of the gap.
    expect(await append([{ ...gap, header: { ...gap.header, first: 500_000, count: 500_003 } }])).toBe(1_000_004);
    const lines = await readRange(database.logs.read, task, 2, 2_000_000);
    expect(lines).toEqual([
      { line: 2, time: new Date(1001).toISOString(), output: 'two' },
      { line: 3, time: new Date(1000).toISOString(), output: 'the disk was full', gap: 1_000_000 },
      { line: 1_000_003, time: new Date(9).toISOString(), output: 'after' },
    ]);
    expect(await readRange(database.logs.read, task, 5000, 10)).toMatchObject([{ line: 5000, gap: 10 }]);
    expect((await readRaw()).toString()).toBe('one\ntwo\n[1000000 lines were lost: the disk was full]\nafter\n');
    expect(await sealLog(database.logs, task, { ...rest.seal(), lines: 1_000_003 })).toBe(1_000_003);
  });

  test('a range holds the lines that were asked for and are there', async () => {
    const log = writeNumbered(1200);
    await append([log.cut(1, 500), log.cut(501, 500), log.cut(1001, 200)]);
    const numbers = async (from: number, count: number) =>
      (await readRange(database.logs.read, task, from, count)).map((line) => Number(line.output.slice(5)));
    expect(await numbers(499, 4)).toEqual([499, 500, 501, 502]);
    expect(await numbers(1199, 10)).toEqual([1199, 1200]);
    expect(await numbers(1201, 10)).toEqual([]);
    expect(await numbers(1, 0)).toEqual([]);
    expect((await numbers(1, 5000)).length).toBe(1200);
  });

  test('a range of long lines ends early, and goes on where it ended', async () => {
    const log = writeLines(Array.from({ length: 150 }, (_, index) => `${index}`.padEnd(60_000, '.')));
    for (let first = 1; first <= log.lines.length; ) first = await append([log.cut(first, 500)]);
    const sizes: number[] = [];
    const numbers: number[] = [];
    while (numbers.length < log.lines.length) {
      const lines = await readRange(database.logs.read, task, numbers.length + 1, 5000);
      expect(lines.length).toBeGreaterThan(0);
      sizes.push(lines.reduce((sum, { output }) => sum + output.length, 0));
      numbers.push(...lines.map(({ output }) => Number.parseInt(output, 10)));
    }
    expect(numbers).toEqual(log.lines.map((_, index) => index));
    expect(sizes.length).toBe(3);
    expect(Math.max(...sizes)).toBeLessThan(maxRangeBytes + maxChunkBytes + maxRecordBytes);
    expect((await readRange(database.logs.read, task, 7, 5000, 1)).at(0)?.line).toBe(7);
  });

  test('a log is sealed once it is whole, and then stays as it is', async () => {
    const log = writeNumbered(800);
    const seal = log.seal();
    expect(await sealLog(database.logs, task, seal)).toBe(0);
    await append([log.cut(1, 400)]);
    expect(await sealLog(database.logs, task, seal)).toBe(400);
    await append([log.cut(401, 500)]);
    await expect(sealLog(database.logs, task, { ...seal, crc: seal.crc ^ 1 })).rejects.toThrow('its runner wrote');
    await expect(sealLog(database.logs, task, { ...seal, lines: seal.lines - 1 })).rejects.toThrow('its runner wrote');
    expect(await sealLog(database.logs, task, seal)).toBe(seal.lines);
    expect(await sealLog(database.logs, task, seal)).toBe(seal.lines);
    expect(await append([log.cut(700, 200)])).toBe(seal.lines + 1);
    expect(await findLogState(database.logs.read, task)).toEqual({ lines: seal.lines, sealed: true });
  });

  test('a task without output has an empty log', async () => {
    expect(await sealLog(database.logs, task, { lines: 0, bytes: 0, crc: 0 })).toBe(0);
    expect(await findLogState(database.logs.read, task)).toEqual({ lines: 0, sealed: true });
    expect((await readRaw()).length).toBe(0);
  });

  test('two servers that store the same log at once store it once', async () => {
    const log = writeRandom(5, 2600);
    const second = engine === 'postgres' ? await openTestSecond(opened) : { database, close: async () => undefined };
    const send = async (logs: Database['logs'], random: (below: number) => number) => {
      for (let next = 1; next <= log.lines.length; ) {
        const first = Math.max(1, next - random(40));
        next = await appendFrames(logs, task, [log.cut(first, 1 + random(90)), log.cut(first, 120)]);
      }
    };
    await Promise.all([
      send(database.logs, createRandom(1)),
      send(second.database.logs, createRandom(2)),
      send(second.database.logs, createRandom(3)),
    ]);
    await second.close();
    expect(await sealLog(database.logs, task, log.seal())).toBe(log.lines.length);
    expect((await readRaw()).equals(log.raw())).toBe(true);
  });

  test('the log of a deleted task goes too, the others stay', async () => {
    const [kept, deleted] = await database.transact(async (db) => {
      const project_id = await insertProject(db);
      const template_id = await insertTemplate(db, { project_id });
      return [await insertTask(db, { project_id, template_id }), await insertTask(db, { project_id, template_id })];
    });
    const lines = writeLines(Array.from({ length: 5000 }, () => 'x')).lines;
    for (const id of [kept ?? 0, deleted ?? 0]) {
      const log = new LogWriter(id, lines);
      for (let first = 1; first <= 5000; first += 500) await appendFrames(database.logs, id, [log.cut(first, 500)]);
      await sealLog(database.logs, id, log.seal());
    }
    await database.transact((db) =>
      db
        .deleteFrom('task')
        .where('id', '=', deleted ?? 0)
        .execute(),
    );
    expect(await deleteRetiredLogs(database)).toBe(1);
    expect(await deleteRetiredLogs(database)).toBe(0);
    for (const table of ['log_chunk', 'log_seal'] as const) {
      const rows = await database.logs.read.selectFrom(table).select('task_id').distinct().execute();
      expect(rows.map((row) => row.task_id)).toEqual([kept]);
    }
  });
});

async function openTestSecond({ settings }: TestDatabase): Promise<{ database: Database; close(): Promise<void> }> {
  const database = await openDatabase(settings);
  return { database, close: () => database.close() };
}
