/** Whose token a runner call carried. The built-in runner has no row, but each of its processes has a token of its own. */
export type RunnerIdentity = {
  /** Null for the built-in runner. */
  readonly runnerId: number | null;
  /** Built-in only: the data directory that it belongs to. */
  readonly server: string | null;
  /** Built-in only: its process, or the placeholder of one that was started and has not spoken yet. */
  readonly instance: string | null;
  /** Serves this project only; null = all. */
  readonly projectId: number | null;
  readonly tag: string | null;
  /** Tasks at a time over all of its processes; 0 = unlimited. */
  readonly limit: number;
  /** A runner that was switched off gets no new work. */
  readonly active: boolean;
  /** The key that it was registered with, raw X25519 in base64; null: it brings one of its own. */
  readonly publicKey: string | null;
};
