import { runnerProtocolRoutes } from '@signalbox/contract/runners';
import type { FastifyReply } from 'fastify';
import type { RunnerHub } from '../../engine/runner-hub.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';

/** The runner protocol; see `runner-protocol.ts` in the contract. */
export function runnerApi(http: HttpApi, hub: RunnerHub): void {
  register(http, runnerProtocolRoutes.sync, ({ actor, body, reply }) => hub.sync(actor, body, watchConnection(reply)));
  register(http, runnerProtocolRoutes.reports, ({ actor, body }) => hub.report(actor, body));
  register(http, runnerProtocolRoutes.log, ({ actor, body }) => hub.takeLog(actor, body));
}

/** Aborted when the runner is gone before its answer: then nobody must be given work in its name. */
function watchConnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
