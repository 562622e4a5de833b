import type { Place, Sender } from './place.ts';

/** A valid request of a route, about things that were made for it. */
export type Sample = {
  /** Values of the parameters of the path, in order; the project of the place is put first by itself. */
  ids?: readonly (string | number)[];
  query?: string;
  /** Sent as JSON; bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** A success leaves nothing of the project. */
  spendsPlace?: boolean;
};
export type Samples = Record<string, (place: Place, sender: Sender) => Sample | Promise<Sample>>;
