import { systemRoutes } from '@signalbox/contract/system';
import type { Database } from '../../db/database.ts';
import type { RunnerFacts } from '../../engine/runner-facts.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { describeHealth, describeSystem, type Installation } from './system.ts';

export function systemApi(
  http: HttpApi,
  database: Database,
  installation: Installation,
  readFacts: () => Promise<RunnerFacts>,
): void {
  register(http, systemRoutes.ping, () => 'pong');
  register(http, systemRoutes.state, async () => describeSystem(installation, await readFacts()));
  // Outside of the API, for probes; under the base path too, for those that come through a proxy.
  for (const path of new Set(['/healthz', `${http.basePath}/healthz`])) {
    http.fastify.get(path, async (_request, reply) => {
      const health = await describeHealth(database.read, readFacts);
      return reply
        .code(health.status === 'failing' ? 503 : 200)
        .header('cache-control', 'no-store')
        .send(health);
    });
  }
}
