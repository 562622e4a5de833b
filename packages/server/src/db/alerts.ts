import { NotificationKind } from '@signalbox/contract/notifications';
import type { TaskStatus } from '@signalbox/contract/task-state';
import * as z from 'zod/mini';
import type { Db } from './database.ts';

/** What is told about, as it was when it happened: the task may change or be gone before anybody is told. */
export const AlertFacts = z.object({
  kind: NotificationKind,
  project: z.object({ id: z.number(), name: z.string() }),
  /** Null: a test, which is about no task. */
  task: z.nullable(
    z.object({
      id: z.number(),
      template: z.object({ id: z.number(), name: z.string() }),
      message: z.string(),
      /** Of a build. */
      version: z.nullable(z.string()),
      /** Of the build that was deployed. */
      build_version: z.nullable(z.string()),
      /** Why it ended so, where the server or the runner knows more than the log. */
      reason: z.string(),
    }),
  ),
  /** Whoever or whatever launched the task; empty where nobody knows any more. */
  author: z.string(),
});
export type AlertFacts = z.infer<typeof AlertFacts>;

/** Statuses that people are told of. A task that was stopped was stopped by somebody who knows. */
const toldStatuses: readonly TaskStatus[] = ['success', 'error', 'waiting_confirmation'];
/** Programs may have a long reason; a message is for reading. */
const mostReason = 500;

/**
 * Notes, in the transaction that changes tasks, what is to be told of them. Which channels there are is no matter of the
 * queue: the sender looks that up, and sends when the transaction is long over.
 */
export async function recordAlerts(
  db: Db,
  tasks: readonly { readonly id: number; readonly status: TaskStatus }[],
  now: number,
): Promise<void> {
  const ids = tasks.filter(({ status }) => toldStatuses.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = await readFacts(db, ids);
  if (rows.length === 0) return;
  await db
    .insertInto('task_alert')
    .values(
      rows.map((row) => ({
        project_id: row.project_id,
        task_id: row.id,
        facts: JSON.stringify(toFacts(row)),
        created: now,
      })),
    )
    .execute();
}

/** Of those tasks whose project wants to be told, and whose template does not keep its successes to itself. */
function readFacts(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('task')
    .innerJoin('project', 'project.id', 'task.project_id')
    .innerJoin('template', 'template.id', 'task.template_id')
    .leftJoin('user', 'user.id', 'task.user_id')
    .leftJoin('schedule', 'schedule.id', 'task.schedule_id')
    .leftJoin('integration', 'integration.id', 'task.integration_id')
    .leftJoin('task as build', 'build.id', 'task.build_task_id')
    .select(['task.id', 'task.status', 'task.project_id', 'task.template_id', 'task.message', 'task.reason'])
    .select(['task.version', 'build.version as build_version'])
    .select(['project.name as project_name', 'template.name as template_name'])
    .select(['user.name as user_name', 'schedule.name as schedule_name', 'integration.name as integration_name'])
    .where('task.id', 'in', ids)
    .where('project.alert', '=', true)
    .where('project.deleted', 'is', null)
    .where((eb) => eb.or([eb('task.status', '!=', 'success'), eb('template.suppress_success_alerts', '=', false)]))
    .orderBy('task.id')
    .execute();
}

function toFacts(row: Awaited<ReturnType<typeof readFacts>>[number]): AlertFacts {
  return {
    kind: z.parse(NotificationKind, row.status),
    project: { id: row.project_id, name: row.project_name },
    task: {
      id: row.id,
      template: { id: row.template_id, name: row.template_name },
      message: row.message,
      version: row.version,
      build_version: row.build_version,
      reason: row.reason.slice(0, mostReason).toWellFormed(),
    },
    author: row.user_name ?? row.schedule_name ?? row.integration_name ?? '',
  };
}
