import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { LogSearch, OutputRecord } from '@signalbox/contract/tasks';
import type { LogDb } from './database.ts';
import { dropRecords, readRecords, toWrittenBytes } from './log-chunk.ts';
import { createLineFinder } from './log-find.ts';
import { firstChunkWith, type StoredChunk, toLines } from './log-lines.ts';
import type { Search } from './reader-protocol.ts';

/** Chunks in memory at once. */
const chunksAtOnce = 64;
const maxFound = 1000;

/** The lines of a chunk from number `from` on; those before it were read already. */
type Piece = { chunk: StoredChunk; from: number };

/** Looks through the whole stored log. @returns undefined when it was cancelled on the way */
export async function searchLog(
  db: LogDb,
  { taskId, text, after }: Search,
  isCancelled: () => boolean,
): Promise<LogSearch | undefined> {
  const findLines = createLineFinder(text);
  const lines: number[] = [];
  let count = 0;
  let total = 0;
  const onLine = (line: number) => {
    count += 1;
    if (line > after && lines.length < maxFound) lines.push(line);
  };
  for await (const pieces of listPieces(db, taskId)) {
    for (const { chunk, from } of pieces) {
      findLines(chunk, from, onLine);
      total = chunk.first_line + chunk.line_count - 1;
    }
    // Cancellations arrive between turns.
    await yieldTurn();
    if (isCancelled()) return undefined;
  }
  return { lines, count, total };
}

/** The bytes that were written; where lines were lost, one line says so. */
export async function* streamRaw(db: LogDb, taskId: number): AsyncGenerator<Uint8Array, void> {
  for await (const pieces of listPieces(db, taskId)) yield Buffer.concat(pieces.map(toRaw));
}

function toRaw({ chunk, from }: Piece): Uint8Array {
  if (chunk.gap !== null) {
    return Buffer.from(`[${chunk.first_line + chunk.line_count - from} lines were lost: ${chunk.gap}]\n`);
  }
  const { table, text } = dropRecords(readRecords(chunk), from - chunk.first_line);
  return toWrittenBytes(text, table.continued);
}

/** JSON of an array of records, in the shape of the older product; a long line is one record there. */
export async function* streamOutput(db: LogDb, taskId: number): AsyncGenerator<Uint8Array, void> {
  let before = '[';
  let begun: OutputRecord | undefined;
  const take = (record: OutputRecord) => {
    const text = before + JSON.stringify(record);
    before = ',';
    begun = undefined;
    return text;
  };
  for await (const pieces of listPieces(db, taskId)) {
    let text = '';
    for (const line of pieces.flatMap(({ chunk, from }) => toLines(chunk, from, Number.POSITIVE_INFINITY))) {
      begun ??= { task_id: taskId, task: '', time: line.time, output: '' };
      begun.output += line.output;
      if (line.continued === undefined) text += take(begun);
    }
    if (text !== '') yield Buffer.from(text);
  }
  // A log whose last line never ended, or that has no line.
  const rest = begun === undefined ? '' : take(begun);
  yield Buffer.from(`${rest}${before === '[' ? '[' : ''}]\n`);
}

/**
 * All of a log in order, some chunks at a time. Chunks may be put together while this reads, so it goes on by line number
 * and not by row.
 */
async function* listPieces(db: LogDb, taskId: number): AsyncGenerator<Piece[], void> {
  let next = 1;
  for (;;) {
    const from = next;
    const chunks = await db
      .selectFrom('log_chunk')
      .select(['first_line', 'line_count', 'time', 'gap', 'data'])
      .where('task_id', '=', taskId)
      .where('first_line', '>=', (it) => firstChunkWith(it, taskId, from))
      .orderBy('first_line')
      .limit(chunksAtOnce)
      .execute();
    const pieces = chunks
      .filter((chunk) => chunk.first_line + chunk.line_count > from)
      .map((chunk) => ({ chunk, from: Math.max(chunk.first_line, from) }));
    const last = pieces.at(-1)?.chunk;
    if (last === undefined) return;
    yield pieces;
    next = last.first_line + last.line_count;
  }
}
