import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFrames } from '@signalbox/contract/log-frame';
import { droppedName, type FrameRange, Spool, segmentNumber } from './spool.ts';
import type { Claim, LogPosition } from './task-log.ts';

type Found = FrameRange & { length: number };

function readFrame(file: Buffer, position: number): Found | null {
  const headEnd = position + 4 + file.readUInt32BE(position);
  if (headEnd > file.length) return null;
  const { size } = JSON.parse(file.toString('utf8', position + 4, headEnd)) as { size: number };
  const end = headEnd + size;
  if (end > file.length) return null;
  const header = decodeFrames(file.subarray(position, end))[0]?.header;
  if (header === undefined) return null;
  const { first, count, crc, bytes } = header;
  return { first, next: first + count, crc, bytes, length: end - position };
}

/** Whole frames at the beginning of a file; a runner may have died in the middle of the last one. */
function readFrames(file: Buffer): Found[] {
  const found: Found[] = [];
  let position = 0;
  try {
    while (position + 4 <= file.length) {
      const frame = readFrame(file, position);
      if (frame === null) break;
      found.push(frame);
      position += frame.length;
    }
  } catch {
    // Not a frame: what a power cut left. The lines before it are whole.
  }
  return found;
}

function readDropped(directory: string): number {
  const path = join(directory, droppedName);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { bytes: number }).bytes : 0;
}

/** Opens the spool that a predecessor left, and says where its log stood. */
export function recoverSpool(directory: string, limit: number): { spool: Spool; position: LogPosition } {
  const dropped = existsSync(directory) ? readDropped(directory) : 0;
  const spool = new Spool(directory, limit, dropped);
  const position = { lines: 0, bytes: dropped, crc: 0 };
  const names = existsSync(directory) ? readdirSync(directory).sort() : [];
  for (const name of names) {
    const number = segmentNumber(name);
    if (number === null) continue;
    const path = join(directory, name);
    const frames = readFrames(readFileSync(path));
    truncateSync(
      path,
      frames.reduce((sum, frame) => sum + frame.length, 0),
    );
    spool.adopt(number, frames);
    for (const frame of frames) {
      position.lines = frame.next - 1;
      position.bytes += frame.bytes;
      position.crc = frame.crc;
    }
  }
  return { spool, position };
}

/** Whose log this is, as its first frame says; null when there is none. */
export function readSpoolClaim(directory: string): Claim | null {
  const name = readdirSync(directory)
    .sort()
    .find((candidate) => segmentNumber(candidate) !== null);
  if (name === undefined) return null;
  const file = readFileSync(join(directory, name));
  const first = readFrames(file)[0];
  const header = first && decodeFrames(file.subarray(0, first.length))[0]?.header;
  return header ? { task_id: header.task_id, fence: header.fence, claim_id: header.claim_id } : null;
}
