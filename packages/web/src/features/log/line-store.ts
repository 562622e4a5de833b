import type { LiveLine } from '@signalbox/contract/live';
import type { LogRange } from '@signalbox/contract/tasks';
import { GapList } from './gap-list.ts';

/** Lines of one page: what is fetched, kept and dropped together. */
export const pageLines = 500;
/** Characters of text that are kept, whatever the lines are: a line may be 64 KiB long. */
const maxCharacters = 16_000_000;
/** Pages that are kept: 60,000 lines. */
const maxPages = 120;

/** Lines `from` to `to`, both included. */
export type LineSpan = { from: number; to: number };

type Page = {
  lines: (LiveLine | undefined)[];
  characters: number;
  /** Lines that are held. */
  filled: number;
  /** When it was last looked at, by the store's own count. */
  used: number;
};

type Limits = { characters: number; pages: number };

/**
 * What is known of one task's log: how long it is, whether it is complete, and the pages of it that were looked at
 * lately. It does no work of its own: ranges and live lines are put in, lines are read, and it says which ones are missing.
 * A line never changes, so what is there first stays, and order and repetition of what arrives do not matter.
 */
export class LineStore {
  readonly #pages = new Map<number, Page>();
  readonly #limits: Limits;
  readonly #gaps = new GapList();
  #characters = 0;
  #clock = 0;
  #total = 0;
  #sealed = false;
  #version = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { characters: limits.characters ?? maxCharacters, pages: limits.pages ?? maxPages };
  }

  /** Lines that the log is known to have. */
  get total(): number {
    return this.#total;
  }

  /** The log is complete: no line will follow. */
  get sealed(): boolean {
    return this.#sealed;
  }

  /** Grows with every change: what was drawn at the same version is still right. */
  get version(): number {
    return this.#version;
  }

  /** Lines that are held at the moment. */
  get held(): number {
    let held = 0;
    for (const page of this.#pages.values()) held += page.filled;
    return held;
  }

  /** The record of a line; for a lost one, the record of the gap that it lies in. */
  get(line: number): LiveLine | undefined {
    const page = this.#pages.get(pageOf(line));
    if (page === undefined) return this.#gaps.find(line);
    this.#clock += 1;
    page.used = this.#clock;
    return page.lines[slotOf(line)] ?? this.#gaps.find(line);
  }

  /** An answer of the range route. */
  addRange(range: LogRange): void {
    this.#addLines(range.lines);
    this.#grow(Math.max(range.total, range.next - 1));
    if (range.sealed) this.seal(range.total);
  }

  /** Lines of the live connection. */
  addLive(lines: readonly LiveLine[], next: number): void {
    this.#addLines(lines);
    this.#grow(next - 1);
  }

  /** The log ends after this line. */
  seal(lines: number): void {
    if (this.#sealed && this.#total === lines) return;
    this.#sealed = true;
    this.#total = lines;
    this.#version += 1;
  }

  /** The spans of existing lines between `from` and `to` that are not held, in order. */
  listMissing(from: number, to: number): LineSpan[] {
    const spans: LineSpan[] = [];
    const last = Math.min(to, this.#total);
    let line = Math.max(1, from);
    while (line <= last) {
      const end = this.#findHeldEnd(line);
      if (end === undefined) extendSpans(spans, line);
      line = (end ?? line) + 1;
    }
    return spans;
  }

  /** Drops the pages that were not looked at for longest, until the limits hold. Lines from `from` to `to` stay. */
  evict(from: number, to: number): void {
    if (!this.#isOverLimits()) return;
    const rest = [...this.#pages].filter(([number]) => number < pageOf(from) || number > pageOf(to));
    rest.sort(([, a], [, b]) => a.used - b.used);
    for (const [number, page] of rest) {
      if (!this.#isOverLimits()) return;
      this.#pages.delete(number);
      this.#characters -= page.characters;
    }
  }

  /** The last line that is surely held from this one on; undefined where it is missing itself. */
  #findHeldEnd(line: number): number | undefined {
    if (this.#pages.get(pageOf(line))?.lines[slotOf(line)] !== undefined) return line;
    const gap = this.#gaps.find(line);
    return gap === undefined ? undefined : gap.line + (gap.gap ?? 1) - 1;
  }

  #isOverLimits(): boolean {
    return this.#characters > this.#limits.characters || this.#pages.size > this.#limits.pages;
  }

  #grow(total: number): void {
    // A sealed log does not grow: what arrives late is older than the seal.
    if (this.#sealed || total <= this.#total) return;
    this.#total = total;
    this.#version += 1;
  }

  #addLines(lines: readonly LiveLine[]): void {
    for (const line of lines) {
      if (line.gap === undefined) this.#put(line);
      else this.#gaps.add(line, line.gap);
    }
    if (lines.length > 0) this.#version += 1;
  }

  #put(record: LiveLine): void {
    const page = this.#open(pageOf(record.line));
    if (page.lines[slotOf(record.line)] !== undefined) return;
    page.lines[slotOf(record.line)] = record;
    page.filled += 1;
    page.characters += record.output.length;
    this.#characters += record.output.length;
  }

  #open(number: number): Page {
    const found = this.#pages.get(number);
    if (found !== undefined) return found;
    this.#clock += 1;
    const page: Page = { lines: new Array(pageLines), characters: 0, filled: 0, used: this.#clock };
    this.#pages.set(number, page);
    return page;
  }
}

function extendSpans(spans: LineSpan[], line: number): void {
  const span = spans.at(-1);
  if (span?.to === line - 1) span.to = line;
  else spans.push({ from: line, to: line });
}

function pageOf(line: number): number {
  return Math.floor((line - 1) / pageLines);
}

function slotOf(line: number): number {
  return (line - 1) % pageLines;
}
