import { Worker } from 'node:worker_threads';
import type { LogSearch } from '@signalbox/contract/tasks';
import { DatabaseAway } from './outage.ts';
import type { Reader, ReaderAnswer, ReaderRequest, ReaderSettings, Search } from './reader-protocol.ts';

/** How long the thread rests before it ends: it holds some megabytes, and starts in a moment. */
const restLimit = 60_000;

/** The search was given up, because the same person began another one. */
export class SearchReplaced extends Error {
  constructor() {
    super('The search was replaced by another one');
    this.name = 'SearchReplaced';
  }
}

type Waiting = { resolve(answer: ReaderAnswer): void; reject(error: unknown): void };

export class ReaderThread implements Reader {
  readonly #settings: ReaderSettings;
  readonly #waiting = new Map<number, Waiting>();
  /** Streams that were begun and not ended: the thread has their place. */
  readonly #streams = new Set<number>();
  readonly #searches = new Map<number, number>();
  #worker: Worker | undefined;
  #rest: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(settings: ReaderSettings) {
    this.#settings = settings;
  }

  async searchLog(userId: number, search: Search): Promise<LogSearch> {
    const before = this.#searches.get(userId);
    if (before !== undefined) this.#give(before, new SearchReplaced());
    const id = ++this.#lastId;
    this.#searches.set(userId, id);
    try {
      const answer = await this.#ask({ id, kind: 'search', search });
      if (answer.kind !== 'found') throw new Error(`The reader answered a search with ${answer.kind}`);
      return answer.found;
    } finally {
      if (this.#searches.get(userId) === id) this.#searches.delete(userId);
    }
  }

  streamRaw(taskId: number): AsyncIterable<Uint8Array> {
    return this.#stream('raw', taskId);
  }

  streamOutput(taskId: number): AsyncIterable<Uint8Array> {
    return this.#stream('output', taskId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(new Error('The database is closed'));
  }

  async *#stream(form: 'raw' | 'output', taskId: number): AsyncGenerator<Uint8Array, void> {
    const id = ++this.#lastId;
    this.#streams.add(id);
    try {
      this.#post({ id, kind: 'stream', form, taskId });
      for (;;) {
        const answer = await this.#ask({ id, kind: 'pull' });
        if (answer.kind !== 'piece') return;
        yield answer.bytes;
      }
    } finally {
      // Also when the download is broken off.
      this.#streams.delete(id);
      this.#worker?.postMessage({ id, kind: 'cancel' } satisfies ReaderRequest);
      this.#restWhenIdle();
    }
  }

  async #ask(request: ReaderRequest): Promise<ReaderAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>();
    this.#waiting.set(request.id, { resolve, reject });
    try {
      this.#post(request);
      return await promise;
    } finally {
      this.#waiting.delete(request.id);
      this.#restWhenIdle();
    }
  }

  #give(id: number, error: unknown): void {
    this.#worker?.postMessage({ id, kind: 'cancel' } satisfies ReaderRequest);
    this.#waiting.get(id)?.reject(error);
  }

  #post(request: ReaderRequest): void {
    if (this.#closed) throw new Error('The database is closed');
    clearTimeout(this.#rest);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    // From the sources when those run, from what was built of them otherwise.
    const file = import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), { workerData: this.#settings, execArgv: [], env: {} });
    worker.on('message', (answer: ReaderAnswer) => this.#take(answer));
    worker.on('error', (error) => {
      if (this.#worker === worker) void this.#end(error);
    });
    return worker;
  }

  #take(answer: ReaderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (answer.kind === 'failed') waiting?.reject(answer.isAway ? new DatabaseAway(answer.error) : answer.error);
    else waiting?.resolve(answer);
  }

  #restWhenIdle(): void {
    clearTimeout(this.#rest);
    if (this.#worker === undefined || this.#waiting.size > 0 || this.#streams.size > 0) return;
    this.#rest = setTimeout(() => void this.#end(undefined), restLimit).unref();
    this.#worker.unref();
  }

  async #end(error: unknown): Promise<void> {
    clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    await worker?.terminate();
  }
}
