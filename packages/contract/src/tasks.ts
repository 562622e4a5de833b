import * as z from 'zod/mini';
import {
  Flag,
  Id,
  JsonArgumentsText,
  JsonObjectText,
  PageQuery,
  PathId,
  ProjectParams,
  Text,
  Timestamp,
} from './fields.ts';
import { isBranchName } from './git-url.ts';
import { defineRoute } from './http/route.ts';
import { LiveLine } from './live.ts';
import { Plan } from './plan.ts';
import { TaskStatus } from './task-state.ts';

const nullableId = z.nullable(Id);
const HostPattern = Text.check(z.maxLength(255));

/** Switches of one run. Lists are host patterns and tags of Ansible. */
export const TaskParams = z.object({
  debug: z.optional(Flag),
  dry_run: z.optional(Flag),
  diff: z.optional(Flag),
  plan: z.optional(Flag),
  destroy: z.optional(Flag),
  auto_approve: z.optional(Flag),
  upgrade: z.optional(Flag),
  reconfigure: z.optional(Flag),
  limit: z.optional(z.array(HostPattern)),
  tags: z.optional(z.array(HostPattern)),
  skip_tags: z.optional(z.array(HostPattern)),
});
export type TaskParams = z.infer<typeof TaskParams>;

/** Why a waiting task does not start yet, for a person and for programs. */
export const WaitingReason = z.object({
  code: z.enum(['server_full', 'project_full', 'template_busy', 'no_runner', 'runner_full']),
  text: z.string(),
  /** Tasks that are in the way. */
  blockers: z.array(Id),
});
export type WaitingReason = z.infer<typeof WaitingReason>;

export const Task = z.object({
  id: Id,
  template_id: Id,
  project_id: Id,
  status: TaskStatus,
  message: z.string(),
  /** The commit that ran; before the start, the one asked for. */
  commit_hash: z.nullable(z.string()),
  commit_message: z.string(),
  user_id: nullableId,
  integration_id: nullableId,
  schedule_id: nullableId,
  build_task_id: nullableId,
  version: z.nullable(z.string()),
  created: Timestamp,
  start: z.nullable(Timestamp),
  end: z.nullable(Timestamp),
  params: TaskParams,
  playbook: z.string(),
  /** JSON text of the plain values given at launch. */
  environment: z.string(),
  /** Always empty: secret values are not stored in a form that can be read back. */
  secret: z.literal(''),
  arguments: z.nullable(z.string()),
  git_branch: z.nullable(z.string()),
  inventory_id: nullableId,
  /** Null for the built-in runner. */
  runner_id: nullableId,
  waiting_reason: z.nullable(WaitingReason),
  /** A stop was asked for. */
  stop_requested: z.enum(['none', 'soft', 'force']),
  /** Its runner has not been heard of since. */
  unreachable_since: z.nullable(Timestamp),
  /** What a tool of the Terraform family would change, or has changed; null before, and for other tools. */
  plan: z.nullable(Plan),
  /** One sentence on why it ended in error or was stopped; empty otherwise. */
  reason: z.string(),
});
export type Task = z.infer<typeof Task>;

/** A task in a list: with what is shown of its template, its user and its build. */
export const TaskItem = z.object({
  ...Task.shape,
  tpl_playbook: z.string(),
  tpl_alias: z.string(),
  tpl_type: z.enum(['', 'build', 'deploy']),
  tpl_app: z.string(),
  user_name: z.nullable(z.string()),
  /** The build that it deploys. */
  build_task: z.nullable(Task),
});
export type TaskItem = z.infer<typeof TaskItem>;

/** A list of texts; the older product sends one text. */
const PatternList = z.union([z.array(HostPattern), HostPattern]);

export const Launch = z.object({
  template_id: Id,
  project_id: z.optional(Id),
  message: z.optional(z.nullable(Text.check(z.maxLength(250)))),
  params: z.optional(
    z.nullable(
      z.object({
        ...TaskParams.shape,
        limit: z.optional(PatternList),
        tags: z.optional(PatternList),
        skip_tags: z.optional(PatternList),
      }),
    ),
  ),
  /** JSON text of survey answers, by variable name. */
  environment: z.optional(z.nullable(z.union([z.literal(''), JsonObjectText]))),
  /** JSON text of secret survey answers. */
  secret: z.optional(z.nullable(z.union([z.literal(''), JsonObjectText]))),
  arguments: z.optional(z.nullable(z.union([z.literal(''), JsonArgumentsText]))),
  commit_hash: z.optional(
    z.nullable(
      z.union([z.literal(''), z.string().check(z.regex(/^[0-9a-fA-F]{7,64}$/, 'must be 7 to 64 hexadecimal digits'))]),
    ),
  ),
  build_task_id: z.optional(nullableId),
  inventory_id: z.optional(nullableId),
  playbook: z.optional(z.nullable(Text.check(z.maxLength(1024)))),
  git_branch: z.optional(
    z.nullable(
      Text.check(
        z.maxLength(255),
        z.refine((name) => name === '' || isBranchName(name), 'is not a branch name'),
      ),
    ),
  ),
  /** Top level members of the older product. */
  limit: z.optional(z.nullable(PatternList)),
  debug: z.optional(Flag),
  dry_run: z.optional(Flag),
  diff: z.optional(Flag),
});
export type Launch = z.infer<typeof Launch>;

