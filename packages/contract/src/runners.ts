import * as z from 'zod/mini';
import { ActiveSwitch, Flag, Id, makeName, PathId, ProjectParams, Text, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import {
  LogAnswer,
  logRequestLimit,
  ReportAnswer,
  ReportsRequest,
  StrayMode,
  SyncAnswer,
  SyncRequest,
  Tool,
} from './runner-protocol.ts';

/** A registered runner, and what its newest process says of itself. The built-in runner is in no list. */
export const Runner = z.object({
  id: Id,
  /** The only project that it serves; null = all. */
  project_id: z.nullable(Id),
  name: z.string(),
  /** It takes the tasks whose template asks for this tag, and no others; empty = those that ask for none. */
  tag: z.string(),
  webhook: z.string(),
  /** 0 = unlimited. */
  max_parallel_tasks: z.int(),
  /** One that is switched off gets no new tasks. */
  active: z.boolean(),
  /** Seconds of silence after which its started tasks are given up. */
  lost_after_seconds: z.int(),
  created: Timestamp,
  online: z.boolean(),
  /** Null: it has never called. */
  last_seen: z.nullable(Timestamp),
  version: z.string(),
  hostname: z.string(),
  /** How well it can end what tasks leave behind. */
  stray_mode: z.nullable(StrayMode),
  tools: z.array(Tool),
});
export type Runner = z.infer<typeof Runner>;

const input = {
  project_id: z.optional(z.nullable(Id)),
  name: makeName(100),
  tag: z.optional(z.nullable(Text.check(z.trim(), z.maxLength(100)))),
  webhook: z.optional(
    z.nullable(
      Text.check(
        z.trim(),
        z.maxLength(2000),
        // It is shown to whoever sees the runner, so it is no place for a password.
        z.regex(/^(https?:\/\/[^\s/?#@]+([/?#]\S*)?)?$/i, 'must be an http or https address without a password'),
      ),
    ),
  ),
  max_parallel_tasks: z.optional(
    z.nullable(z.int('Must be an integer').check(z.minimum(0, 'Must be 0 or greater'), z.maximum(1_000_000))),
  ),
  active: z.optional(Flag),
  lost_after_seconds: z.optional(z.int().check(z.minimum(30), z.maximum(604_800))),
};
export const RunnerInput = z.object(input);
export type RunnerInput = z.infer<typeof RunnerInput>;
/** A missing optional member keeps its stored value; token and key stay what they are. */
export const RunnerChange = z.object({ ...input, id: z.optional(Id) });
export type RunnerChange = z.infer<typeof RunnerChange>;

/** The answer to a creation, and the only time that token and private key are seen. */
export const CreatedRunner = z.object({
  ...Runner.shape,
  token: z.string(),
  /** X25519, PKCS #8, PEM. Its tasks are sealed to the public half. */
  private_key: z.string(),
});
export type CreatedRunner = z.infer<typeof CreatedRunner>;

const RunnerParams = z.object({ runner_id: PathId });
const ProjectRunnerParams = z.object({ ...ProjectParams.shape, runner_id: PathId });

const runnerAdministrationRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/runners',
    permission: 'admin',
    summary: 'All registered runners, those of projects included.',
    response: z.array(Runner),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/runners',
    permission: 'admin',
    summary: 'Registers a runner for all projects. Token and private key are shown this once.',
    body: RunnerInput,
    response: CreatedRunner,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/runners/:runner_id',
    permission: 'admin',
    summary: 'One runner.',
    params: RunnerParams,
    response: Runner,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/runners/:runner_id',
    permission: 'admin',
    summary: 'Changes a runner; its token stays.',
    params: RunnerParams,
    body: RunnerChange,
    status: 204,
  }),
  updateByPost: defineRoute({
    method: 'POST',
    path: '/runners/:runner_id',
    permission: 'admin',
    summary: 'The same as PUT.',
    params: RunnerParams,
    body: RunnerChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/runners/:runner_id',
    permission: 'admin',
    summary: 'Deletes a runner that has no tasks in hand.',
    params: RunnerParams,
    status: 204,
  }),
  setActive: defineRoute({
    method: 'POST',
    path: '/runners/:runner_id/active',
    permission: 'admin',
    summary: 'Switches a runner on or off. One that is off gets no new tasks.',
    params: RunnerParams,
    body: ActiveSwitch,
    status: 204,
  }),
};

export const projectRunnerRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/runners',
    permission: 'member',
    summary: 'Runners of the project.',
    params: ProjectParams,
    response: z.array(Runner),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/runners',
    permission: 'resources',
    summary: 'Registers a runner for the project. Token and private key are shown this once.',
    params: ProjectParams,
    body: RunnerInput,
    response: CreatedRunner,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/runners/:runner_id',
    permission: 'member',
    summary: 'One runner of the project.',
    params: ProjectRunnerParams,
    response: Runner,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/runners/:runner_id',
    permission: 'resources',
    summary: 'Changes a runner of the project; its token stays.',
    params: ProjectRunnerParams,
    body: RunnerChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/runners/:runner_id',
    permission: 'resources',
    summary: 'Deletes a runner of the project that has no tasks in hand.',
    params: ProjectRunnerParams,
    status: 204,
  }),
  setActive: defineRoute({
    method: 'POST',
    path: '/project/:project_id/runners/:runner_id/active',
    permission: 'resources',
    summary: 'Switches a runner of the project on or off.',
    params: ProjectRunnerParams,
    body: ActiveSwitch,
    status: 204,
  }),
};

/** The calls of a runner. Their meaning and order stand in `runner-protocol.ts`. */
const protocolRoutes = {
  sync: defineRoute({
    method: 'POST',
    path: '/internal/runners/sync',
    permission: 'runner',
    summary: 'Heartbeat, claim and commands of a runner in one long poll.',
    body: SyncRequest,
    response: SyncAnswer,
    status: 200,
  }),
  reports: defineRoute({
    method: 'POST',
    path: '/internal/runners/reports',
    permission: 'runner',
    summary: 'Start permissions and ends of tasks.',
    body: ReportsRequest,
    response: z.object({ answers: z.array(ReportAnswer) }),
    status: 200,
  }),
  log: defineRoute({
    method: 'POST',
    path: '/internal/runners/log',
    permission: 'runner',
    summary: 'Log frames of one or more tasks.',
    binaryBody: true,
    bodyLimit: logRequestLimit * 2,
    response: LogAnswer,
    status: 200,
  }),
};

export const runnerRoutes = { ...protocolRoutes, ...runnerAdministrationRoutes };
