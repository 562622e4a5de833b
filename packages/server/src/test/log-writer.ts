import { crc32, zstdCompressSync } from 'node:zlib';
import { encodeLineTable, joinChunk, maxChunkBytes } from '@signalbox/contract/log-frame';
import type { Frame } from '../engine/log-frames.ts';

export type WrittenLine = { time: number; text: Buffer; continued: boolean };

/** What a runner keeps of a task's output: cuts it into frames at will, as often as it is asked. */
export class LogWriter {
  readonly taskId: number;
  readonly lines: readonly WrittenLine[];
  /** Checksum and bytes before line n + 1. */
  readonly #before: { crc: number; bytes: number }[] = [{ crc: 0, bytes: 0 }];

  constructor(taskId: number, lines: readonly WrittenLine[]) {
    this.taskId = taskId;
    this.lines = lines;
    let crc = 0;
    let bytes = 0;
    for (const line of lines) {
      const written = this.#written(line);
      crc = crc32(written, crc);
      bytes += written.length;
      this.#before.push({ crc, bytes });
    }
  }

  /** Lines from `first` on: `count` of them, or fewer where they are long. */
  cut(first: number, count: number): Frame {
    let bytes = 0;
    const lines: WrittenLine[] = [];
    for (const line of this.lines.slice(first - 1, first - 1 + count)) {
      if (bytes >= maxChunkBytes) break;
      lines.push(line);
      bytes += line.text.length + 1;
    }
    const time = lines[0]?.time ?? 0;
    const table = { times: lines.map((line) => line.time), continued: lines.map((line) => line.continued) };
    const text = Buffer.concat(lines.flatMap((line) => [line.text, Buffer.from('\n')]));
    const data = zstdCompressSync(joinChunk(encodeLineTable(time, table), text));
    const [start, end] = [this.#before[first - 1], this.#before[first - 1 + lines.length]];
    const header = {
      task_id: this.taskId,
      fence: 1,
      claim_id: 'c',
      first,
      count: lines.length,
      bytes: (end?.bytes ?? 0) - (start?.bytes ?? 0),
      crc: end?.crc ?? 0,
      time,
      size: data.length,
      gap: null,
    };
    return { header, data };
  }

  /** The end of the log. */
  seal(): { lines: number; bytes: number; crc: number } {
    const end = this.#before.at(-1);
    return { lines: this.lines.length, bytes: end?.bytes ?? 0, crc: end?.crc ?? 0 };
  }

  /** All bytes that were written. */
  raw(): Buffer {
    return Buffer.concat(this.lines.map((line) => this.#written(line)));
  }

  #written(line: WrittenLine): Buffer {
    return line.continued ? line.text : Buffer.concat([line.text, Buffer.from('\n')]);
  }
}

/** A row of numbers that is the same in each run with the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
