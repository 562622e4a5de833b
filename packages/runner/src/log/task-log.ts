import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { encodeFrame, encodeLineTable, type FrameHeader, joinChunk } from '@signalbox/contract/log-frame';
import type { LogSeal } from '@signalbox/contract/runner-protocol';
import { Mask, maskText, type SecretSearch } from './mask.ts';
import { type Chunk, RecordCutter } from './record-cutter.ts';
import { type Spool, SpoolFull } from './spool.ts';

/** Longest time from a line's reading to its sending. */
const cutAfterMs = 50;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const noData = new Uint8Array(0);
/** The server lost lines, in a power failure, that had made room here after it had taken them. */
const madeRoom = 'the server lost what it had stored, and the runner had made room for newer lines';

export type Claim = { task_id: number; fence: number; claim_id: string };
/** Where a log stands: its lines, its bytes and checksum, and what is being lost just now. */
export type LogPosition = LogSeal;

function checksumOf(text: Uint8Array, chunk: Chunk, before: number): number {
  if (!chunk.table.continued.includes(true)) return crc32(text, before);
  let crc = before;
  let start = 0;
  for (const isContinued of chunk.table.continued) {
    const end = text.indexOf(10, start);
    // The LF behind a part of a long line is a mark of the frame, not of the log.
    crc = crc32(text.subarray(start, isContinued ? end : end + 1), crc);
    start = end + 1;
  }
  return crc;
}

function countContinued(chunk: Chunk): number {
  let count = 0;
  for (const isContinued of chunk.table.continued) if (isContinued) count += 1;
  return count;
}

/** The log of one task: takes bytes, masks, cuts, numbers, sums and spools them. Never waits, and never makes the tool wait. */
export class TaskLog {
  readonly #claim: Claim;
  readonly #search: SecretSearch;
  readonly #mask: Mask;
  readonly #cutter: RecordCutter;
  readonly #spool: Spool;
  readonly #onFrames: () => void;
  #lines: number;
  #bytes: number;
  #crc: number;
  #timer: NodeJS.Timeout | null = null;
  /** Own lines that wait for the end of a long line of the tool. */
  #waiting: string[] = [];
  #gap: { first: number; count: number; reason: string; time: number } | null = null;
  /** The record of loss at the very end, when not even that found room on disk. */
  #lastGap: Uint8Array | null = null;
  /** Where the log ends at the server, when it can never be whole again. */
  #broken: { reason: string; bytes: number; crc: number } | null = null;
  /** First line that the server has not taken. */
  #wanted = 1;
  #diskFailure: string | null = null;

  constructor(
    claim: Claim,
    search: SecretSearch,
    spool: Spool,
    onFrames: () => void,
    start: LogPosition | null = null,
  ) {
    this.#claim = claim;
    this.#search = search;
    this.#mask = new Mask(search);
    this.#spool = spool;
    this.#onFrames = onFrames;
    this.#lines = start?.lines ?? 0;
    this.#bytes = start?.bytes ?? 0;
    this.#crc = start?.crc ?? 0;
    this.#cutter = new RecordCutter((chunk) => this.#keep(chunk));
  }

  /** Why lines could not be written to the disk; null while all could. */
  get diskFailure(): string | null {
    return this.#diskFailure;
  }

  /** First line that the server wants. */
  get wanted(): number {
    return this.#wanted;
  }

  get isHandedOver(): boolean {
    return this.#wanted > this.#lines;
  }

  /** Output of the tool. */
  feed(bytes: Buffer): void {
    this.#push(this.#mask.push(bytes.toString('latin1')));
  }

  #push(text: string): void {
    if (text !== '') this.#cutter.push(text, Date.now());
    if (this.#waiting.length > 0 && !this.#cutter.isInsideLine) this.#sayWaiting();
    this.#schedule();
  }

