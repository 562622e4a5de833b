import type { LogRange } from '@signalbox/contract/tasks';
import type { LogFollower } from '../../lib/socket.ts';
import { type LineSpan, LineStore, pageLines } from './line-store.ts';

/** Where the lines come from. */
export type LogPorts = {
  fetchRange: (from: number, count: number, signal: AbortSignal) => Promise<LogRange>;
  /** Follows the live lines from one on; the answer ends it. */
  follow: (from: number, follower: LogFollower) => () => void;
};

/** How often live lines may redraw the log, and how long to wait before what failed is tried again. */
const flushMs = 100;
const retryMs = 2000;
/** After a `behind`: the server is faster than this browser, so it is asked less often. */
const behindMs = 200;
/** Lines around the visible ones that are fetched with them. */
const margin = 100;
const maxRequests = 3;
/** Requests for lines further away than this from what is looked at are given up. */
const giveUpLines = 2 * pageLines;

type Request = LineSpan & { abort: AbortController };

/**
 * Keeps the store of one log filled: the first page, then what the reader looks at, and what is written meanwhile. Nothing that
 * nobody looks at is fetched, so a log of any length opens and grows at the same price.
 */
export class LogSource {
  readonly store = new LineStore();
  readonly #ports: LogPorts;
  readonly #listeners = new Set<() => void>();
  readonly #requests = new Set<Request>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #catchUpAbort = new AbortController();
  #wanted: LineSpan = { from: 1, to: 0 };
  #endFollow: (() => void) | undefined;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #isStarted = false;
  #isOpen = false;
  #isCatchingUp = false;
  /** Nothing is asked for until the retry: what failed a moment ago would fail again. */
  #isPaused = false;
  #failure: unknown;
  #revision = 0;

  constructor(ports: LogPorts) {
    this.#ports = ports;
  }

