import type { LogSearch } from '@signalbox/contract/tasks';

export type Search = {
  taskId: number;
  /** Plain text; letter case does not matter. */
  text: string;
  /** Line numbers up to this one are counted but not listed. */
  after: number;
};

/** Long reads, in a thread of their own: the event loop of the server never waits for them. */
export type Reader = {
  /** One search at a time for each person: a new one ends the one before. @throws SearchReplaced */
  searchLog(userId: number, search: Search): Promise<LogSearch>;
  /** The bytes that were written. */
  streamRaw(taskId: number): AsyncIterable<Uint8Array>;
  /** JSON of the array of `OutputRecord`. */
  streamOutput(taskId: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};

/** What the reader thread is started with. */
export type ReaderSettings = { dataDir: string; url: string | undefined };

/**
 * Server to reader thread. A `search` is answered by one `found`. A stream sends a `piece` for each `pull`, so that no more
 * is read than is taken, and then `end`. A `cancel` ends either; nothing follows it.
 */
export type ReaderRequest =
  | { id: number; kind: 'search'; search: Search }
  | { id: number; kind: 'stream'; form: 'raw' | 'output'; taskId: number }
  | { id: number; kind: 'pull' }
  | { id: number; kind: 'cancel' };

export type ReaderAnswer =
  | { id: number; kind: 'found'; found: LogSearch }
  | { id: number; kind: 'piece'; bytes: Uint8Array }
  | { id: number; kind: 'end' }
  | { id: number; kind: 'failed'; error: unknown; isAway: boolean };