  /** A line of the runner's own, in plain language. */
  say(line: string): void {
    for (const part of line.split('\n')) {
      this.#waiting.push(maskText(this.#search, Buffer.from(part, 'utf8').toString('latin1')));
    }
    if (!this.#cutter.isInsideLine) this.#sayWaiting();
    this.#schedule();
  }

  #sayWaiting(): void {
    const now = Date.now();
    for (const line of this.#waiting) this.#cutter.insertLine(line, now);
    this.#waiting = [];
  }

  #schedule(): void {
    if (this.#timer !== null || this.#cutter.isEmpty) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#cutter.flush();
    }, cutAfterMs);
  }

  /** Ends one stream of the tool: nothing that was held back can grow into a secret any more. */
  endStream(): void {
    const rest = this.#mask.end();
    if (rest !== '') this.#cutter.push(rest, Date.now());
    this.#cutter.end(Date.now());
    if (this.#waiting.length > 0) this.#sayWaiting();
  }

  /** What the server must have for the log to be whole. It changes only when the server has lost what nobody has any more. */
  get sealed(): LogSeal {
    const { bytes, crc } = this.#broken ?? { bytes: this.#bytes, crc: this.#crc };
    return { lines: this.#lines, bytes, crc };
  }

  /** Writes everything out. Nothing may come after it. */
  seal(): LogSeal {
    this.endStream();
    this.#cutter.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (!this.#endGap()) this.#keepGapInMemory();
    return this.sealed;
  }

  #keep(chunk: Chunk): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gap !== null && !this.#endGap()) {
      this.#lose(chunk, this.#gap.reason);
      return;
    }
    const text = Buffer.from(chunk.text, 'latin1');
    const bytes = text.length - countContinued(chunk);
    const crc = checksumOf(text, chunk, this.#crc);
    const data = zstdCompressSync(joinChunk(encodeLineTable(chunk.time, chunk.table), text), compression);
    const header = this.#makeHeader({ count: chunk.count, bytes, crc, time: chunk.time, size: data.length, gap: null });
    const failure = this.#append(header, data);
    if (failure !== null) {
      this.#lose(chunk, failure);
      return;
    }
    this.#lines += chunk.count;
    this.#bytes += bytes;
    this.#crc = crc;
    this.#onFrames();
  }

  #makeHeader(rest: Omit<FrameHeader, 'task_id' | 'fence' | 'claim_id' | 'first'>): FrameHeader {
    const { task_id, fence, claim_id } = this.#claim;
    return { task_id, fence, claim_id, first: this.#lines + 1, ...rest };
  }

  /** Why the frame could not be kept, or null. */
  #append(header: FrameHeader, data: Uint8Array): string | null {
    const { first, count, bytes, crc } = header;
    const range = { first, next: first + count, bytes, crc };
    try {
      this.#spool.append(range, encodeFrame(header, data), this.#wanted);
      return null;
    } catch (error) {
      if (error instanceof SpoolFull) return 'no server took the log, and the spool of the runner is full';
      const code = (error as NodeJS.ErrnoException).code;
      this.#diskFailure =
        code === 'ENOSPC' ? 'the disk of the runner is full' : `the runner could not write it (${code})`;
      return this.#diskFailure;
    }
  }

  #lose(chunk: Chunk, reason: string): void {
    this.#gap ??= { first: this.#lines + 1, count: 0, reason, time: chunk.time };
    this.#gap.count += chunk.count;
  }

  /** Gives the lost lines their record. Answers whether the log can go on. */
  #endGap(): boolean {
    const gap = this.#gap;
    if (gap === null) return true;
    const { count, time, reason } = gap;
    const header = this.#makeHeader({ count, bytes: 0, crc: this.#crc, time, size: 0, gap: reason });
    if (this.#append(header, noData) !== null) return false;
    this.#lines += count;
    this.#gap = null;
    this.#onFrames();
    return true;
  }

  #keepGapInMemory(): void {
    const gap = this.#gap;
    if (gap === null) return;
    const { count, time, reason } = gap;
    this.#lastGap = encodeFrame(
      this.#makeHeader({ count, bytes: 0, crc: this.#crc, time, size: 0, gap: reason }),
      noData,
    );
    this.#lines += count;
    this.#gap = null;
    this.#onFrames();
  }

  /** The next frames to send; empty when there are none. */
  readFrames(limit: number): Uint8Array[] {
    if (this.isHandedOver) return [];
    if (this.#spool.hasDropped(this.#wanted)) this.breakOff(madeRoom);
    if (this.#broken !== null) return [this.#makeBreakFrame(this.#broken)];
    const frames = this.#spool.read(this.#wanted, limit);
    if (frames.length === 0 && this.#lastGap !== null) return [this.#lastGap];
    return frames;
  }

  /**
   * What the server wants next cannot be had any more. Every later checksum is built on it, so the log ends where the server's does,
   * and says so.
   */
  breakOff(reason: string): void {
    this.#broken ??= { reason, ...this.#spool.measureBefore(this.#wanted) };
  }

  #makeBreakFrame({ reason, crc }: { reason: string; crc: number }): Uint8Array {
    const count = this.#lines + 1 - this.#wanted;
    const header = this.#makeHeader({ count, bytes: 0, crc, time: Date.now(), size: 0, gap: reason });
    return encodeFrame({ ...header, first: this.#wanted }, noData);
  }

  /** The server's word on what it wants next; lower than before when it lost lines in a power failure. */
  acknowledge(next: number): void {
    this.#wanted = Math.min(next, this.#lines + 1);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#spool.close();
  }
}
