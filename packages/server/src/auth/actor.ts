/** Who asks, and what he may do. Made anew for each request, so that a change of rights holds at once. */
export type Actor = {
  readonly userId: number;
  readonly username: string;
  readonly name: string;
  readonly admin: boolean;
  /** Network address, for the activity list. */
  readonly address: string;
  /** Permission bits in the project of the path; 0 where the path has none, 15 for administrators. */
  readonly permissions: number;
  /** The session that he came with; absent where an API token was the proof. */
  readonly sessionId?: number;
};

/** What a session or an API token proves. */
export type SignedInUser = Omit<Actor, 'address' | 'permissions'>;
