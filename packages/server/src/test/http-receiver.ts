import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed, where the body is JSON. */
  body: unknown;
};
/** How a request is answered; one that says nothing leaves it open. */
export type Answer = (received: Received, response: ServerResponse) => void;

export type HttpReceiver = {
  url: string;
  received: Received[];
  /** Changes how it answers from now on. */
  answer: Answer;
  /** Waits until so many requests have come. */
  waitFor(count: number): Promise<Received[]>;
  stop(): Promise<void>;
};

/** Another program on loopback, which is told of things and keeps what it is told. */
export async function startHttpReceiver(): Promise<HttpReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const isJson = String(request.headers['content-type']).startsWith('application/json');
      const one = { path: request.url ?? '', headers: request.headers, text, body: isJson ? JSON.parse(text) : text };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (_received, response) => response.end('ok'),
    waitFor: async (count) => {
      await vi.waitUntil(() => received.length >= count, { timeout: 20_000, interval: 10 });
      return received;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
