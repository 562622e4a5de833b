import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { LiveLine } from '@signalbox/contract/live';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveSocket, type LogFollower } from './socket.ts';

const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A websocket server of the least size: short text frames, one client at a time, what it hears as parsed messages. */
class LiveServer {
  readonly heard: unknown[] = [];
  readonly #http: Server = createServer();
  readonly #waiting: (() => void)[] = [];
  #client: Duplex | undefined;

  async start(): Promise<string> {
    this.#http.on('upgrade', (request, socket) => {
      const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${KEY_SUFFIX}`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.on('data', (data) => this.#read(data));
      socket.on('error', () => undefined);
      this.#client = socket;
    });
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}/api/ws`;
  }

  say(message: unknown): void {
    const text = Buffer.from(JSON.stringify(message));
    const head = text.length < 126 ? [0x81, text.length] : [0x81, 126, text.length >> 8, text.length & 0xff];
    this.#client?.write(Buffer.concat([Buffer.from(head), text]));
  }

  cut(): void {
    this.#client?.destroy();
  }

  async hear(count: number): Promise<unknown[]> {
    while (this.heard.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.heard;
  }

  stop(): void {
    this.cut();
    this.#http.close();
  }

  #read(data: Buffer): void {
    let position = 0;
    while (position + 6 <= data.length) {
      const length = (data[position + 1] ?? 0) & 0x7f;
      const mask = data.subarray(position + 2, position + 6);
      const body = data
        .subarray(position + 6, position + 6 + length)
        .map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      const isText = ((data[position] ?? 0) & 0x0f) === 1;
      if (isText) this.heard.push(JSON.parse(Buffer.from(body).toString()));
      position += 6 + length;
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

const server = { current: new LiveServer() };
const client: { current: LiveSocket | undefined } = { current: undefined };

beforeEach(() => {
  server.current = new LiveServer();
});

afterEach(() => {
  client.current?.stop();
  server.current.stop();
});

async function connect(): Promise<LiveSocket> {
  const socket = new LiveSocket(await server.current.start());
  client.current = socket;
  socket.start();
  await server.current.hear(1);
  return socket;
}

function makeLines(
  first: number,
  next: number,
): { type: 'lines'; task_id: 7; first: number; next: number; lines: LiveLine[] } {
  const lines = Array.from({ length: next - first }, (_, index) => ({
    line: first + index,
    time: '2026-11-21T14:00:00.000Z',
    output: `line ${first + index}`,
  }));
  return { type: 'lines', task_id: 7, first, next, lines };
}

function follow(socket: LiveSocket, from: number, last: number) {
  const seen: number[] = [];
  const behind: number[] = [];
  const done = new Promise<void>((resolve) => {
    const follower: LogFollower = {
      onLines: ({ lines }) => {
        seen.push(...lines.map(({ line }) => line));
        if (seen.includes(last)) resolve();
      },
      onBehind: (expected) => {
        behind.push(expected);
        resolve();
      },
      onSealed: () => undefined,
      onRefused: () => resolve(),
    };
    socket.follow(7, from, follower);
  });
  return { seen, behind, done };
}

test('a connection says hello before anything else', async () => {
  await connect();
  expect(server.current.heard[0]).toEqual({ type: 'hello' });
});

test('lines that were seen already are left out', async () => {
  const socket = await connect();
  const log = follow(socket, 1, 6);
  server.current.say(makeLines(1, 4));
  server.current.say(makeLines(2, 4));
  server.current.say(makeLines(3, 7));
  await log.done;
  expect(log.seen).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a gap ends the following and names the line to fetch from', async () => {
  const socket = await connect();
  const log = follow(socket, 1, 99);
  server.current.say(makeLines(1, 3));
  server.current.say(makeLines(5, 6));
  await log.done;
  expect(log.seen).toEqual([1, 2]);
  expect(log.behind).toEqual([3]);
});

test('after a cut the connection comes back and resumes after the last line that it has', async () => {
  const socket = await connect();
  const log = follow(socket, 1, 3);
  server.current.say(makeLines(1, 4));
  await log.done;
  const lost = new Promise<void>((resolve) => {
    socket.watchState(() => {
      if (socket.state === 'lost') resolve();
    });
  });
  server.current.cut();
  await lost;
  const start = performance.now();
  const heard = await server.current.hear(4);
  expect(Math.round((performance.now() - start) / 1000)).toBeGreaterThanOrEqual(2);
  expect(heard.slice(2)).toEqual([{ type: 'hello' }, { type: 'subscribe', task_id: 7, from: 4 }]);
  expect(socket.state).toBe('live');
});

test('what is no message of the contract is passed over', async () => {
  const socket = await connect();
  const messages: string[] = [];
  const done = new Promise<void>((resolve) => {
    socket.listen((message) => {
      messages.push(message.type);
      resolve();
    });
  });
  server.current.say({ type: 'update', task_id: 'seven' });
  server.current.say(['no message']);
  server.current.say({ type: 'changed', project_id: 1, object: 'keys' });
  await done;
  expect(messages).toEqual(['changed']);
});

test('a question that nobody answers counts as lost, so that screens ask by themselves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const deaf = createServer();
  deaf.on('upgrade', (_request, socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  const socket = new LiveSocket(`ws://127.0.0.1:${(deaf.address() as AddressInfo).port}/api/ws`);
  client.current = socket;
  try {
    socket.start();
    await vi.advanceTimersByTimeAsync(7900);
    expect(socket.state).toBe('connecting');
    await vi.advanceTimersByTimeAsync(200);
    expect(socket.state).toBe('lost');
  } finally {
    socket.stop();
    vi.useRealTimers();
    deaf.close();
    deaf.closeAllConnections();
  }
});

test('a stopped connection stays away', async () => {
  const socket = await connect();
  socket.stop();
  expect(socket.state).toBe('connecting');
  socket.follow(7, 1, {
    onLines: () => undefined,
    onBehind: () => undefined,
    onSealed: () => undefined,
    onRefused: () => undefined,
  });
  expect(server.current.heard).toEqual([{ type: 'hello' }]);
});
