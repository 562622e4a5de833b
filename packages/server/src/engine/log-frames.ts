import { crc32 } from 'node:zlib';
import { decodeLineTable, type FrameHeader, maxChunkLines } from '@signalbox/contract/log-frame';
import {
  countLineFeeds,
  dropRecords,
  measureRecords,
  packRecords,
  scanLineTable,
  toWrittenBytes,
  unpackChunk,
} from '../db/log-chunk.ts';
import type { LogChunkTable } from '../db/tables.ts';

export type Frame = { header: FrameHeader; data: Uint8Array };
/** Where a stored log ends: the next line that it wants, and the checksum so far. */
export type LogEnd = { next: number; crc: number };
export type LogChunk = Omit<LogChunkTable, 'data'> & { data: Uint8Array };

/** A frame that no runner of ours makes: damaged on its way, or another log's. */
export class BadFrame extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'BadFrame';
  }
}

/**
 * Turns an upload into the rows that follow on `end`. What is stored already is skipped, also within a frame, because a
 * runner that lost an answer sends again, and may cut anew. At a hole it stops: the answer tells the runner where to go on.
 * @throws BadFrame
 */
export function takeFrames(taskId: number, frames: readonly Frame[], end: LogEnd): LogChunk[] {
  const chunks: LogChunk[] = [];
  let { next, crc } = end;
  for (const { header, data } of frames) {
    refuseForeign(taskId, header, data);
    if (header.first > next) break;
    if (header.first + header.count <= next) continue;
    const chunk = takeFrame(header, data, { next, crc });
    chunks.push(chunk);
    next = chunk.first_line + chunk.line_count;
    crc = chunk.crc;
  }
  return chunks;
}

function refuseForeign(taskId: number, header: FrameHeader, data: Uint8Array): void {
  if (header.task_id !== taskId) throw new BadFrame('the frame belongs to another task');
  if (header.first < 1 || header.count < 1) throw new BadFrame('the frame has no lines');
  if (header.gap === null && header.count > maxChunkLines) throw new BadFrame('the frame has too many lines');
  if (data.length !== header.size) throw new BadFrame('the frame is cut short');
}

function takeFrame(header: FrameHeader, data: Uint8Array, end: LogEnd): LogChunk {
  const skip = end.next - header.first;
  const row = { task_id: header.task_id, first_line: end.next, line_count: header.count - skip, gap: header.gap };
  if (header.gap !== null) {
    if (header.size > 0 || header.bytes !== 0) throw new BadFrame('a gap has no bytes');
    // The bytes of lost lines are unknown, so the checksum stands still.
    if (header.crc !== end.crc) throw new BadFrame('the checksum of the gap does not follow');
    return { ...row, byte_count: 0, crc: end.crc, time: header.time, data: new Uint8Array() };
  }
  if (skip > 0) return { ...row, ...cutFrame(header, data, skip, end.crc) };
  verifyFrame(header, data, end.crc);
  return { ...row, byte_count: header.bytes, crc: header.crc, time: header.time, data };
}

function verifyFrame(header: FrameHeader, data: Uint8Array, crcBefore: number): void {
  const { table, text, hasContinued } = unpackFrame(header, data);
  const written = hasContinued
    ? toWrittenBytes(text, decodeLineTable(table, header.time, header.count).continued)
    : text;
  if (written.length !== header.bytes) throw new BadFrame('the frame has another length than it says');
  if (crc32(written, crcBefore) !== header.crc) throw new BadFrame('the checksum of the frame does not match');
}

/** The rest of a frame whose first lines are stored already, packed anew. */
function cutFrame(header: FrameHeader, data: Uint8Array, skip: number, crcBefore: number) {
  const { table, text } = unpackFrame(header, data);
  const rest = dropRecords({ table: decodeLineTable(table, header.time, header.count), text }, skip);
  const { bytes, crc } = measureRecords(rest, crcBefore);
  if (crc !== header.crc) throw new BadFrame('the checksum of the frame does not match');
  return { byte_count: bytes, crc, ...packRecords(rest) };
}

function unpackFrame(header: FrameHeader, data: Uint8Array) {
  try {
    const { table, text } = unpackChunk(data);
    const { count, hasContinued } = scanLineTable(table);
    if (count === header.count && countLineFeeds(text) === count && text.at(-1) === 10) {
      return { table, text, hasContinued };
    }
  } catch (error) {
    throw new BadFrame('the frame cannot be unpacked', { cause: error });
  }
  throw new BadFrame('the frame has another number of lines than it says');
}
