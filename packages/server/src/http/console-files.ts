import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSessionCookie } from './authenticate.ts';
import type { HttpApi } from './http-api.ts';
import { createPolicy, socketSource } from './security-headers.ts';

/** The page of the console, made from the built one for one request. */
export type ConsolePage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** What stands in the built page for values that only the server knows. */
const basePlaceholder = '<base href="/" />';
const noncePlaceholder = '<meta name="csp-nonce" content="" />';
const visitorPlaceholder = '<meta name="visitor" content="" />';

/**
 * Serves the files of the built console and returns how its page is answered. Files with a hash in their name may be
 * kept for ever; everything else is asked for again each time.
 */
export function serveConsole(http: HttpApi, directory: string): ConsolePage {
  const pageFile = join(directory, 'index.html');
  if (!existsSync(pageFile)) return answerUnbuilt;
  void http.fastify.register(fastifyStatic, {
    root: directory,
    prefix: `${http.basePath}/`,
    index: false,
    // The page must never be sent as a file: its placeholders are still in it. What has no dot is an address of the page.
    allowedPath: (path) => !path.startsWith('/index.html') && /\.[^/]*$/.test(path),
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(directory, 'assets'));
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const page = readFileSync(pageFile, 'utf8').replace(basePlaceholder, `<base href="${http.basePath}/" />`);
  return (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    // The cookie is hidden from scripts: without this word the console could not know that asking who it is is in vain.
    const visitor = readSessionCookie(http, request) === undefined ? 'signed-out' : 'unknown';
    return reply
      .header('content-security-policy', createPolicy(socketSource(http.webHost, request.headers.host), nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        page
          .replace(noncePlaceholder, `<meta name="csp-nonce" content="${nonce}" />`)
          .replace(visitorPlaceholder, `<meta name="visitor" content="${visitor}" />`),
      );
  };
}

function answerUnbuilt(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain; charset=utf-8').send('The console is not built. Run: npm run build\n');
}
