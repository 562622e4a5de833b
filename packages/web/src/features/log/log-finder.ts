import type { LogSearch } from '@signalbox/contract/tasks';

export type FinderState = {
  query: string;
  /** Numbers of the lines found so far, in order. */
  hits: number[];
  /** Matching lines in the whole log; undefined until the server has answered. */
  count: number | undefined;
  /** Index of the current hit in `hits`, or -1. */
  current: number;
  isBusy: boolean;
  failure: unknown;
};

const idle: FinderState = { query: '', hits: [], count: undefined, current: -1, isBusy: false, failure: undefined };

export type SearchPort = (query: string, after: number, signal: AbortSignal) => Promise<LogSearch>;

/**
 * Finds a text in the whole stored log: the server looks, this keeps the hits and the current one. The server runs one
 * search of a user at a time, so a new one ends the one before.
 */
export class LogFinder {
  readonly #search: SearchPort;
  readonly #listeners = new Set<() => void>();
  #state: FinderState = idle;
  #abort = new AbortController();
  /** Lines that the last answer had looked at. */
  #scanned = 0;

  constructor(search: SearchPort) {
    this.#search = search;
  }

  get state(): FinderState {
    return this.#state;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks for another text; the first hit at or below a line becomes the current one. */
  async find(query: string, near: number): Promise<void> {
    this.stop();
    if (query === '') return;
    this.#change({ ...idle, query, isBusy: true });
    await this.#ask(0, (answer) => {
      const below = answer.lines.findIndex((line) => line >= near);
      return { hits: answer.lines, current: answer.lines.length === 0 ? -1 : Math.max(0, below) };
    });
  }

  /** Forgets the search. */
  stop(): void {
    this.#abort.abort();
    this.#scanned = 0;
    if (this.#state !== idle) this.#change(idle);
  }

  /** Goes to the next hit; behind the last one, to the first. */
  async next(): Promise<void> {
    const { current, hits, count = 0, isBusy } = this.#state;
    if (hits.length === 0) return;
    if (current + 1 < hits.length) this.#change({ ...this.#state, current: current + 1 });
    else if (hits.length >= count) this.#change({ ...this.#state, current: 0 });
    else if (!isBusy) await this.#askMore(current + 1);
  }

  /** Goes to the hit before; before the first one, to the last, if all are known. */
  previous(): void {
    const { current, hits, count = 0 } = this.#state;
    if (hits.length === 0) return;
    if (current > 0) this.#change({ ...this.#state, current: current - 1 });
    else if (hits.length >= count) this.#change({ ...this.#state, current: hits.length - 1 });
  }

  /** The log has grown: looks for new hits. The current one stays. */
  async refresh(total: number): Promise<void> {
    const { query, count, isBusy, current } = this.#state;
    if (query === '' || count === undefined || isBusy || total <= this.#scanned) return;
    await this.#askMore(Math.max(0, current));
  }

  async #askMore(current: number): Promise<void> {
    const known = this.#state.hits;
    this.#change({ ...this.#state, isBusy: true });
    await this.#ask(known.at(-1) ?? 0, (answer) => {
      const hits = [...known, ...answer.lines];
      return { hits, current: Math.min(current, hits.length - 1) };
    });
  }

  async #ask(after: number, take: (answer: LogSearch) => Pick<FinderState, 'hits' | 'current'>): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const answer = await this.#search(this.#state.query, after, abort.signal);
      if (abort.signal.aborted) return;
      this.#scanned = answer.total;
      this.#change({ ...this.#state, ...take(answer), count: answer.count, isBusy: false, failure: undefined });
    } catch (error) {
      if (!abort.signal.aborted) this.#change({ ...this.#state, isBusy: false, failure: error });
    }
  }

  #change(state: FinderState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
