import { stateBackendRoutes } from '@signalbox/contract/state-backend';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { type OpenedState, openStateOfAddress, openStateOfTask } from './access.ts';
import { lockState, readState, removeState, unlockState, writeState } from './states.ts';

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };
type Work = (opened: OpenedState) => Promise<string | undefined>;

/** The http backend of Terraform and OpenTofu: for tasks by their own password, for people by the key of an address. */
export function stateBackendApi(http: HttpApi, database: Database, backend: { readonly isOn: boolean }): void {
  const ofTask = (taskId: number, exchange: Exchange, work: Work) =>
    serve(backend, exchange, () => openStateOfTask(database, taskId, callerOf(exchange.request)), tell(work));
  const ofAddress = (alias: string, exchange: Exchange, work: Work) =>
    serve(backend, exchange, () => openStateOfAddress(database, alias, callerOf(exchange.request)), tell(work));
  const bodyOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
  const read: Work = (opened) => readState(database, opened);
  // The tool calls under no project, so that the browsers hear of it only from here.
  const tell =
    (work: Work): Work =>
    async (opened) => {
      const text = await work(opened);
      if (work !== read) http.onChange(opened.owner.projectId, 'states');
      return text;
    };
  const write = (request: FastifyRequest, lockId: string | undefined) => (opened: OpenedState) =>
    writeState(database, opened, lockId, bodyOf(request)).then(() => '');
  const remove = (lockId: string | undefined) => (opened: OpenedState) =>
    removeState(database, opened, lockId).then(() => '');
  const lock = (request: FastifyRequest) => (opened: OpenedState) =>
    lockState(database, opened, bodyOf(request)).then(() => '');
  const unlock = (request: FastifyRequest) => (opened: OpenedState) =>
    unlockState(database, opened, bodyOf(request)).then(() => '');

  void http.fastify.register((scope, _options, done) => {
    // The text of a state is kept as it came.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, taken) => taken(null, body));
    const own = { ...http, fastify: scope };
    const routes = stateBackendRoutes;
    register(own, routes.readOfTask, ({ params, ...call }) => ofTask(params.task_id, call, read));
    register(own, routes.writeOfTask, ({ params, query, ...call }) =>
      ofTask(params.task_id, call, write(call.request, query.ID)),
    );
    register(own, routes.removeOfTask, ({ params, query, ...call }) => ofTask(params.task_id, call, remove(query.ID)));
    register(own, routes.lockOfTask, ({ params, ...call }) => ofTask(params.task_id, call, lock(call.request)));
    register(own, routes.unlockOfTask, ({ params, ...call }) => ofTask(params.task_id, call, unlock(call.request)));
    register(own, routes.read, ({ params, ...call }) => ofAddress(params.alias, call, read));
    register(own, routes.write, ({ params, query, ...call }) =>
      ofAddress(params.alias, call, write(call.request, query.ID)),
    );
    register(own, routes.remove, ({ params, query, ...call }) => ofAddress(params.alias, call, remove(query.ID)));
    register(own, routes.lock, ({ params, ...call }) => ofAddress(params.alias, call, lock(call.request)));
    register(own, routes.unlock, ({ params, ...call }) => ofAddress(params.alias, call, unlock(call.request)));
    // What the tool uses when nobody tells it other methods; no table and no document knows them.
    for (const [method, work] of [['LOCK', lock] as const, ['UNLOCK', unlock] as const]) {
      scope.addHttpMethod(method, { hasBody: true });
      http.paths.add(method, http.apiPath + routes.read.path);
      scope.route<{ Params: { alias: string } }>({
        method,
        url: http.apiPath + routes.read.path,
        handler: (request, reply) => ofAddress(request.params.alias, { request, reply }, work(request)),
      });
    }
    done();
  });
}

const callerOf = (request: FastifyRequest) => ({
  authorization: request.headers.authorization,
  address: request.ip,
});

async function serve(
  { isOn }: { readonly isOn: boolean },
  { reply }: Exchange,
  open: () => Promise<OpenedState>,
  work: Work,
): Promise<string> {
  if (!isOn) throw new AppError('forbidden', 'The state backend for Terraform is switched off on this server');
  try {
    return (await work(await open())) ?? '';
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') {
      void reply.header('www-authenticate', 'Basic realm="Terraform state"');
    }
    throw error;
  }
}
