import { Plan } from '@signalbox/contract/plan';
import { type Task, TaskParams, WaitingReason } from '@signalbox/contract/tasks';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import type { TaskTable } from '../db/tables.ts';

export type TaskRow = Selectable<TaskTable>;

/** What of a stored task travels: reading no more matters to lists of a thousand. */
export const shownColumns = [
  'id',
  'template_id',
  'project_id',
  'status',
  'message',
  'commit_hash',
  'commit_message',
  'user_id',
  'integration_id',
  'schedule_id',
  'build_task_id',
  'version',
  'created',
  'start',
  'end',
  'params',
  'playbook',
  'environment',
  'arguments',
  'git_branch',
  'inventory_id',
  'runner_id',
  'waiting_reason',
  'stop_requested',
  'unreachable_since',
  'plan',
  'reason',
] as const satisfies readonly (keyof TaskRow)[];

export type ShownTaskRow = Pick<TaskRow, (typeof shownColumns)[number]>;

/** The task as it travels. */
export function toTask(row: ShownTaskRow): Task {
  return {
    id: row.id,
    template_id: row.template_id,
    project_id: row.project_id,
    status: row.status,
    message: row.message,
    commit_hash: row.commit_hash,
    commit_message: row.commit_message,
    user_id: row.user_id,
    integration_id: row.integration_id,
    schedule_id: row.schedule_id,
    build_task_id: row.build_task_id,
    version: row.version,
    created: toTimestamp(row.created),
    start: toOptionalTimestamp(row.start),
    end: toOptionalTimestamp(row.end),
    params: readTaskParams(row.params),
    playbook: row.playbook,
    environment: row.environment,
    secret: '',
    arguments: row.arguments,
    git_branch: row.git_branch,
    inventory_id: row.inventory_id,
    runner_id: row.runner_id,
    waiting_reason: readWaitingReason(row),
    stop_requested: row.stop_requested,
    unreachable_since: toOptionalTimestamp(row.unreachable_since),
    plan: row.plan === null ? null : z.parse(Plan, JSON.parse(row.plan)),
    reason: row.reason,
  };
}

export function readTaskParams(json: string): TaskParams {
  // Most tasks have none, and lists have a thousand of them.
  if (json === '{}') return {};
  return z.parse(TaskParams, JSON.parse(json));
}

function readWaitingReason(row: ShownTaskRow): WaitingReason | null {
  if (row.status !== 'waiting' || row.waiting_reason === null) return null;
  return z.parse(WaitingReason, JSON.parse(row.waiting_reason));
}

const toTimestamp = (millis: number): string => new Date(millis).toISOString();
export const toOptionalTimestamp = (millis: number | null): string | null =>
  millis === null ? null : toTimestamp(millis);

/** By what a person knows the task. */
export async function readTemplateName(db: Db, task: Pick<TaskRow, 'template_id'>): Promise<string> {
  const row = await db.selectFrom('template').select('name').where('id', '=', task.template_id).executeTakeFirst();
  return row?.name ?? '';
}
