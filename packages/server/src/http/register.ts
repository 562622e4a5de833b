import type { Readable } from 'node:stream';
import { ProjectParams } from '@signalbox/contract/fields';
import type { Route, RouteBody, RouteParams, RouteQuery, RouteResult } from '@signalbox/contract/http/route';
import { grants, isPermissionBit } from '@signalbox/contract/permissions';
import { UserParams } from '@signalbox/contract/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import { findPermissions } from '../auth/membership.ts';
import type { RunnerIdentity } from '../engine/runner-identity.ts';
import { AppError } from '../errors.ts';
import { identifyRunner, identifySession, identifyUser, refuseForeignOrigin } from './authenticate.ts';
import type { HttpApi } from './http-api.ts';
import { parseQuickly } from './quick-schema.ts';
import { parseInput } from './validation.ts';

type ActorOf<R extends Route> = R['permission'] extends 'public'
  ? undefined
  : R['permission'] extends 'runner'
    ? RunnerIdentity
    : Actor;

/** What a handler gets: checked, parsed, and by whom. */
export type Call<R extends Route> = {
  readonly params: RouteParams<R>;
  readonly query: RouteQuery<R>;
  readonly body: R['binaryBody'] extends true ? Buffer : RouteBody<R>;
  readonly actor: ActorOf<R>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** Streams are written by the handler: it returns what is to be read, or the reply that it took over. */
export type Result<R extends Route> = R['transfer'] extends 'stream'
  ? Readable | FastifyReply
  : R['transfer'] extends 'text' | 'redirect'
    ? string
    : R['transfer'] extends 'png'
      ? Buffer
      : R['status'] extends 204
        ? unknown // nothing of it is sent
        : RouteResult<R>;

/**
 * Serves one route of the contract. What holds for every route is done here, once: origin, session or token, permission,
 * parsing of parameters, query and body, and parsing of the answer, so that a column that no schema names cannot leak.
 */
export function register<const R extends Route>(
  http: HttpApi,
  route: R,
  handle: (call: Call<R>) => Result<R> | Promise<Result<R>>,
): void {
  http.paths.add(route.method, http.apiPath + route.path);
  http.fastify.route({
    method: route.method,
    url: http.apiPath + route.path,
    exposeHeadRoute: route.method === 'GET',
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    // Before the body is read: nobody sends 64 MB who may not.
    onRequest: async (request) => {
      request.caller = await admit(http, route, request);
    },
    handler: async (request, reply) => {
      const call = readCall(route, request, reply);
      const result = await handle(call);
      if (route.method !== 'GET' && route.announced !== false) announceChange(http, route, request);
      return answer(route, result, reply);
    },
  });
}

/** Outside of projects: what people see lists of. Signing in, webhooks and the calls of runners say themselves what they change. */
const ofInstallation = new Set(['projects', 'users', 'user', 'apps', 'options', 'runners', 'runner_registrations']);
/** Who is a member sees the project in his list, by its name. */
const inListOfProjects = new Set(['project', 'users']);

/** `/project/:project_id/keys/:key_id` tells of `keys`; a change of the project itself tells of `project`. */
function announceChange(http: HttpApi, route: Route, request: FastifyRequest): void {
  const [, first = '', second = '', object = 'project'] = route.path.split('/');
  if (first !== 'project' || second !== ':project_id') {
    if (ofInstallation.has(first)) http.onChange(null, first);
    return;
  }
  const { project_id: projectId } = parseInput(ProjectParams, request.params);
  http.onChange(projectId, object);
  if (inListOfProjects.has(object)) http.onChange(null, 'projects');
}

/** Who calls, or the refusal. */
async function admit(
  http: HttpApi,
  route: Route,
  request: FastifyRequest,
): Promise<Actor | RunnerIdentity | undefined> {
  if (route.permission === 'runner') return identifyRunner(http, request);
  const changes = route.method !== 'GET';
  if (route.permission === 'public') {
    if (changes && route.anyOrigin !== true) refuseForeignOrigin(http, request, 'optional');
    return undefined;
  }
  if (route.permission === 'session') {
    const { user } = await identifySession(http, request);
    if (changes) refuseForeignOrigin(http, request, 'optional');
    return { ...user, address: request.ip, permissions: 0 };
  }
  const { user, by } = await identifyUser(http, request);
  if (changes && by === 'session') refuseForeignOrigin(http, request, 'optional');
  const permissions = await findRights(http, route, request, { ...user, address: request.ip });
  if (changes && http.readOnlyDemo && !user.admin) {
    throw new AppError('read_only_demo', 'This is a demo: only administrators can change something');
  }
  return { ...user, address: request.ip, permissions };
}

async function findRights(
  http: HttpApi,
  route: Route,
  request: FastifyRequest,
  user: Omit<Actor, 'permissions'>,
): Promise<number> {
  if (route.permission === 'admin' && !user.admin) throw new AppError('forbidden', 'Only administrators may do that');
  if (route.permission === 'self') refuseOthers(request, user);
  if (route.permission !== 'member' && !isPermissionBit(route.permission)) return user.admin ? 15 : 0;
  // What is no id is a bad request before it is an unknown project.
  const { project_id: projectId } = parseInput(ProjectParams, request.params);
  const permissions = await findPermissions(http.database.read, user, projectId);
  if (permissions === undefined) throw new AppError('not_found', 'There is no such project');
  if (!grants(permissions, route.permission)) {
    throw new AppError('forbidden', 'Your role in this project does not allow that');
  }
  return permissions;
}

/** What is about one user is for him and for administrators; whether others exist is not told. */
function refuseOthers(request: FastifyRequest, user: Omit<Actor, 'permissions'>): void {
  const { user_id: userId } = parseInput(UserParams, request.params);
  if (user.admin || user.userId === userId) return;
  throw new AppError('forbidden', 'Only administrators may do that for others');
}

function parseParams(route: Route, request: FastifyRequest): unknown {
  return route.params === undefined ? undefined : parseInput(route.params, request.params);
}

function readCall<R extends Route>(route: R, request: FastifyRequest, reply: FastifyReply): Call<R> {
  return {
    params: parseParams(route, request),
    query: route.query === undefined ? undefined : parseInput(route.query, request.query),
    body: parseBody(route, request),
    actor: request.caller,
    request,
    reply,
    // The schemas were those of this very route, and `caller` was set by its permission.
  } as Call<R>;
}

function parseBody(route: Route, request: FastifyRequest): unknown {
  if (route.binaryBody === true) {
    if (!Buffer.isBuffer(request.body)) {
      throw new AppError('unsupported_media_type', 'The body must be application/octet-stream');
    }
    return request.body;
  }
  if (route.body === undefined) return undefined;
  if (Buffer.isBuffer(request.body)) throw new AppError('unsupported_media_type', 'The body must be application/json');
  return parseInput(route.body, request.body);
}

function answer(route: Route, result: unknown, reply: FastifyReply): unknown {
  if (route.transfer === 'stream') return result;
  if (route.transfer === 'redirect') return reply.redirect(String(result), route.status);
  void reply.code(route.status);
  if (route.transfer === 'png') return reply.type('image/png').send(result);
  if (route.transfer === 'text') return reply.type('text/plain; charset=utf-8').send(result);
  if (route.response === undefined) return reply.send();
  // A ZodError that is thrown here is ours to mend: it is answered as `internal`.
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(parseQuickly(route.response, result)));
}