  /** The length of the log is known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Why lines could not be had the last time; undefined when they could. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Grows whenever there is something new to draw. */
  get revision(): number {
    return this.#revision;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#isPaused = false;
    this.#catchUpAbort = new AbortController();
    if (this.#isOpen) this.#follow();
    else this.#request({ from: 1, to: pageLines });
  }

  stop(): void {
    this.#isStarted = false;
    this.#isCatchingUp = false;
    this.#catchUpAbort.abort();
    this.#endFollow?.();
    this.#endFollow = undefined;
    for (const request of this.#requests) request.abort.abort();
    this.#requests.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    clearTimeout(this.#flush);
    this.#flush = undefined;
  }

  /** Called at every new revision: at once for what was asked for, at most ten times a second for live lines. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The lines that the reader looks at. What is on its way for lines far from there is given up. */
  want(from: number, to: number): void {
    this.#wanted = { from: Math.max(1, from), to };
    for (const request of this.#requests) {
      if (this.#isOpen && (request.to < from - giveUpLines || request.from > to + giveUpLines)) {
        this.#requests.delete(request);
        request.abort.abort();
      }
    }
    this.#pump();
  }

  /** Tries again at once what failed. */
  retry(): void {
    this.#isPaused = false;
    if (!this.#isStarted) return;
    if (!this.#isOpen) {
      if (this.#requests.size === 0) this.#request({ from: 1, to: pageLines });
      return;
    }
    if (this.#endFollow === undefined && !this.#isCatchingUp && !this.store.sealed) this.#catchUp(this.store.total + 1);
    this.#pump();
  }

  /** The task has ended: makes sure that the end of its log is known, also when the connection missed it. */
  finish(): void {
    if (this.store.sealed) return;
    if (this.#isOpen && !this.#isCatchingUp) this.#catchUp(this.store.total + 1);
    this.#later(retryMs, () => this.finish());
  }

  /** Fetches what is missing of a span, whether it is looked at or not. @throws what the port throws. */
  async load(from: number, to: number, signal: AbortSignal): Promise<void> {
    let missing = this.store.listMissing(from, to)[0];
    while (missing !== undefined) {
      const range = await this.#ports.fetchRange(missing.from, Math.min(5000, missing.to - missing.from + 1), signal);
      this.store.addRange(range);
      const next = this.store.listMissing(from, to)[0];
      if (next?.from === missing.from) throw new Error('The log did not arrive');
      missing = next;
    }
  }

  /** Asks for the pages that are looked at, then for those around them; each page by one request at a time. */
  #pump(): void {
    if (!this.#isStarted || !this.#isOpen || this.#isPaused) return;
    const { from, to } = this.#wanted;
    const last = Math.min(to + margin, this.store.total);
    const pages = new Set([...listPages(from, Math.min(to, last)), ...listPages(Math.max(1, from - margin), last)]);
    for (const page of pages) {
      if (this.#requests.size >= maxRequests) return;
      const missing = this.store.listMissing(page, page + pageLines - 1);
      const first = missing[0];
      if (first === undefined || this.#isRequested(page)) continue;
      this.#request({ from: first.from, to: missing.at(-1)?.to ?? first.to });
    }
  }

  #isRequested(page: number): boolean {
    for (const { from } of this.#requests) if (from >= page && from < page + pageLines) return true;
    return false;
  }

  #request(span: LineSpan): void {
    const request = { ...span, abort: new AbortController() };
    this.#requests.add(request);
    this.#ports.fetchRange(span.from, span.to - span.from + 1, request.abort.signal).then(
      (range) => {
        if (!this.#requests.delete(request)) return;
        this.#receive(span, range);
      },
      (error: unknown) => {
        if (this.#requests.delete(request)) this.#fail(error);
      },
    );
  }

  #receive(span: LineSpan, range: LogRange): void {
    this.store.addRange(range);
    this.store.evict(this.#wanted.from - margin, this.#wanted.to + margin);
    if (range.next <= span.from && range.total >= span.from) {
      this.#fail(new Error('The log did not arrive'));
      return;
    }
    this.#failure = undefined;
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#follow();
    }
    this.#tell();
    this.#pump();
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#isPaused = true;
    this.#tell();
    this.#later(retryMs, () => this.retry());
  }

  #follow(): void {
    if (this.store.sealed || !this.#isStarted) return;
    this.#endFollow?.();
    this.#endFollow = this.#ports.follow(this.store.total + 1, {
      onLines: ({ lines, next }) => {
        this.store.addLive(lines, next);
        this.store.evict(this.#wanted.from - margin, this.#wanted.to + margin);
        this.#tellSoon();
      },
      onBehind: (expected) => this.#catchUp(expected),
      onSealed: (lines) => {
        this.store.seal(lines);
        this.#endFollow?.();
        this.#endFollow = undefined;
        this.#tell();
        this.#pump();
      },
      onRefused: (error) => {
        this.#endFollow = undefined;
        this.#fail(new Error(error));
      },
    });
  }

  /** Learns how long the log has become and follows from its end on; what lies between is fetched if it is looked at. */
  #catchUp(expected: number): void {
    this.#endFollow?.();
    this.#endFollow = undefined;
    this.#isCatchingUp = true;
    this.#later(behindMs, () => {
      const { signal } = this.#catchUpAbort;
      this.#ports.fetchRange(expected, 1, signal).then(
        (range) => {
          if (signal.aborted) return;
          this.#isCatchingUp = false;
          this.#failure = undefined;
          this.store.addRange(range);
          this.#tell();
          this.#pump();
          this.#follow();
        },
        (error: unknown) => {
          if (signal.aborted) return;
          this.#isCatchingUp = false;
          this.#fail(error);
        },
      );
    });
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#isStarted) act();
    }, ms);
    this.#timers.add(timer);
  }

  #tell(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    this.#flushedAt = performance.now();
    this.#revision += 1;
    for (const listener of this.#listeners) listener();
  }

  #tellSoon(): void {
    if (this.#flush !== undefined) return;
    const wait = this.#flushedAt + flushMs - performance.now();
    if (wait <= 0) this.#tell();
    else this.#flush = setTimeout(() => this.#tell(), wait);
  }
}

/** The first lines of the pages that a span touches. */
function listPages(from: number, to: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor((from - 1) / pageLines) * pageLines + 1; page <= to; page += pageLines) pages.push(page);
  return pages;
}