export const StopRequest = z.object({ force: z.optional(Flag) });

/** A record of the full log, in the shape of the older product. */
export const OutputRecord = z.object({ task_id: Id, task: z.literal(''), time: Timestamp, output: z.string() });
export type OutputRecord = z.infer<typeof OutputRecord>;

export const LogRange = z.object({
  /** First line of the answer; may be past the end. */
  first: z.int(),
  /** Line to ask for next: an answer of long lines ends before all that were asked for. */
  next: z.int(),
  /** Lines stored so far. */
  total: z.int(),
  /** The log is complete. */
  sealed: z.boolean(),
  lines: z.array(LiveLine),
});
export type LogRange = z.infer<typeof LogRange>;
export const maxLogRange = 5000;

export const LogSearch = z.object({
  /** Numbers of matching lines in order, after `after`, at most 1000 in one answer. */
  lines: z.array(z.int()),
  /** Matching lines in the whole stored log. */
  count: z.int(),
  /** Lines that were looked at: the log may still grow. */
  total: z.int(),
});
export type LogSearch = z.infer<typeof LogSearch>;

const TaskParameters = z.object({ ...ProjectParams.shape, task_id: PathId });
/** A status that does not exist matches no task. */
export const TaskListQuery = z.object({ ...PageQuery.shape, status: z.optional(z.string()) });

export const taskRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks',
    permission: 'member',
    summary: 'Tasks of the project, newest first, 1000 at a time; ?status= leaves out those of another one.',
    params: ProjectParams,
    query: TaskListQuery,
    response: z.array(TaskItem),
    status: 200,
  }),
  last: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/last',
    permission: 'member',
    summary: 'The latest tasks of the project: ?limit= 1 to 200.',
    params: ProjectParams,
    query: TaskListQuery,
    response: z.array(TaskItem),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/tasks',
    permission: 'run',
    summary: 'Launches a task from a template.',
    params: ProjectParams,
    body: Launch,
    response: Task,
    status: 201,
    announced: false,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/:task_id',
    permission: 'member',
    summary: 'One task.',
    params: TaskParameters,
    response: TaskItem,
    status: 200,
  }),
  stop: defineRoute({
    method: 'POST',
    path: '/project/:project_id/tasks/:task_id/stop',
    permission: 'run',
    summary: 'Asks for a stop; with force, kills at once.',
    params: TaskParameters,
    body: z.optional(z.nullable(StopRequest)),
    status: 204,
    announced: false,
  }),
  confirm: defineRoute({
    method: 'POST',
    path: '/project/:project_id/tasks/:task_id/confirm',
    permission: 'run',
    summary: 'Lets a task that waits for a confirmation go on.',
    params: TaskParameters,
    status: 204,
    announced: false,
  }),
  reject: defineRoute({
    method: 'POST',
    path: '/project/:project_id/tasks/:task_id/reject',
    permission: 'run',
    summary: 'Ends a task that waits for a confirmation without it.',
    params: TaskParameters,
    status: 204,
    announced: false,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/tasks/:task_id',
    permission: 'resources',
    summary: 'Deletes a task that has ended, with its log. Administrators only.',
    params: TaskParameters,
    status: 204,
  }),
  log: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/:task_id/log',
    permission: 'member',
    summary:
      'Lines of the log by number: ?from= (1 is the first) and ?count= (at most 5,000, and fewer where they are long).',
    params: TaskParameters,
    query: z.object({ from: z.optional(z.string()), count: z.optional(z.string()) }),
    response: LogRange,
    status: 200,
  }),
  searchLog: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/:task_id/log/search',
    permission: 'member',
    summary: 'Lines that hold a text, in any letter case: ?q= and ?after= (a line number).',
    params: TaskParameters,
    query: z.object({ q: Text.check(z.minLength(1), z.maxLength(500)), after: z.optional(z.string()) }),
    response: LogSearch,
    status: 200,
  }),
  rawOutput: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/:task_id/raw_output',
    permission: 'member',
    summary: 'The log as the bytes that were written.',
    params: TaskParameters,
    transfer: 'stream',
    status: 200,
  }),
  output: defineRoute({
    method: 'GET',
    path: '/project/:project_id/tasks/:task_id/output',
    permission: 'member',
    summary: 'The whole log as one array of records, streamed.',
    params: TaskParameters,
    response: z.array(OutputRecord),
    transfer: 'stream',
    status: 200,
  }),
};
