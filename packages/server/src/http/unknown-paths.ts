import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import type { ConsolePage } from './console-files.ts';
import type { HttpApi } from './http-api.ts';

/** Answers what no route took: errors under the API, the console's page for its own addresses, 404 for the rest. */
export function answerUnknownPaths(http: HttpApi, page: ConsolePage): void {
  http.fastify.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/[?#].*$/, '');
    if (path === http.apiPath || path.startsWith(`${http.apiPath}/`)) throw unknownRoute(http, path, reply);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && isPage(http.basePath, path)) return page(request, reply);
    if (reads && path === '/') return reply.redirect(`${http.basePath}/`);
    throw new AppError('not_found', 'There is nothing under this address');
  });
}

function unknownRoute(http: HttpApi, path: string, reply: FastifyReply): AppError {
  const methods = http.paths.methodsOf(path);
  if (methods.length === 0) return new AppError('not_found', 'There is no such route');
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  void reply.header('allow', allowed.join(', '));
  return new AppError('method_not_allowed', `This address takes ${allowed.join(', ')}`);
}

/** Addresses of the console have no dot in their last part; a missing file must not look like a page. */
function isPage(basePath: string, path: string): boolean {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return false;
  const own = path.slice(basePath.length);
  return !own.slice(own.lastIndexOf('/') + 1).includes('.');
}
