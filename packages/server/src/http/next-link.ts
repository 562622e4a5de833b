import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../paging.ts';

/**
 * Sends the items of a page as the plain array that old clients know, and says in a `Link` header where the list goes on. The
 * link is relative, so that it holds behind any proxy.
 */
export function sendPage<Item>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { items, next }: Page<Item>,
): Item[] {
  if (next === undefined) return items;
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '';
  const params = new URLSearchParams(query);
  params.set('before', String(next));
  void reply.header('link', `<?${params}>; rel="next"`);
  return items;
}
