import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { LogWriter, type WrittenLine } from '../test/log-writer.ts';
import type { Database } from './database.ts';
import { SearchReplaced } from './reader.ts';

const task = 3;
const user = 1;

const toLine = (text: string, index: number): WrittenLine => ({
  time: index,
  text: Buffer.from(text),
  continued: false,
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let opened: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    database = opened.database;
  });
  afterEach(() => opened.remove());

  /** Stores the same 500 lines again and again. */
  async function storeLines(lines: readonly string[], copies: number): Promise<void> {
    const { header, data } = new LogWriter(task, lines.map(toLine)).cut(1, lines.length);
    const row = { task_id: task, line_count: lines.length, byte_count: header.bytes, crc: 0, time: 0, gap: null, data };
    for (let copy = 0; copy < copies; copy += 200) {
      const rows = Array.from({ length: Math.min(200, copies - copy) }, (_, index) => ({
        ...row,
        first_line: (copy + index) * lines.length + 1,
      }));
      await database.logs.transact((db) => db.insertInto('log_chunk').values(rows).execute());
    }
  }

  test('a search counts all of a million lines, and lists a thousand after the one that was given', async () => {
    const lines = Array.from(
      { length: 500 },
      (_, index) => `\u001b[32mok\u001b[0m: [web-${index}] => a line of usual length`,
    );
    lines[249] = 'fatal: \u001b[31mUn\u001b[0mreachable';
    await storeLines(lines, 2000);
    const all = await database.reader.searchLog(user, { taskId: task, text: 'unREACH', after: 0 });
    expect(all).toMatchObject({ count: 2000, total: 1_000_000 });
    expect(all.lines).toHaveLength(1000);
    expect(all.lines.slice(0, 2)).toEqual([250, 750]);
    const rest = await database.reader.searchLog(user, { taskId: task, text: 'unreach', after: 999_250 });
    expect(rest).toEqual({ lines: [999_750], count: 2000, total: 1_000_000 });
    expect(await database.reader.searchLog(user, { taskId: task + 1, text: 'x', after: 0 })).toEqual({
      lines: [],
      count: 0,
      total: 0,
    });
  });

  test('a new search of the same person ends the one before, another person is not disturbed', async () => {
    await storeLines(
      Array.from({ length: 500 }, () => 'a line'),
      1000,
    );
    const search = (userId: number, text: string) =>
      database.reader.searchLog(userId, { taskId: task, text, after: 0 });
    const first = search(1, 'line');
    const other = search(2, 'line');
    const second = search(1, 'nothing');
    await expect(first).rejects.toThrow(SearchReplaced);
    expect((await other).count).toBe(500_000);
    expect((await second).count).toBe(0);
  });

  test('a download holds the bytes that were written, and may be broken off', async () => {
    await storeLines(
      Array.from({ length: 500 }, (_, index) => `line ${index}`),
      500,
    );
    const written = Array.from({ length: 500 }, (_, index) => `line ${index}\n`)
      .join('')
      .repeat(500);
    let read = '';
    for await (const piece of database.reader.streamRaw(task)) read += Buffer.from(piece).toString();
    expect(read === written).toBe(true);
    for await (const piece of database.reader.streamRaw(task)) {
      expect(piece.length).toBeLessThan(written.length);
      break;
    }
    expect((await database.reader.searchLog(user, { taskId: task, text: 'line 1', after: 0 })).count).toBe(500 * 111);
  });

  test('the old form of a log is an array of records, in which a long line is one', async () => {
    const lines: WrittenLine[] = [toLine('one "quoted"', 5), { ...toLine('lo', 6), continued: true }, toLine('ng', 7)];
    const log = new LogWriter(task, lines);
    const { data, header } = log.cut(1, 3);
    const row = {
      task_id: task,
      first_line: 1,
      line_count: 3,
      byte_count: header.bytes,
      crc: 0,
      time: 5,
      gap: null,
      data,
    };
    await database.logs.transact((db) => db.insertInto('log_chunk').values(row).execute());
    const read = async (taskId: number): Promise<unknown> => {
      const pieces: Uint8Array[] = [];
      for await (const piece of database.reader.streamOutput(taskId)) pieces.push(piece);
      return JSON.parse(Buffer.concat(pieces).toString());
    };
    expect(await read(task)).toEqual([
      { task_id: task, task: '', time: '1970-01-01T00:00:00.005Z', output: 'one "quoted"' },
      { task_id: task, task: '', time: '1970-01-01T00:00:00.006Z', output: 'long' },
    ]);
    expect(await read(task + 1)).toEqual([]);
  });

  test('who waits when the database is closed is told', async () => {
    await storeLines(['a'], 1);
    const search = database.reader.searchLog(user, { taskId: task, text: 'a', after: 0 });
    const closing = database.close();
    await expect(search).rejects.toThrow('closed');
    await closing;
    await expect(database.reader.searchLog(user, { taskId: task, text: 'a', after: 0 })).rejects.toThrow('closed');
  });
});
