import * as z from 'zod/mini';
import { Id } from './fields.ts';

/**
 * The unit of a task's log, cut by the runner: spooled, uploaded, stored and checksummed as it is.
 *
 * Lines are numbered from 1. A *line* is a record: text up to a line feed, or 64 KiB of a longer one, which goes on in
 * the next record (its `continued` flag is set on every part but the last). The checksum is a running CRC-32 over the
 * masked bytes: every record's text, followed by one LF unless the record is continued. It depends on nothing but the
 * lines, so chunks may be cut and merged at will.
 *
 * An upload is a sequence of frames: u32 (big endian) length of the header, the header as JSON, then `size` bytes of
 * zstd data. Unpacked, a chunk is: u32 length of the line table, the table, then the text, each record followed by LF
 * (continued ones too, so that records can be told apart). The table holds one unsigned varint a line:
 * (milliseconds since the line before, at least 0) * 2 + (1 if continued). The first counts from the header's `time`.
 *
 * Lines that are lost are a frame too: `gap` says why, `size` is 0, and the numbers first to first + count - 1 are its.
 */
export const FrameHeader = z.object({
  task_id: Id,
  fence: z.int(),
  claim_id: z.string(),
  first: z.int(),
  count: z.int(),
  /** Bytes of the lines as the checksum counts them. 0 for a gap. */
  bytes: z.int(),
  /** Running CRC-32 after the last line of the chunk, unsigned; a gap repeats the value before it. */
  crc: z.int(),
  /** Time of reading of the first line, epoch ms. */
  time: z.int(),
  /** Bytes of zstd data that follow the header. */
  size: z.int(),
  gap: z.nullable(z.string()),
});
export type FrameHeader = z.infer<typeof FrameHeader>;

export const maxChunkLines = 500;
/** Raw bytes after which a chunk is cut. */
export const maxChunkBytes = 192 * 1024;
/** Longest record in bytes; a longer line continues in the next one. */
export const maxRecordBytes = 64 * 1024;

export type LogLine = { time: number; text: Uint8Array; continued: boolean };

export type LineTable = { times: number[]; continued: boolean[] };

export function encodeLineTable(start: number, table: LineTable): Uint8Array {
  const bytes: number[] = [];
  let last = start;
  for (const [index, time] of table.times.entries()) {
    // A clock that was set back gives no negative time: lines stay in order.
    const delta = Math.max(0, time - last);
    last += delta;
    let value = delta * 2 + (table.continued[index] ? 1 : 0);
    while (value >= 0x80) {
      bytes.push((value % 0x80) | 0x80);
      value = Math.floor(value / 0x80);
    }
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

/** Reads `count` entries. @throws RangeError when the bytes end before that. */
export function decodeLineTable(bytes: Uint8Array, start: number, count: number): LineTable {
  const times: number[] = [];
  const continued: boolean[] = [];
  let position = 0;
  let last = start;
  for (let line = 0; line < count; line += 1) {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[position];
      if (byte === undefined) throw new RangeError('the line table is shorter than its line count');
      position += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 0x80;
    }
    last += Math.floor(value / 2);
    times.push(last);
    continued.push(value % 2 === 1);
  }
  return { times, continued };
}

/** Joins table and text to what is compressed. `text` holds every record followed by LF. */
export function joinChunk(table: Uint8Array, text: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(4 + table.length + text.length);
  new DataView(chunk.buffer).setUint32(0, table.length);
  chunk.set(table, 4);
  chunk.set(text, 4 + table.length);
  return chunk;
}

/** Takes an unpacked chunk apart. @throws RangeError when it is cut short. */
export function splitChunk(chunk: Uint8Array): { table: Uint8Array; text: Uint8Array } {
  if (chunk.length < 4) throw new RangeError('the chunk is cut short');
  const length = new DataView(chunk.buffer, chunk.byteOffset).getUint32(0);
  if (chunk.length < 4 + length) throw new RangeError('the chunk is cut short');
  return { table: chunk.subarray(4, 4 + length), text: chunk.subarray(4 + length) };
}

/** One frame as bytes. @param data zstd data of `header.size` bytes. */
export function encodeFrame(header: FrameHeader, data: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify(header));
  const frame = new Uint8Array(4 + head.length + data.length);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, 4);
  frame.set(data, 4 + head.length);
  return frame;
}

/** Cuts an upload into frames; data is a view, not a copy. @throws RangeError or a zod error on anything malformed. */
export function decodeFrames(body: Uint8Array): { header: FrameHeader; data: Uint8Array }[] {
  const frames: { header: FrameHeader; data: Uint8Array }[] = [];
  let position = 0;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  while (position < body.length) {
    if (position + 4 > body.length) throw new RangeError('a frame is cut short');
    const headEnd = position + 4 + view.getUint32(position);
    if (headEnd > body.length) throw new RangeError('a frame is cut short');
    const head: unknown = JSON.parse(new TextDecoder().decode(body.subarray(position + 4, headEnd)));
    const header = z.parse(FrameHeader, head);
    const end = headEnd + header.size;
    if (header.size < 0 || end > body.length) throw new RangeError('a frame is cut short');
    frames.push({ header, data: body.subarray(headEnd, end) });
    position = end;
  }
  return frames;
}
