import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  decodeLineTable,
  encodeLineTable,
  joinChunk,
  type LineTable,
  maxChunkBytes,
  maxRecordBytes,
  splitChunk,
} from '@signalbox/contract/log-frame';

/** A stored chunk, as far as its content goes. */
export type ChunkContent = { time: number; line_count: number; data: Uint8Array };

/** Records with the times at which they were read; each record in `text` is followed by LF. */
export type Records = { table: LineTable; text: Uint8Array };

const lineFeed = 10;
/** What a chunk of a runner unpacks to at most: its text, a record over the limit, and its line table. */
const maxUnpacked = maxChunkBytes + 2 * maxRecordBytes + 16 * 1024;

/** @throws RangeError or an error of zlib when the data is not what a runner makes. */
export function unpackChunk(data: Uint8Array): { table: Uint8Array; text: Uint8Array } {
  return splitChunk(zstdDecompressSync(data, { maxOutputLength: maxUnpacked }));
}

export function readRecords({ data, time, line_count }: ChunkContent): Records {
  const { table, text } = unpackChunk(data);
  return { table: decodeLineTable(table, time, line_count), text };
}

/** The opposite of readRecords; the chunk's time is that of its first record. */
export function packRecords({ table, text }: Records): { time: number; data: Uint8Array } {
  const time = table.times[0] ?? 0;
  return { time, data: zstdCompressSync(joinChunk(encodeLineTable(time, table), text)) };
}

/** The records from number `skip` (0 = the first) on. */
export function dropRecords({ table, text }: Records, skip: number): Records {
  let position = 0;
  for (let record = 0; record < skip; record += 1) position = text.indexOf(lineFeed, position) + 1;
  return {
    table: { times: table.times.slice(skip), continued: table.continued.slice(skip) },
    text: text.subarray(position),
  };
}

export function joinRecords(parts: readonly Records[]): Records {
  return {
    table: {
      times: parts.flatMap((part) => part.table.times),
      continued: parts.flatMap((part) => part.table.continued),
    },
    text: Buffer.concat(parts.map((part) => part.text)),
  };
}

/** The bytes that were written: a record that goes on in the next one has no line feed of its own. */
export function toWrittenBytes(text: Uint8Array, continued: readonly boolean[]): Uint8Array {
  if (!continued.includes(true)) return text;
  const pieces: Uint8Array[] = [];
  let position = 0;
  for (const isContinued of continued) {
    const end = text.indexOf(lineFeed, position);
    pieces.push(text.subarray(position, isContinued ? end : end + 1));
    position = end + 1;
  }
  return Buffer.concat(pieces);
}

/** Checksum and length of records, as the protocol counts them. */
export function measureRecords(records: Records, crcBefore: number): { bytes: number; crc: number } {
  const written = toWrittenBytes(records.text, records.table.continued);
  return { bytes: written.length, crc: crc32(written, crcBefore) };
}

/** How many records a line table has, and whether one goes on in the next; without an object for each line. */
export function scanLineTable(table: Uint8Array): { count: number; hasContinued: boolean } {
  let count = 0;
  let hasContinued = false;
  let isFirstByte = true;
  for (const byte of table) {
    if (isFirstByte && (byte & 1) === 1) hasContinued = true;
    isFirstByte = byte < 0x80;
    if (isFirstByte) count += 1;
  }
  return { count, hasContinued };
}

export function countLineFeeds(text: Uint8Array): number {
  let count = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) count += 1;
  return count;
}
