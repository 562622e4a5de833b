import { deliveryRoutes } from '@signalbox/contract/deliveries';
import { webhookRoutes } from '@signalbox/contract/webhooks';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { sendPage } from '../../http/next-link.ts';
import { register } from '../../http/register.ts';
import type { Call } from './call.ts';
import { listOwnDeliveries, replayDelivery, requireDelivery } from './deliveries.ts';
import type { WebhookEngine } from './start-task.ts';
import { receiveCall, type WebhookRules } from './webhooks.ts';

export function webhookApi(http: HttpApi, database: Database, engine: WebhookEngine, rules: WebhookRules): void {
  // A scope of its own: here every body is taken as the bytes that came, which is what signatures are made of.
  void http.fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, taken) => taken(null, body));
    const own = { ...http, fastify: scope };
    const receive = async (alias: string, request: FastifyRequest, method: Call['method']) => {
      // A HEAD comes by the route of GET, and asks for nothing to be done.
      if (request.method !== method) return;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await receiveCall(database, engine, rules, alias, { method, headers: readHeaders(request), body });
    };
    register(own, webhookRoutes.receive, ({ params, request }) => receive(params.alias, request, 'POST'));
    register(own, webhookRoutes.receiveGet, ({ params, request }) => receive(params.alias, request, 'GET'));
    done();
  });
  deliveryApi(http, database, engine, rules);
}

/** Node joins what comes twice, so that a second signature makes both wrong. */
function readHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function deliveryApi(http: HttpApi, database: Database, engine: WebhookEngine, rules: WebhookRules): void {
  register(http, deliveryRoutes.list, async ({ params, query, ...exchange }) => {
    const parent = { projectId: params.project_id, integrationId: params.integration_id };
    return sendPage(exchange, await listOwnDeliveries(database.read, parent, query));
  });
  const placeOf = (params: { project_id: number; integration_id: number; delivery_id: number }) => ({
    projectId: params.project_id,
    integrationId: params.integration_id,
    id: params.delivery_id,
  });
  register(http, deliveryRoutes.get, ({ params }) => requireDelivery(database.read, placeOf(params)));
  register(http, deliveryRoutes.replay, ({ params, actor }) =>
    replayDelivery(database, engine, actor, placeOf(params), rules.keptDeliveries),
  );
}
