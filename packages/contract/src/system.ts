import * as z from 'zod/mini';
import { AuthMethods } from './auth.ts';
import { defineRoute } from './http/route.ts';
import { Tool } from './runner-protocol.ts';

export const SystemState = z.object({
  version: z.string(),
  web_host: z.string(),
  use_remote_runner: z.boolean(),
  premium_features: z.object({ project_runners: z.boolean(), terraform_backend: z.boolean() }),
  auth_methods: AuthMethods,
  /** First line of the tool's own version; empty where no runner has it. */
  ansible: z.string(),
  /** Tools of the runners that are online, so that a missing one can be named where it matters. */
  tools: z.array(Tool),
  demo_mode: z.boolean(),
  /** The server and the tasks run as one operating system user: no isolation. */
  shared_user: z.boolean(),
});
export type SystemState = z.infer<typeof SystemState>;

export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  /**
   * One sentence a problem; empty when all is well. Told to administrators and to whoever asks from the machine itself, and to nobody
   * else.
   */
  problems: z.optional(z.array(z.string())),
});
export type Health = z.infer<typeof Health>;

export const systemRoutes = {
  ping: defineRoute({
    method: 'GET',
    path: '/ping',
    permission: 'public',
    summary: 'Answers pong.',
    transfer: 'text',
    status: 200,
  }),
  state: defineRoute({
    method: 'GET',
    path: '/info',
    permission: 'signed_in',
    summary: 'Version, features and tools.',
    response: SystemState,
    status: 200,
  }),
};
