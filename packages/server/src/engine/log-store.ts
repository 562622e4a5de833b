import { maxChunkBytes, maxChunkLines } from '@signalbox/contract/log-frame';
import type { LogSeal } from '@signalbox/contract/runner-protocol';
import { sql } from 'kysely';
import { isUniqueViolation } from '../db/constraint.ts';
import type { Database, LogDatabase, LogDb } from '../db/database.ts';
import { joinRecords, packRecords, readRecords } from '../db/log-chunk.ts';
import { type Frame, type LogChunk, type LogEnd, takeFrames } from './log-frames.ts';

type Tail = LogEnd & { sealed: boolean };

/** As many lines are stored as were written, or more, but other ones. */
export class WrongSeal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongSeal';
  }
}

/** A chunk that was cut by time, not by size: these are put together. */
const smallLines = maxChunkLines / 2;
const smallBytes = maxChunkBytes / 2;
/** Frames verified in one turn: well packed, an upload may hold a hundred thousand lines. */
const framesAtOnce = 16;
/** Logs that are deleted together. */
const retiredLogs = 100;
/** Deletions at once: a long log must not hold up the others. */
const retireChunks = 2000;

/**
 * Stores what an upload adds to the log, as the bytes that came, and answers the next line that is wanted, after commit.
 * Safe to repeat, and safe on several servers at once: the row that another one stored first is what counts.
 * @throws BadFrame at a damaged frame; nothing of it or behind it is stored
 */
export async function appendFrames(logs: LogDatabase, taskId: number, frames: readonly Frame[]): Promise<number> {
  let next = 1;
  for (let start = 0; start === 0 || start < frames.length; start += framesAtOnce) {
    next = await appendSome(logs, taskId, frames.slice(start, start + framesAtOnce));
  }
  return next;
}

async function appendSome(logs: LogDatabase, taskId: number, frames: readonly Frame[]): Promise<number> {
  for (;;) {
    const tail = await findTail(logs.read, taskId);
    if (tail.sealed) return tail.next;
    // Unpacked and verified outside of the transaction: nobody waits for that.
    const chunks = takeFrames(taskId, frames, tail);
    if (chunks.length === 0) return tail.next;
    const next = await storeChunks(logs, taskId, chunks, tail);
    if (next !== undefined) return next;
  }
}

/**
 * Marks the log as complete, against power loss too. Answers the lines that are stored: fewer than the seal's when some
 * are missing still. Safe to repeat.
 * @throws WrongSeal when as many lines are stored as were written, but other ones
 */
export async function sealLog(logs: LogDatabase, taskId: number, seal: LogSeal): Promise<number> {
  return await logs.transact(
    async (db) => {
      await lockLog(logs, db, taskId);
      const { next, crc, sealed } = await findTail(db, taskId);
      if (sealed || next - 1 < seal.lines) return next - 1;
      const bytes = await sumBytes(db, taskId);
      if (next - 1 !== seal.lines || bytes !== seal.bytes || crc !== seal.crc) {
        throw new WrongSeal(
          `The log of task ${taskId} has ${next - 1} lines, ${bytes} bytes, checksum ${crc}; its runner wrote ${seal.lines}, ${seal.bytes}, ${seal.crc}`,
        );
      }
      await mergeTail(db, taskId, next);
      await db
        .insertInto('log_seal')
        .values({ task_id: taskId, ...seal, sealed: Date.now() })
        .execute();
      return seal.lines;
    },
    { durable: true },
  );
}

/** Deletes the logs of tasks that were deleted. Answers how many; to be called again while that is not 0. */
export async function deleteRetiredLogs(database: Database): Promise<number> {
  const retired = await database.read.selectFrom('retired_log').select('task_id').limit(retiredLogs).execute();
  if (retired.length === 0) return 0;
  const taskIds = retired.map(({ task_id }) => task_id);
  while (!(await deleteSomeOfLogs(database.logs, taskIds)));
  await database.transact((db) => db.deleteFrom('retired_log').where('task_id', 'in', taskIds).execute());
  return retired.length;
}

/** @returns whether nothing is left */
export async function deleteSomeOfLog(logs: LogDatabase, taskId: number): Promise<boolean> {
  return await deleteSomeOfLogs(logs, [taskId]);
}

