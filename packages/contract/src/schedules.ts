import * as z from 'zod/mini';
import { CronText, TimeZone } from './cron.ts';
import { Flag, Id, PathId, ProjectParams, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { References } from './references.ts';
import { Launch } from './tasks.ts';

const { message, params, environment, inventory_id, git_branch } = Launch.shape;
/** What the tasks of a schedule get: as at a launch, but nothing secret, because it is stored readable. */
export const ScheduleParams = z.object({
  message,
  params,
  environment,
  inventory_id,
  git_branch,
  arguments: Launch.shape.arguments,
});
export type ScheduleParams = z.infer<typeof ScheduleParams>;

/** Why an active schedule starts no task at present. */
export const ScheduleProblem = z.object({
  code: z.enum([
    /** Its template cannot be launched like this: an answer is missing, there is no build to deploy, … */
    'refused',
    /** The task of an earlier tick still waits. */
    'queued',
    /** The branch could not be looked up. */
    'unreachable',
    /** Something is damaged; the log of the server says more. */
    'failed',
  ]),
  text: z.string(),
});
export type ScheduleProblem = z.infer<typeof ScheduleProblem>;

export const Schedule = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  /** Name of the template. */
  tpl_name: z.string(),
  name: z.string(),
  cron_format: z.string(),
  /** IANA zone in which the fields are read; a `CRON_TZ=` in the cron text wins over it. */
  timezone: z.string(),
  active: z.boolean(),
  /** Starts a task only when the branch of this repository has a new commit. */
  repository_id: z.nullable(Id),
  params: z.nullable(ScheduleParams),
  /** Null while it is not active, and where its date never comes. */
  next_run: z.nullable(Timestamp),
  /** The latest of its times that was looked after, also where that started no task. */
  last_run: z.nullable(Timestamp),
  problem: z.nullable(ScheduleProblem),
});
export type Schedule = z.infer<typeof Schedule>;

const input = {
  project_id: z.optional(Id),
  template_id: Id,
  /** May be empty where the schedule looks for commits: forms of templates make such ones without a name. */
  name: z.optional(Text.check(z.trim(), z.maxLength(255))),
  cron_format: CronText,
  /** The server's setting where it is not said. */
  timezone: z.optional(z.union([z.literal(''), TimeZone])),
  active: z.optional(Flag),
  repository_id: z.optional(z.nullable(Id)),
  params: z.optional(z.nullable(ScheduleParams)),
};

export const ScheduleInput = z.object(input).check(
  z.refine((schedule) => Boolean(schedule.name) || (schedule.repository_id ?? null) !== null, {
    path: ['name'],
    message: 'is required',
  }),
);
export type ScheduleInput = z.infer<typeof ScheduleInput>;
/** A missing optional member keeps its stored value, an empty name too. */
export const ScheduleChange = z.object({ ...input, id: Id });
export type ScheduleChange = z.infer<typeof ScheduleChange>;

export const CronCheck = z.object({ cron_format: CronText, timezone: input.timezone });
/** When it would fire, at most five times; fewer where the date comes more rarely than that, or never. */
export const CronPreview = z.object({ next_runs: z.array(Timestamp) });
export type CronPreview = z.infer<typeof CronPreview>;

const ScheduleParameters = z.object({ ...ProjectParams.shape, schedule_id: PathId });

export const scheduleRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/schedules',
    permission: 'member',
    summary: 'Schedules of the project by name, or those of one template: ?template_id=.',
    params: ProjectParams,
    query: z.object({ template_id: z.optional(PathId) }),
    response: z.array(Schedule),
    status: 200,
  }),
  ofTemplate: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id/schedules',
    permission: 'member',
    summary: 'Schedules of the template that look for new commits.',
    params: z.object({ ...ProjectParams.shape, template_id: PathId }),
    response: z.array(Schedule),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/schedules',
    permission: 'resources',
    summary: 'Adds a schedule; it is active only where that is said.',
    params: ProjectParams,
    body: ScheduleInput,
    response: Schedule,
    status: 201,
  }),
  validate: defineRoute({
    method: 'POST',
    path: '/project/:project_id/schedules/validate',
    permission: 'resources',
    summary: 'Checks a cron text and says when it would fire.',
    params: ProjectParams,
    body: CronCheck,
    response: CronPreview,
    status: 200,
    announced: false,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/schedules/:schedule_id',
    permission: 'member',
    summary: 'One schedule.',
    params: ScheduleParameters,
    response: Schedule,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/schedules/:schedule_id/refs',
    permission: 'member',
    summary: 'What uses the schedule: nothing does.',
    params: ScheduleParameters,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/schedules/:schedule_id',
    permission: 'resources',
    summary: 'Changes a schedule.',
    params: ScheduleParameters,
    body: ScheduleChange,
    status: 204,
  }),
  setActive: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/schedules/:schedule_id/active',
    permission: 'resources',
    summary: 'Switches a schedule on or off.',
    params: ScheduleParameters,
    body: z.object({ active: Flag }),
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/schedules/:schedule_id',
    permission: 'resources',
    summary: 'Deletes a schedule.',
    params: ScheduleParameters,
    status: 204,
  }),
};
