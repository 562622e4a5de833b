import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorStatus } from '@signalbox/contract/errors';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Db } from '../db/database.ts';
import { findOutage } from '../db/outage.ts';
import type { LiveRights } from '../engine/live-connection.ts';
import type { LiveHub } from '../engine/live-hub.ts';
import { AppError } from '../errors.ts';
import { refuseInOutage } from './answer-error.ts';
import { identifyUser, refuseForeignOrigin } from './authenticate.ts';
import type { HttpApi } from './http-api.ts';

const pingMs = 54_000;
/** What clients say is short. */
const maxMessageBytes = 4096;

/**
 * The websocket `/api/ws`. By cookie it must come from our own pages, since browsers send the cookie from any page; a
 * bearer token is in no browser by itself.
 *
 * @returns what ends it: all sockets are closed
 */
export function serveSocket(http: HttpApi, live: LiveHub): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const server: Server = http.fastify.server;
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Until it is a websocket nobody else listens for its errors.
    stream.on('error', ignoreError);
    admit(http, request).then(
      (userId) => {
        stream.off('error', ignoreError);
        sockets.handleUpgrade(request, stream, head, (socket) => join({ http, live, request, userId }, socket));
      },
      (error: unknown) => refuse(http, stream, error),
    );
  };
  server.on('upgrade', onUpgrade);
  const pings = setInterval(() => {
    pingAll(sockets);
    live.checkEverybody();
  }, pingMs);
  pings.unref();
  return () => {
    server.off('upgrade', onUpgrade);
    clearInterval(pings);
    live.close();
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function ignoreError(): void {
  // The client is gone; there is nobody to tell.
}

/** Returns whose websocket it is going to be. */
async function admit(http: HttpApi, request: IncomingMessage): Promise<number> {
  const [path] = (request.url ?? '').split('?');
  if (path !== `${http.apiPath}/ws`) throw new AppError('not_found', 'There is nothing under this address');
  const { user, by } = await identifyUser(http, request, 'machine');
  if (by === 'session') refuseForeignOrigin(http, request, 'required');
  return user.userId;
}

function refuse(http: HttpApi, stream: Duplex, error: unknown): void {
  const known = error instanceof AppError ? error : findOutage(error) && refuseInOutage(error);
  if (!known) http.log.error('A websocket could not be opened', { cause: error });
  const code = known ? known.code : 'internal';
  const status = errorStatus[code];
  const body = JSON.stringify({ error: known ? known.message : 'Something went wrong here', code });
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

type Joining = { http: HttpApi; live: LiveHub; request: IncomingMessage; userId: number };

function join({ http, live, request, userId }: Joining, socket: WebSocket): void {
  const connection = live.join({
    socket: {
      send: (text) => socket.send(text),
      bufferedAmount: () => socket.bufferedAmount,
      close: (code, reason) => socket.close(code, reason),
    },
    userId,
    loadRights: () => loadRights(http, request),
  });
  answersPing.add(socket);
  socket.on('pong', () => answersPing.add(socket));
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    live.receive(connection, String(data)).catch((error: unknown) => {
      http.log.error('A message of a websocket could not be answered', { cause: error });
      connection.close(1011, 'Try again');
    });
  });
  socket.on('close', () => live.leave(connection));
  // A close follows.
  socket.on('error', ignoreError);
}

/** Sockets that were heard of since the last ping. */
const answersPing = new WeakSet<WebSocket>();

function pingAll(sockets: WebSocketServer): void {
  for (const socket of sockets.clients) {
    if (!answersPing.delete(socket)) socket.terminate();
    else socket.ping();
  }
}

/** What the user of a socket may see now; undefined when his session has ended. */
async function loadRights(http: HttpApi, request: IncomingMessage): Promise<LiveRights | undefined> {
  try {
    const { user } = await identifyUser(http, request, 'machine');
    return { projects: user.admin ? 'all' : await listProjectIds(http.database.read, user.userId) };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function listProjectIds(db: Db, userId: number): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('project_user').select('project_id').where('user_id', '=', userId).execute();
  return new Set(rows.map((row) => row.project_id));
}
