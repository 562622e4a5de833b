import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { ErrorBody } from '@signalbox/contract/errors';
import { runnerTokenHeader } from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import type { NetworkOptions, ServerAddress } from '../config.ts';

const largestAnswer = 64 * 1024 * 1024;
const AddressFile = z.object({ url: z.string() });

const directNetwork: NetworkOptions = { authorities: null, proxy: null };

/** The server was reached and said no. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** No server, or no answer. */
export class Unreachable extends Error {}

class StaleConnection extends Error {}

/** A call as it goes out. `path`: below `/api`, with what is asked in it. */
export type Forwarded = {
  method: string;
  path: string;
  headers: Record<string, string | number>;
  body: Uint8Array;
  timeoutMs: number;
  signal: AbortSignal;
};
type Answer = { status: number; text: string };
type Call = { path: string; body: Uint8Array; type: string; timeoutMs: number; signal: AbortSignal };

async function readBody(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > largestAnswer) throw new Unreachable('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readRefusal(status: number, text: string): Refused {
  try {
    const body = z.safeParse(ErrorBody, JSON.parse(text));
    if (body.success) return new Refused(status, body.data.code, body.data.error);
  } catch {
    // Not JSON: something between us and the server answered.
  }
  return new Refused(status, 'unknown', `HTTP status ${status}`);
}

/** Node would set four options of the socket after each request; one sync is open at all times, so a dead peer is noticed anyway. */
function keepQuietly<A extends HttpAgent>(agent: A): A {
  agent.keepSocketAlive = () => true;
  return agent;
}

/** One server at a time, found again by its address file or the next of its addresses when it does not answer. */
export class ServerLink {
  readonly #token: string;
  readonly #address: ServerAddress;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  #url: string | null = null;
  #turn = 0;
  /** Monotonic time of the last answer of any server. */
  #lastContact = performance.now();

  constructor(address: ServerAddress, token: string, { authorities, proxy }: NetworkOptions = directNetwork) {
    this.#address = address;
    this.#token = token;
    const shared = { keepAlive: true, maxFreeSockets: 4, ...(proxy === null ? {} : { proxyEnv: proxy }) };
    this.#http = keepQuietly(new HttpAgent(shared));
    this.#https = keepQuietly(new HttpsAgent({ ...shared, ...(authorities === null ? {} : { ca: authorities }) }));
  }

  get silentForMs(): number {
    return performance.now() - this.#lastContact;
  }

  /** Where the server is now; null when its address file is not there. */
  #findUrl(): string | null {
    if ('urls' in this.#address) return this.#address.urls[this.#turn % this.#address.urls.length] ?? null;
    try {
      const content: unknown = JSON.parse(readFileSync(this.#address.file, 'utf8'));
      const url = z.parse(AddressFile, content).url;
      return URL.canParse(url) ? url : null;
    } catch {
      return null; // not written yet, or just being written: the next attempt reads it again
    }
  }

  /** @throws Refused, Unreachable, or a zod error on an answer that is not of this protocol */
  async postJson<T>(
    path: string,
    body: unknown,
    schema: z.ZodMiniType<T>,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<T> {
    const bytes = Buffer.from(JSON.stringify(body));
    return this.#post({ path, body: bytes, type: 'application/json', ...options }, schema);
  }

  async postBytes<T>(
    path: string,
    body: Uint8Array,
    schema: z.ZodMiniType<T>,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<T> {
    return this.#post({ path, body, type: 'application/octet-stream', ...options }, schema);
  }

  /** In the name of a tool: not with the token of this runner. @throws Refused when the server is in trouble, Unreachable */
  forward(call: Forwarded): Promise<Answer> {
    return this.#reach(call, (answer) => {
      if (answer.status > 499) throw readRefusal(answer.status, answer.text);
      return answer;
    });
  }

  #post<T>({ path, type, ...call }: Call, schema: z.ZodMiniType<T>): Promise<T> {
    const headers = {
      [runnerTokenHeader]: this.#token,
      'content-type': type,
      'content-length': call.body.length,
    };
    const request = { ...call, method: 'POST', path: `/internal/runners${path}`, headers };
    return this.#reach(request, ({ status, text }) => {
      if (status < 200 || status > 299) throw readRefusal(status, text);
      return z.parse(schema, text === '' ? null : JSON.parse(text));
    });
  }

  async #reach<T>(call: Forwarded, read: (answer: Answer) => T): Promise<T> {
    this.#url ??= this.#findUrl();
    if (this.#url === null) throw new Unreachable('the address of the server is not known');
    try {
      const answer = await this.#sendFresh(this.#url, call);
      this.#lastContact = performance.now();
      return read(answer);
    } catch (error) {
      // Given up by ourselves, or a word of a server that is well: the next call goes the same way.
      if (call.signal.aborted || (error instanceof Refused && error.status < 500)) throw error;
      this.#url = null;
      this.#turn += 1;
      if (error instanceof Refused || error instanceof Unreachable) throw error;
      throw new Unreachable(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /** A kept connection may have been closed by the server just now: that is no silence, and costs no pause. */
  async #sendFresh(base: string, call: Forwarded): Promise<Answer> {
    try {
      return await this.#send(base, call);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.#send(base, call);
    }
  }

  #send(base: string, call: Forwarded): Promise<Answer> {
    const url = new URL(`${base.replace(/\/+$/, '')}/api${call.path}`);
    const isSecure = url.protocol === 'https:';
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = { method: call.method, headers: call.headers, timeout: call.timeoutMs, signal: call.signal };
    const request = isSecure
      ? requestHttps(url, { ...options, agent: this.#https })
      : requestHttp(url, { ...options, agent: this.#http });
    request.on('timeout', () => request.destroy(new Unreachable('the server did not answer in time')));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    request.on('response', (answer) => {
      readBody(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    request.end(call.body);
    return promise;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}
