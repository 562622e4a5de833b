import type { JobRepository } from '@signalbox/contract/job';
import type { GitSurroundings } from './git-access.ts';
import type { RepositoryCaches } from './repository-cache.ts';

/** What all checkouts of one runner share. */
export type CheckoutRoom = {
  caches: RepositoryCaches;
  surroundings: GitSurroundings;
  localRoots: string[];
  dataDir: string;
};

export type TreeRequest = {
  repository: JobRepository;
  /** A commit that was asked for; null = the head of the branch. */
  commit: string | null;
  /** A fetch that began at this time or later need not be repeated. */
  created: number;
  tree: string;
  /** For files that git needs; removed with the task. */
  secrets: string;
  signal: AbortSignal;
  say: (line: string) => void;
};

export type PreparedTree = { commit: string | null; subject: string };