async function deleteSomeOfLogs(logs: LogDatabase, taskIds: readonly number[]): Promise<boolean> {
  return await logs.transact(async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('log_chunk')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('task_id', 'first_line')} in ${selectFrom('log_chunk as old')
            .select(['old.task_id', 'old.first_line'])
            .where('old.task_id', 'in', taskIds)
            .orderBy('old.task_id')
            .orderBy('old.first_line')
            .limit(retireChunks)}`,
      )
      .executeTakeFirst();
    if (numDeletedRows === BigInt(retireChunks)) return false;
    await db.deleteFrom('log_seal').where('task_id', 'in', taskIds).execute();
    return true;
  });
}

/** @returns undefined when another writer was faster: then the tail is another one. */
async function storeChunks(
  logs: LogDatabase,
  taskId: number,
  chunks: readonly LogChunk[],
  expected: Tail,
): Promise<number | undefined> {
  const last = chunks.at(-1);
  if (last === undefined) return expected.next;
  const next = last.first_line + last.line_count;
  try {
    return await logs.transact(async (db) => {
      await lockLog(logs, db, taskId);
      const tail = await findTail(db, taskId);
      if (tail.next !== expected.next || tail.crc !== expected.crc || tail.sealed) return undefined;
      await db
        .insertInto('log_chunk')
        .values([...chunks])
        .execute();
      if (Math.floor(next / maxChunkLines) > Math.floor(tail.next / maxChunkLines)) await mergeTail(db, taskId, next);
      return next;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** On PostgreSQL a statement of its own: the next statement then sees what the holder before committed. */
export async function lockLog(logs: LogDatabase, db: LogDb, taskId: number): Promise<void> {
  if (logs.engine === 'postgres') await sql`select pg_advisory_xact_lock(${logLock}, ${taskId % 2 ** 31})`.execute(db);
}
const logLock = 0x10c;

export async function findTail(db: LogDb, taskId: number): Promise<Tail> {
  const last = (expression: string) =>
    sql`(select ${sql.raw(expression)} from log_chunk where task_id = ${taskId} order by first_line desc limit 1)`;
  const { rows } = await sql<{ next: number | null; crc: number | null; sealed: number | null }>`
    select ${last('first_line + line_count')} as next, ${last('crc')} as crc,
      (select lines from log_seal where task_id = ${taskId}) as sealed`.execute(db);
  const [tail] = rows;
  return { next: tail?.next ?? 1, crc: tail?.crc ?? 0, sealed: typeof tail?.sealed === 'number' };
}

export async function sumBytes(db: LogDb, taskId: number): Promise<number> {
  const sum = await db
    .selectFrom('log_chunk')
    .select((it) => it.fn.sum<number | null>('byte_count').as('bytes'))
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return sum?.bytes ?? 0;
}

/**
 * Puts the small chunks at the end of a log together, so that a slow task does not leave a row for each line. Lines, bytes
 * and checksums stay what they are. What is put together once is not small any more, or is the last of its log.
 */
async function mergeTail(db: LogDb, taskId: number, next: number): Promise<void> {
  const tail = await db
    .selectFrom('log_chunk')
    .select(['first_line', 'line_count', 'byte_count', 'gap'])
    .where('task_id', '=', taskId)
    .where('first_line', '>=', next - 3 * maxChunkLines)
    .orderBy('first_line')
    .execute();
  for (const group of groupSmall(tail)) await mergeChunks(db, taskId, group);
}

type ChunkSize = { first_line: number; line_count: number; byte_count: number; gap: string | null };

function groupSmall(chunks: readonly ChunkSize[]): ChunkSize[][] {
  const groups: ChunkSize[][] = [];
  let group: ChunkSize[] = [];
  let lines = 0;
  let bytes = 0;
  for (const chunk of chunks) {
    const isSmall = chunk.gap === null && chunk.line_count < smallLines && chunk.byte_count < smallBytes;
    if (!isSmall || lines + chunk.line_count > maxChunkLines || bytes + chunk.byte_count > maxChunkBytes) {
      groups.push(group);
      group = [];
      lines = 0;
      bytes = 0;
    }
    if (!isSmall) continue;
    group.push(chunk);
    lines += chunk.line_count;
    bytes += chunk.byte_count;
  }
  groups.push(group);
  return groups.filter(({ length }) => length > 1);
}

async function mergeChunks(db: LogDb, taskId: number, group: readonly ChunkSize[]): Promise<void> {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return;
  const chunks = await db
    .deleteFrom('log_chunk')
    .where('task_id', '=', taskId)
    .where('first_line', '>=', first.first_line)
    .where('first_line', '<=', last.first_line)
    .returningAll()
    .execute();
  chunks.sort((a, b) => a.first_line - b.first_line);
  await db
    .insertInto('log_chunk')
    .values({
      task_id: taskId,
      first_line: first.first_line,
      line_count: chunks.reduce((sum, chunk) => sum + chunk.line_count, 0),
      byte_count: chunks.reduce((sum, chunk) => sum + chunk.byte_count, 0),
      crc: chunks.at(-1)?.crc ?? 0,
      gap: null,
      ...packRecords(joinRecords(chunks.map(readRecords))),
    })
    .execute();
}
