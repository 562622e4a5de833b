import { permissionBits } from '@signalbox/contract/permissions';
import type { Launch, TaskParams } from '@signalbox/contract/tasks';
import { SurveyVariable, TemplateParams } from '@signalbox/contract/templates';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import { type EventActor, noActor, recordEvent } from '../db/events.ts';
import type { Keyring } from '../db/secrets.ts';
import type { TemplateTable } from '../db/tables.ts';
import { AppError } from '../errors.ts';
import { nextBuildVersion } from './build-version.ts';
import { type Overrides, readOverrides } from './launch-overrides.ts';
import { type Answers, checkAnswers, toText } from './survey-answers.ts';
import type { TaskRow } from './task-record.ts';
import { sealAnswers } from './task-secrets.ts';

/** Who or what launches. Whatever is no person was set up by someone who may manage resources, and has his rights. */
export type LaunchOrigin =
  | { readonly kind: 'person'; readonly actor: EventActor; readonly permissions: number }
  | { readonly kind: 'schedule'; readonly scheduleId: number }
  | { readonly kind: 'integration'; readonly integrationId: number }
  | { readonly kind: 'autorun' };

export type TaskOrder = {
  readonly projectId: number;
  readonly launch: Launch;
  readonly origin: LaunchOrigin;
  readonly now: number;
};

type TemplateRow = Selectable<TemplateTable>;
const allBits = 15;

/**
 * The one way in which a task comes to be: for people, schedules, webhooks and autorun. Runs inside the transaction of the
 * caller, and refuses before it writes anything. The caller announces the task after the commit.
 *
 * @throws AppError when the launch is not allowed or not complete
 */
export async function createTask(db: Db, keyring: Keyring, order: TaskOrder): Promise<TaskRow> {
  const { launch, origin } = order;
  const template = await findTemplate(db, order);
  const permissions = origin.kind === 'person' ? origin.permissions : allBits;
  const params = z.parse(TemplateParams, JSON.parse(template.task_params));
  const overrides = readOverrides(
    launch,
    {
      playbook: template.playbook,
      gitBranch: template.git_branch,
      inventoryId: template.inventory_id,
      allowsArguments: template.allow_override_args_in_task,
      params,
    },
    permissions,
  );
  const answers = checkAnswers(
    z.parse(z.array(SurveyVariable), JSON.parse(template.survey_vars)),
    { plain: readObject(launch.environment), secret: readTexts(launch.secret) },
    (permissions & permissionBits.resources) !== 0,
  );
  if (template.repository_id === null) throw refuse('template_id', 'This template has no repository');
  await requireInventory(db, order.projectId, overrides.inventoryId);
  const buildTaskId = await findBuild(db, order, template);
  await countTask(db, template.id);
  const version = await takeVersion(db, template);
  const taskParams = addAutoApproval(overrides.params, params, origin);
  const task = await insertTask(db, order, template, {
    ...overrides,
    params: taskParams,
    answers,
    buildTaskId,
    version,
  });
  await db.updateTable('template').set({ last_task_id: task.id }).where('id', '=', template.id).execute();
  if (Object.keys(answers.secret).length > 0) await sealAnswers(db, keyring, task.id, answers.secret);
  await recordQueued(db, task, template.name, origin);
  return task;
}

