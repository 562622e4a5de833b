import * as z from 'zod/mini';
import { Id, PageQuery, ProjectParams, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** Ways on which people and programs are told of tasks. The operator sets them up, for all projects. */
export const NotificationChannel = z.enum([
  'email',
  'telegram',
  'slack',
  'rocketchat',
  'microsoft_teams',
  'dingtalk',
  'gotify',
  'webhook',
]);
export type NotificationChannel = z.infer<typeof NotificationChannel>;

/** What is told: the status that a task has got, or that somebody tries a channel. */
export const NotificationKind = z.enum(['success', 'error', 'waiting_confirmation', 'test']);
export type NotificationKind = z.infer<typeof NotificationKind>;

/** One message to one receiver, and what became of it. */
export const Notification = z.object({
  id: Id,
  project_id: Id,
  project_name: z.string(),
  /** Null: a test, or a task that was deleted. */
  task_id: z.nullable(Id),
  template_name: z.string(),
  kind: NotificationKind,
  channel: z.string(),
  /** A chat, or the user who gets a mail; empty where the settings of the server say it. */
  target: z.string(),
  created: Timestamp,
  /** `failed`: it was given up. */
  state: z.enum(['pending', 'sent', 'failed']),
  attempts: z.int(),
  next_attempt: z.nullable(Timestamp),
  sent: z.nullable(Timestamp),
  /** What the last attempt failed with; empty where none has failed. */
  error: z.string(),
});
export type Notification = z.infer<typeof Notification>;

/** Without a channel, all those that are set up are tried. */
export const NotificationTest = z.object({ channel: z.optional(z.nullable(NotificationChannel)) });
export type NotificationTest = z.infer<typeof NotificationTest>;

/**
 * Body of the generic webhook. Members may be added; when one changes its meaning or goes, `version` is another number. It is
 * signed as Standard Webhooks says: see docs/notifications.md.
 */
export const WebhookMessage = z.object({
  version: z.literal(1),
  /** The same at every attempt. */
  id: z.string(),
  type: z.enum(['task.success', 'task.error', 'task.waiting_confirmation', 'test']),
  /** When it happened, not when it was sent. */
  timestamp: Timestamp,
  /** Where the console shows it. */
  url: z.string(),
  project: z.object({ id: Id, name: z.string() }),
  /** Null in a test. */
  template: z.nullable(z.object({ id: Id, name: z.string() })),
  task: z.nullable(
    z.object({
      id: Id,
      status: z.enum(['success', 'error', 'waiting_confirmation']),
      message: z.string(),
      version: z.nullable(z.string()),
      build_version: z.nullable(z.string()),
      reason: z.string(),
    }),
  ),
  author: z.string(),
});
export type WebhookMessage = z.infer<typeof WebhookMessage>;

export const notificationRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/notifications',
    permission: 'update',
    summary: 'Messages about tasks of the project and what became of each, newest first, 100 at a time.',
    params: ProjectParams,
    query: PageQuery,
    response: z.array(Notification),
    status: 200,
  }),
  test: defineRoute({
    method: 'POST',
    path: '/project/:project_id/notifications/test',
    permission: 'update',
    summary: 'Sends a test message and answers with its outcome. A mail goes to the caller.',
    params: ProjectParams,
    body: z.optional(z.nullable(NotificationTest)),
    response: z.array(Notification),
    status: 200,
  }),
  listAll: defineRoute({
    method: 'GET',
    path: '/notifications',
    permission: 'admin',
    summary: 'Messages about tasks of all projects, newest first, 100 at a time.',
    query: PageQuery,
    response: z.array(Notification),
    status: 200,
  }),
};
