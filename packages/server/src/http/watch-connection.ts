import type { FastifyReply } from 'fastify';

/** Aborted when the client is gone before its answer: a runner that is gone must not be given work. */
export function watchConnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
