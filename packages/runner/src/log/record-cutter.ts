import { type LineTable, maxChunkBytes, maxChunkLines, maxRecordBytes } from '@signalbox/contract/log-frame';

/** Lines that travel together: every record followed by LF, as latin1 text. */
export type Chunk = { text: string; count: number; table: LineTable; time: number };

/**
 * Cuts masked latin1 text into records and chunks of them. Nothing is allocated for a single line: a chunk is a few long slices of
 * what was read.
 */
export class RecordCutter {
  readonly #onChunk: (chunk: Chunk) => void;
  #text = '';
  #table: LineTable = { times: [], continued: [] };
  /** The last line, while it has no end. */
  #partial = '';
  #partialIsContinued = false;

  constructor(onChunk: (chunk: Chunk) => void) {
    this.#onChunk = onChunk;
  }

  get isEmpty(): boolean {
    return this.#table.times.length === 0;
  }

  /** A record cannot be put in now: it would stand between two parts of one long line. */
  get isInsideLine(): boolean {
    return this.#partialIsContinued;
  }

  push(text: string, time: number): void {
    const whole = this.#partial === '' ? text : this.#partial + text;
    let position = 0;
    let start = 0;
    for (;;) {
      const end = whole.indexOf('\n', position);
      if (end < 0) break;
      if (end - position > maxRecordBytes) {
        this.#text += whole.slice(start, position);
        position = this.#cutLong(whole, position, end, time);
        this.#addRecord(whole.slice(position, end), time, false);
        start = end + 1;
      } else {
        if (this.#isFull(end + 1 - start)) {
          this.#text += whole.slice(start, position);
          start = position;
          this.flush();
        }
        this.#table.times.push(time);
        this.#table.continued.push(false);
      }
      this.#partialIsContinued = false;
      position = end + 1;
    }
    this.#text += whole.slice(start, position);
    if (whole.length - position > maxRecordBytes) position = this.#cutLong(whole, position, whole.length, time);
    this.#partial = position === 0 ? whole : whole.slice(position);
  }

  #isFull(more: number): boolean {
    const count = this.#table.times.length;
    return count >= maxChunkLines || (count > 0 && this.#text.length + more > maxChunkBytes);
  }

  /** Makes full records of all but the last part of a long line; answers where that part begins. */
  #cutLong(whole: string, from: number, end: number, time: number): number {
    let position = from;
    while (end - position > maxRecordBytes) {
      this.#addRecord(whole.slice(position, position + maxRecordBytes), time, true);
      position += maxRecordBytes;
      this.#partialIsContinued = true;
    }
    return position;
  }

  #addRecord(text: string, time: number, isContinued: boolean): void {
    if (this.#isFull(text.length + 1)) this.flush();
    this.#text += `${text}\n`;
    this.#table.times.push(time);
    this.#table.continued.push(isContinued);
  }

  /** Puts a line in before the one that has no end yet. */
  insertLine(text: string, time: number): void {
    this.#addRecord(text, time, false);
  }

  /** Hands out what is complete. */
  flush(): void {
    const count = this.#table.times.length;
    if (count === 0) return;
    const chunk = { text: this.#text, count, table: this.#table, time: this.#table.times[0] ?? 0 };
    this.#text = '';
    this.#table = { times: [], continued: [] };
    this.#onChunk(chunk);
  }

  /** The last line counts although nothing ended it. */
  end(time: number): void {
    if (this.#partial !== '' || this.#partialIsContinued) this.#addRecord(this.#partial, time, false);
    this.#partial = '';
    this.#partialIsContinued = false;
    this.flush();
  }
}
