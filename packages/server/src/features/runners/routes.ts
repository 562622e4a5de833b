import { runnerProtocolRoutes } from '@signalbox/contract/runners';
import type { RunnerHub } from '../../engine/runner-hub.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { watchConnection } from '../../http/watch-connection.ts';

/** The runner protocol; see `runner-protocol.ts` in the contract. */
export function runnerApi(http: HttpApi, hub: RunnerHub): void {
  register(http, runnerProtocolRoutes.sync, ({ actor, body, reply }) => hub.sync(actor, body, watchConnection(reply)));
  register(http, runnerProtocolRoutes.reports, ({ actor, body }) => hub.report(actor, body));
  register(http, runnerProtocolRoutes.log, ({ actor, body }) => hub.takeLog(actor, body));
}
