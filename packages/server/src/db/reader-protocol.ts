import type { LogSearch } from '@signalbox/contract/tasks';
import type { Search } from './log-scan.ts';

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
  | { id: number; kind: 'failed'; error: unknown };
