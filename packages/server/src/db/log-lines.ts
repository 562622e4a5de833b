import type { LiveLine } from '@signalbox/contract/live';
import type { ExpressionBuilder } from 'kysely';
import type { LogDb } from './database.ts';
import { readRecords } from './log-chunk.ts';
import type { LogTables } from './tables.ts';

/** What is known of a log without reading it. */
export type LogState = {
  /** Lines stored; the next one that is wanted has this number plus one. */
  lines: number;
  /** The log is complete. */
  sealed: boolean;
};

export async function findLogState(db: LogDb, taskId: number): Promise<LogState> {
  const last = await db
    .selectFrom('log_chunk')
    .select(['first_line', 'line_count'])
    .where('task_id', '=', taskId)
    .orderBy('first_line', 'desc')
    .limit(1)
    .executeTakeFirst();
  const seal = await db.selectFrom('log_seal').select('lines').where('task_id', '=', taskId).executeTakeFirst();
  return { lines: last === undefined ? 0 : last.first_line + last.line_count - 1, sealed: seal !== undefined };
}

/** What a range holds at most, but for its last chunk: 5,000 lines may be 64 KiB each. */
export const maxRangeBytes = 4 * 1024 * 1024;
/** Chunks in memory at once. */
const chunksAtOnce = 16;

/**
 * Lines `from` to `from + count - 1`, as far as they are stored; fewer where they are long, but one at least. A run of lost
 * lines is one entry.
 */
export async function readRange(
  db: LogDb,
  taskId: number,
  from: number,
  count: number,
  maxBytes = maxRangeBytes,
): Promise<LiveLine[]> {
  const end = from + count;
  const lines: LiveLine[] = [];
  let bytes = 0;
  let next = from;
  for (;;) {
    const chunks = await listChunks(db, taskId, next, end);
    for (const chunk of chunks) {
      for (const line of toLines(chunk, next, end)) {
        lines.push(line);
        bytes += line.output.length;
      }
      next = chunk.first_line + chunk.line_count;
      if (bytes >= maxBytes) return lines;
    }
    if (chunks.length < chunksAtOnce || next >= end) return lines;
  }
}

async function listChunks(db: LogDb, taskId: number, from: number, end: number): Promise<StoredChunk[]> {
  return await db
    .selectFrom('log_chunk')
    .select(['first_line', 'line_count', 'time', 'gap', 'data'])
    .where('task_id', '=', taskId)
    .where('first_line', '<', end)
    .where('first_line', '>=', (it) => firstChunkWith(it, taskId, from))
    .orderBy('first_line')
    .limit(chunksAtOnce)
    .execute();
}

/** First line of the chunk that holds a line. */
export function firstChunkWith(it: ExpressionBuilder<LogTables, 'log_chunk'>, taskId: number, line: number) {
  return it.fn.coalesce(
    it
      .selectFrom('log_chunk as start')
      .select((start) => start.fn.max('start.first_line').as('first_line'))
      .where('start.task_id', '=', taskId)
      .where('start.first_line', '<=', line),
    it.val(1),
  );
}

export type StoredChunk = {
  first_line: number;
  line_count: number;
  time: number;
  gap: string | null;
  data: Uint8Array;
};

/** The lines of a chunk whose numbers are at least `from` and below `end`. */
export function toLines(chunk: StoredChunk, from: number, end: number): LiveLine[] {
  const first = Math.max(chunk.first_line, from);
  const next = Math.min(chunk.first_line + chunk.line_count, end);
  if (first >= next) return [];
  if (chunk.gap !== null) {
    return [{ line: first, time: toTimestamp(chunk.time), output: chunk.gap, gap: next - first }];
  }
  const { table, text } = readRecords(chunk);
  // Broken UTF-8 becomes U+FFFD within its record: a line feed is never part of a longer character.
  const outputs = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).split('\n');
  const lines: LiveLine[] = [];
  for (let line = first; line < next; line += 1) {
    const index = line - chunk.first_line;
    const time = toTimestamp(table.times[index] ?? chunk.time);
    const output = outputs[index] ?? '';
    // CR LF is one line end; the raw download has both bytes.
    if (table.continued[index]) lines.push({ line, time, output, continued: true });
    else lines.push({ line, time, output: output.endsWith('\r') ? output.slice(0, -1) : output });
  }
  return lines;
}

function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}
