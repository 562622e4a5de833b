import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeBodyLimit } from '@signalbox/contract/http/route';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerLink } from './server-link.ts';
import { StateDoor } from './state-door.ts';
import { makeBasic } from './state-passage.ts';

const access = { path: '/terraform/tasks/7', username: 'task-7', password: 'pw' };
let root: string;
let directory: string;
let tree: string;
let server: Server;
let link: ServerLink;
let door: StateDoor;
/** What stands for the server does with a call. */
let answer: (request: IncomingMessage, body: string) => Promise<number>;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sbd-'));
  directory = join(root, '7-c');
  tree = join(directory, 'tree');
  mkdirSync(tree, { recursive: true });
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    response.writeHead(await answer(request, Buffer.concat(parts).toString())).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  link = new ServerLink({ urls: [`http://127.0.0.1:${port}`] }, 'token', { authorities: null, proxy: null });
  door = new StateDoor(link, root);
});

afterEach(() => {
  door.stop();
  link.close();
  server.close();
  server.closeAllConnections();
  rmSync(root, { recursive: true, force: true });
});

const open = () => door.open(access, { directory, workplace: tree, say: () => undefined });

function send(address: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(address, { method: 'POST', headers: { authorization: makeBasic(access) }, body });
}

it('says that a state is too large, and keeps what the tool leaves of it', async () => {
  const address = await open();
  const { status } = await send(address, new Uint8Array(largeBodyLimit + 1));
  expect(status).toBe(413);
  expect(await door.settle(directory)).toBeNull();
  writeFileSync(join(tree, 'errored.tfstate'), 'large');
  const kept = join(root, 'unsaved-states/7-c.tfstate');
  expect(await door.settle(directory)).toBe(
    `The tool could not hand in its state; a copy is kept on the runner in ${kept}`,
  );
  expect(readFileSync(kept, 'utf8')).toBe('large');
});

it('keeps the newest of two states on disk until the server has that one', async () => {
  const address = await open();
  const file = join(directory, 'unsaved.tfstate');
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const arrived: string[] = [];
  answer = (_request, body) => (arrived.push(body) === 1 ? first.promise : second.promise);
  const sent = [send(address, '{"serial":1}')];
  await expect.poll(() => arrived).toEqual(['{"serial":1}']);
  sent.push(send(address, '{"serial":2}'));
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('{"serial":2}');
  first.resolve(200);
  await expect.poll(() => arrived).toHaveLength(2);
  expect(readFileSync(file, 'utf8')).toBe('{"serial":2}');
  second.resolve(200);
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
  expect(existsSync(file)).toBe(false);
});
