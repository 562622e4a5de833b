import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { largeBodyLimit } from '@signalbox/contract/http/route';
import {
  findUnsavedState,
  keepRefusedState,
  type StateAccess,
  StateJournal,
  type UnsavedState,
} from '../journal/unsaved-state.ts';
import type { ServerLink } from './server-link.ts';
import { bringUnsavedState, makeBasic, type StateCall, StatePassage } from './state-passage.ts';

export type DoorRoom = {
  /** The task's own directory. */
  readonly directory: string;
  /** Where its tool works. */
  readonly workplace: string;
  readonly say: (line: string) => void;
};

/**
 * Where the tools of this runner reach their states: an address on this machine that stays the same as long as the runner lives,
 * while the server may go away, come back, and be somewhere else. Only the calls of tasks in hand pass, each with its own password.
 */
export class StateDoor {
  readonly #link: ServerLink;
  readonly #dataDir: string;
  readonly #passages = new Map<string, StatePassage>();
  #server: Server | null = null;
  #port: Promise<number> | null = null;

  constructor(link: ServerLink, dataDir: string) {
    this.#link = link;
    this.#dataDir = dataDir;
  }

  /** @returns the address of the task's state, on this machine */
  async open(access: StateAccess, { directory, workplace, say }: DoorRoom): Promise<string> {
    this.#port ??= this.#listen().catch((error: unknown) => {
      this.#port = null; // the next task may find a free port
      throw error;
    });
    const port = await this.#port;
    const journal = new StateJournal(directory, access, workplace);
    const room = { journal, dataDir: this.#dataDir, directory, say };
    this.#passages.set(directory, new StatePassage(this.#link, access, room));
    return `http://127.0.0.1:${port}${access.path}`;
  }

  async #listen(): Promise<number> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    // A call may wait for its server for as long as that takes.
    server.requestTimeout = 0;
    server.listen(0, '127.0.0.1');
    this.#server = server;
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port for the states of tasks');
    return address.port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://door');
    const part = url.pathname.endsWith('/lock') ? '/lock' : '';
    const path = url.pathname.slice(0, url.pathname.length - part.length);
    const passage = [...this.#passages.values()].find(
      ({ access }) => access.path === path && isSame(request.headers.authorization ?? '', makeBasic(access)),
    );
    if (passage === undefined) {
      response.writeHead(401).end();
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      response.writeHead(413).end();
      return;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('the tool has gone away')));
    const type = request.headers['content-type'] ?? 'application/json';
    const call: StateCall = { method: request.method ?? 'GET', part, search: url.search, type, body };
    const { status, text } = await passage.serve(call, gone.signal);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  /** Returns when the server has every state that the task's tool has handed in; or why it does not have the last one. */
  async settle(directory: string): Promise<string | null> {
    const passage = this.#passages.get(directory);
    if (passage === undefined) return null;
    return (await passage.settle()) ?? this.#keepLeft(directory);
  }

  /** What the tool could not even hand in here, because it is too large or the disk was full. */
  #keepLeft(directory: string): string | null {
    try {
      const left = findUnsavedState(directory);
      if (left === null) return null;
      const path = keepRefusedState(this.#dataDir, directory, left.body);
      return `The tool could not hand in its state; a copy is kept on the runner in ${path}`;
    } catch (error) {
      return `The tool could not hand in its state, and no copy is kept: ${error instanceof Error ? error.message : error}`;
    }
  }

  /** Of a task of an earlier runner. @returns why the server does not take it, or null */
  bring(state: UnsavedState, signal: AbortSignal): Promise<string | null> {
    return bringUnsavedState(this.#link, state, signal);
  }

  /** The task has ended, or is not ours any more. */
  close(directory: string): void {
    this.#passages.get(directory)?.abandon();
    this.#passages.delete(directory);
  }

  stop(): void {
    for (const directory of [...this.#passages.keys()]) this.close(directory);
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** null when it is larger than what a server takes. It is read to its end all the same: else its sender never hears the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= largeBodyLimit) parts.push(part);
    else parts.length = 0;
  }
  return size > largeBodyLimit ? null : Buffer.concat(parts);
}
