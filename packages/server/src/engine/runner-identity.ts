/** Whose token a runner call carried. The built-in runner has no row, but each of its processes has a token of its own. */
export type RunnerIdentity = {
  /** Null for the built-in runner. */
  readonly runnerId: number | null;
};
