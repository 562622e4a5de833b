import * as z from 'zod/mini';
import { Id, Timestamp } from './fields.ts';
import { TaskStatus } from './task-state.ts';

/**
 * Messages of the websocket `/api/ws`.
 *
 * A browser that says `hello` gets `update` messages of its projects. `subscribe` adds the lines of one task, from a line
 * number on, without a gap: first what is stored, then what arrives. A reader that is too slow gets one `behind` message
 * instead of lines; it fetches ranges by HTTP and subscribes again from there. After a cut: subscribe from the last line + 1.
 *
 * A socket that says nothing within one second is a client of the older product. It gets `update` and `log` messages of all
 * its projects, at most 500 lines a second; beyond that, one line that says how many were skipped.
 */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('subscribe'), task_id: Id, from: z.int().check(z.minimum(1)) }),
  z.object({ type: z.literal('unsubscribe'), task_id: Id }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const LiveLine = z.object({
  line: z.int(),
  time: Timestamp,
  output: z.string(),
  /** The text goes on in the next record. */
  continued: z.optional(z.literal(true)),
  /** These lines were lost; `output` says why and `count` how many numbers it stands for. */
  gap: z.optional(z.int()),
});
export type LiveLine = z.infer<typeof LiveLine>;

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('update'),
    task_id: Id,
    template_id: Id,
    project_id: Id,
    status: TaskStatus,
    start: z.nullable(Timestamp),
    end: z.nullable(Timestamp),
    version: z.nullable(z.string()),
  }),
  /** For clients of the older product. */
  z.object({ type: z.literal('log'), task_id: Id, project_id: Id, output: z.string(), time: Timestamp }),
  z.object({ type: z.literal('lines'), task_id: Id, first: z.int(), next: z.int(), lines: z.array(LiveLine) }),
  z.object({ type: z.literal('behind'), task_id: Id, next: z.int() }),
  /** The log is complete: there is no line after `lines`. */
  z.object({ type: z.literal('sealed'), task_id: Id, lines: z.int() }),
  /** A subscription that is refused, or ended because the right to it ended. */
  z.object({ type: z.literal('refused'), task_id: Id, error: z.string() }),
  /**
   * Something else in the project changed, or, without a project, something of the whole installation: reload what is shown of
   * it. `object` is the plural that stands in the paths of the API. Clients of the older product do not get it.
   */
  z.object({ type: z.literal('changed'), project_id: z.nullable(Id), object: z.string() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
