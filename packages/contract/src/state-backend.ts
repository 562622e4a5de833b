import * as z from 'zod/mini';
import { PathId, Text } from './fields.ts';
import { defineRoute, largeBodyLimit } from './http/route.ts';

/**
 * What Terraform and OpenTofu call by themselves: the protocol of their http backend. HTTP basic authentication with the
 * password of the task, or with the key of the address; both are looked at by the route itself, so it counts as public here.
 * Addresses made in the console also take the methods LOCK and UNLOCK, which this table cannot name.
 */

/** What a lock says of who holds it, as the tool wrote it. */
export const StateLock = z.looseObject({ ID: Text.check(z.minLength(1), z.maxLength(255)) });
export type StateLock = z.infer<typeof StateLock>;

const TaskParams = z.object({ task_id: PathId });
const AliasParams = z.object({ alias: Text.check(z.maxLength(64)) });
/** `ID`: the lock under which the state is written. */
const WriteQuery = z.object({ ID: z.optional(Text.check(z.maxLength(255))) });

const common = { permission: 'public', anyOrigin: true, status: 200 } as const;
const read = {
  ...common,
  method: 'GET',
  transfer: 'text',
  summary: 'The state; 404 where there is none yet.',
} as const;
const write = {
  ...common,
  method: 'POST',
  transfer: 'text',
  anyBody: true,
  bodyLimit: largeBodyLimit,
  query: WriteQuery,
  summary: 'Stores a state as the newest one.',
} as const;
const remove = {
  ...common,
  method: 'DELETE',
  transfer: 'text',
  query: WriteQuery,
  summary: 'Forgets the state; its history stays.',
} as const;
const lock = {
  ...common,
  method: 'POST',
  transfer: 'text',
  anyBody: true,
  summary: 'Locks the state; 423 with the lock of whoever holds it.',
} as const;
const unlock = {
  ...common,
  method: 'DELETE',
  transfer: 'text',
  anyBody: true,
  summary: 'Gives the lock back; without a body, whatever lock there is.',
} as const;

export const stateBackendRoutes = {
  readOfTask: defineRoute({ ...read, path: '/terraform/tasks/:task_id', params: TaskParams }),
  writeOfTask: defineRoute({ ...write, path: '/terraform/tasks/:task_id', params: TaskParams }),
  removeOfTask: defineRoute({ ...remove, path: '/terraform/tasks/:task_id', params: TaskParams }),
  lockOfTask: defineRoute({ ...lock, path: '/terraform/tasks/:task_id/lock', params: TaskParams }),
  unlockOfTask: defineRoute({ ...unlock, path: '/terraform/tasks/:task_id/lock', params: TaskParams }),
  read: defineRoute({ ...read, path: '/terraform/:alias', params: AliasParams }),
  write: defineRoute({ ...write, path: '/terraform/:alias', params: AliasParams }),
  remove: defineRoute({ ...remove, path: '/terraform/:alias', params: AliasParams }),
  lock: defineRoute({ ...lock, path: '/terraform/:alias/lock', params: AliasParams }),
  unlock: defineRoute({ ...unlock, path: '/terraform/:alias/lock', params: AliasParams }),
};