async function findTemplate(db: Db, { projectId, launch }: TaskOrder): Promise<TemplateRow> {
  const template = await db
    .selectFrom('template')
    .selectAll()
    .where('id', '=', launch.template_id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (template === undefined) throw unknown('template_id', 'There is no such template in this project');
  return template;
}

/** Before the version is looked for, because it also locks the row: two builds at once must not take the same version. */
async function countTask(db: Db, templateId: number): Promise<void> {
  await db
    .updateTable('template')
    .set((eb) => ({ task_count: eb('task_count', '+', 1) }))
    .where('id', '=', templateId)
    .execute();
}

async function requireInventory(db: Db, projectId: number, id: number | null): Promise<void> {
  if (id === null) return;
  const row = await db
    .selectFrom('inventory')
    .select('id')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (row === undefined) throw unknown('inventory_id', 'There is no such inventory in this project');
}

/** The build that a deploy deploys: the one asked for, or for automatic triggers the newest that succeeded. */
async function findBuild(db: Db, order: TaskOrder, template: TemplateRow): Promise<number | null> {
  const id = order.launch.build_task_id ?? null;
  if (template.type !== 'deploy' || template.build_template_id === null) {
    if (id !== null) throw refuse('build_task_id', 'Only the tasks of a deploy template have a build');
    return null;
  }
  if (id === null && order.origin.kind === 'person') throw refuse('build_task_id', 'A build version is required');
  const build = await db
    .selectFrom('task')
    .select('id')
    .where('project_id', '=', order.projectId)
    .where('template_id', '=', template.build_template_id)
    .where('status', '=', 'success')
    .$if(id !== null, (query) => query.where('id', '=', id))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (build !== undefined) return build.id;
  if (id !== null) throw unknown('build_task_id', 'There is no such successful build of the build template');
  throw refuse('build_task_id', 'The build template has no successful build yet');
}

async function takeVersion(db: Db, template: TemplateRow): Promise<string | null> {
  if (template.type !== 'build') return null;
  const previous = await db
    .selectFrom('task')
    .select('version')
    .where('template_id', '=', template.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return nextBuildVersion(template.start_version ?? '', previous?.version ?? null);
}

/** Nobody stands by to confirm what a trigger starts, so it copies the decision that the template holds. */
function addAutoApproval(params: TaskParams, template: TemplateParams, origin: LaunchOrigin): TaskParams {
  return origin.kind === 'person' || !template.auto_approve ? params : { ...params, auto_approve: true };
}

type TaskParts = Overrides & { answers: Answers; buildTaskId: number | null; version: string | null };

function insertTask(db: Db, order: TaskOrder, template: TemplateRow, parts: TaskParts): Promise<TaskRow> {
  const { launch, origin } = order;
  return db
    .insertInto('task')
    .values({
      project_id: order.projectId,
      template_id: template.id,
      status: 'waiting',
      message: launch.message ?? '',
      commit_hash: launch.commit_hash ? launch.commit_hash.toLowerCase() : null,
      commit_message: '',
      user_id: origin.kind === 'person' ? origin.actor.userId : null,
      integration_id: origin.kind === 'integration' ? origin.integrationId : null,
      schedule_id: origin.kind === 'schedule' ? origin.scheduleId : null,
      build_task_id: parts.buildTaskId,
      version: parts.version,
      created: order.now,
      params: JSON.stringify(parts.params),
      playbook: parts.playbook,
      environment: JSON.stringify(parts.answers.plain),
      arguments: parts.arguments,
      git_branch: parts.gitBranch,
      inventory_id: parts.inventoryId,
      runner_tag: template.runner_tag || null,
      parallel: template.allow_parallel_tasks,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function recordQueued(db: Db, task: TaskRow, templateName: string, origin: LaunchOrigin): Promise<void> {
  await recordEvent(db, origin.kind === 'person' ? origin.actor : noActor, {
    projectId: task.project_id,
    objectType: 'task',
    objectId: task.id,
    objectName: templateName,
    description: `Task ID ${task.id} queued for running`,
    integrationId: task.integration_id,
  });
}

/** The contract has checked that it is the JSON text of an object. */
function readObject(json: string | null | undefined): Record<string, unknown> {
  return json ? (JSON.parse(json) as Record<string, unknown>) : {};
}

function readTexts(json: string | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(readObject(json)).map(([name, value]) => [name, toText(value)]));
}

function refuse(path: string, message: string): AppError {
  return new AppError('invalid', message, [{ path, message }]);
}

function unknown(path: string, message: string): AppError {
  return new AppError('unknown_reference', message, [{ path, message }]);
}
