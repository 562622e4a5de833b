import type { LiveLine } from '@signalbox/contract/live';

/** The lost parts of a log. They are few, and each may stand for more lines than any page holds, so they are kept apart. */
export class GapList {
  /** In the order of their first lines. */
  readonly #gaps: LiveLine[] = [];

  add(record: LiveLine, count: number): void {
    const index = this.#findIndex(record.line);
    if (this.#gaps[index]?.line === record.line || count < 1) return;
    this.#gaps.splice(index + 1, 0, record);
  }

  /** The gap that a line lies in. */
  find(line: number): LiveLine | undefined {
    const gap = this.#gaps[this.#findIndex(line)];
    return gap !== undefined && line < gap.line + (gap.gap ?? 1) ? gap : undefined;
  }

  /** Index of the last gap that begins at the line or before, or -1. */
  #findIndex(line: number): number {
    let low = 0;
    let high = this.#gaps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#gaps[middle]?.line ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
