import { type Health, systemRoutes } from '@signalbox/contract/system';
import type { FastifyRequest } from 'fastify';
import { identifyUser } from '../../http/authenticate.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { describeHealth, type HealthParts } from './health.ts';
import { describeSystem, type Installation } from './system.ts';

export function systemApi(http: HttpApi, parts: HealthParts, installation: Installation): void {
  register(http, systemRoutes.ping, () => 'pong');
  register(http, systemRoutes.state, async () => describeSystem(installation, await parts.engine.readFacts()));
  serveHealth(http, parts);
}

/** Outside of the API, for probes; under the base path too, for those that come through a proxy. */
function serveHealth(http: HttpApi, parts: HealthParts): void {
  // However many ask at once, the database is asked once.
  let current: Promise<Required<Health>> | undefined;
  const read = () => {
    current ??= describeHealth(parts).finally(() => {
      current = undefined;
    });
    return current;
  };
  for (const path of new Set(['/healthz', `${http.basePath}/healthz`])) {
    http.fastify.get(path, async (request, reply) => {
      const { status, problems } = await read();
      return reply
        .code(status === 'failing' ? 503 : 200)
        .header('cache-control', 'no-store')
        .send((await mayKnowMore(http, request)) ? { status, problems } : { status });
    });
  }
}

/** What is wrong is told to administrators, and to the machine itself; a proxy on it speaks for others. */
async function mayKnowMore(http: HttpApi, request: FastifyRequest): Promise<boolean> {
  const { headers } = request;
  const isForwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => headers[name] !== undefined);
  if (!isForwarded && isLoopback(request.socket.remoteAddress)) return true;
  if (headers.cookie === undefined && headers.authorization === undefined) return false;
  try {
    return (await identifyUser(http, request, 'machine')).user.admin;
  } catch {
    return false; // not signed in, or the database does not answer and nobody can be known: the one word is enough
  }
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}
