import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What a frame holds: its lines, their bytes, and the checksum after them. */
export type FrameRange = { first: number; next: number; bytes: number; crc: number };
/** One frame on disk, or one that was. */
type Place = FrameRange & { segment: number; offset: number; length: number };
type Segment = { number: number; file: number; size: number; last: number };

function segmentName(number: number): string {
  return `log-${String(number).padStart(6, '0')}.spool`;
}

/** null when it is not the name of a segment. */
export function segmentNumber(name: string): number | null {
  const digits = /^log-(\d{6})\.spool$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Bytes of the lines that had to make room: a successor needs them for the seal. */
export const droppedName = 'dropped.json';
const segmentBytes = 64 * 1024 * 1024;

/** Nothing more can be kept: the limit is reached, and what is on disk is still wanted. */
export class SpoolFull extends Error {}

/** A frame that was half written is written over by the next one, and a successor cuts it off: so this may fail. */
function cutBack(segment: Segment): void {
  try {
    ftruncateSync(segment.file, segment.size);
  } catch {
    // The reason that counts is why the frame could not be written.
  }
}

/**
 * The frames of one log on disk, until its log is sealed at the server. Kept in files of a limited size, so that what the server
 * has can make room. Written and read synchronously: the page cache answers, and order needs no queue.
 */
export class Spool {
  readonly #directory: string;
  readonly #limit: number;
  readonly #segmentLimit: number;
  readonly #segments: Segment[] = [];
  readonly #places: Place[] = [];
  #size = 0;
  /** First line that is still on disk. */
  #kept = 1;
  readonly #droppedBefore: number;

  /** @param droppedBefore bytes of lines that a predecessor has dropped */
  constructor(directory: string, limit: number, droppedBefore = 0) {
    this.#directory = directory;
    this.#droppedBefore = droppedBefore;
    this.#limit = limit;
    this.#segmentLimit = Math.min(segmentBytes, Math.max(1, Math.floor(limit / 4)));
  }

  /** The line after the last one that is here. */
  get next(): number {
    return this.#places.at(-1)?.next ?? 1;
  }

  /**
   * Appends one frame. @param wanted the first line that the server still wants: older ones may go when the room is needed.
   * @throws SpoolFull, or what the file system says (ENOSPC)
   */
  append(range: FrameRange, frame: Uint8Array, wanted: number): void {
    if (this.#size + frame.length > this.#limit) this.#makeRoom(frame.length, wanted);
    const segment = this.#openSegment(frame.length);
    try {
      let written = 0;
      while (written < frame.length) {
        written += writeSync(segment.file, frame, written, frame.length - written, segment.size + written);
      }
    } catch (error) {
      cutBack(segment);
      throw error;
    }
    this.#note(segment, range, frame.length);
  }

  /** Takes over a segment that a predecessor wrote. */
  adopt(number: number, frames: (FrameRange & { length: number })[]): void {
    const first = frames[0]?.first;
    if (this.#places.length === 0 && first !== undefined) this.#kept = first;
    const file = openSync(join(this.#directory, segmentName(number)), 'r+');
    const segment = { number, file, size: 0, last: 0 };
    this.#segments.push(segment);
    for (const frame of frames) this.#note(segment, frame, frame.length);
  }

  #note(segment: Segment, range: FrameRange, length: number): void {
    const { first, next, bytes, crc } = range;
    this.#places.push({ first, next, bytes, crc, segment: segment.number, offset: segment.size, length });
    segment.size += length;
    segment.last = next;
    this.#size += length;
  }

  #openSegment(length: number): Segment {
    const current = this.#segments.at(-1);
    if (current !== undefined && (current.size === 0 || current.size + length <= this.#segmentLimit)) return current;
    const number = (current?.number ?? 0) + 1;
    const file = openSync(join(this.#directory, segmentName(number)), 'w+', 0o600);
    const segment = { number, file, size: 0, last: 0 };
    this.#segments.push(segment);
    return segment;
  }

  #makeRoom(length: number, wanted: number): void {
    while (this.#size + length > this.#limit) {
      const oldest = this.#segments[0];
      if (oldest === undefined || oldest.last > wanted || this.#segments.length === 1) throw new SpoolFull();
      this.#segments.shift();
      closeSync(oldest.file);
      rmSync(join(this.#directory, segmentName(oldest.number)), { force: true });
      this.#size -= oldest.size;
      this.#kept = oldest.last;
      this.#noteDropped();
    }
  }

  #noteDropped(): void {
    let bytes = 0;
    for (const place of this.#places) if (place.next <= this.#kept) bytes += place.bytes;
    writeFileSync(join(this.#directory, droppedName), JSON.stringify({ bytes: bytes + this.#droppedBefore }));
  }

  /** Whole frames from the one that holds this line on, at most `limit` bytes of them, but always one. */
  read(line: number, limit: number): Uint8Array[] {
    const parts: Uint8Array[] = [];
    let index = this.#find(Math.max(line, this.#kept));
    let room = limit;
    for (;;) {
      const place = this.#places[index];
      if (place === undefined || (place.length > room && parts.length > 0)) return parts;
      parts.push(this.#readPlace(place));
      room -= place.length;
      index += 1;
      if (room <= 0) return parts;
    }
  }

  #readPlace(place: Place): Uint8Array {
    const segment = this.#segments.find((candidate) => candidate.number === place.segment);
    if (segment === undefined) throw new Error(`segment ${place.segment} of the spool is gone`);
    const bytes = new Uint8Array(place.length);
    let done = 0;
    while (done < place.length) {
      const count = readSync(segment.file, bytes, done, place.length - done, place.offset + done);
      if (count === 0) throw new Error('the spool is shorter than its frames');
      done += count;
    }
    return bytes;
  }

  /** Index of the first frame that ends after this line. */
  #find(line: number): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const place = this.#places[middle];
      if (place !== undefined && place.next > line) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Whether this line had to make room. */
  hasDropped(line: number): boolean {
    return line < this.#kept;
  }

  /** Bytes and checksum of all lines before this one. */
  measureBefore(line: number): { bytes: number; crc: number } {
    let [bytes, crc] = [this.#droppedBefore, 0];
    for (const place of this.#places) {
      if (place.next > line) break;
      bytes += place.bytes;
      crc = place.crc;
    }
    return { bytes, crc };
  }

  close(): void {
    for (const segment of this.#segments) closeSync(segment.file);
    this.#segments.length = 0;
  }
}
