import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestAnswer, TestServer } from '../start-test-server.ts';
import type { Place } from './place.ts';
import type { Sample } from './sample.ts';
import { fillPath } from './samples.ts';
import type { NamedRoute } from './tables.ts';

/** The passwords of all samples, and what is stored of passwords, tokens and sealed texts. */
const secrets = /swordfish|argon2|token_hash|sb1:/;

/** Sends a sample with the headers that say who calls. @throws where the answer holds a secret, whatever was asked */
export async function send(
  { route }: NamedRoute,
  place: Place,
  sample: Sample,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  const path = fillPath(route.path, place, sample) + (sample.query === undefined ? '' : `?${sample.query}`);
  const answer = await place.server.call(route.method, path, {
    headers: { ...sample.headers, ...headers },
    ...(sample.body === undefined ? {} : { body: sample.body }),
  });
  if (secrets.test(answer.text)) throw new Error(`${route.method} ${path} answered with a secret: ${answer.text}`);
  return answer;
}

export type RawAnswer = { status: number; text: string; headers: NodeJS.Dict<string | string[]> };

/** Sends an address letter by letter over a connection: nothing on the way puts its dots and slashes right. */
export async function sendRaw(
  server: TestServer,
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<RawAnswer> {
  const { port } = server.http.fastify.server.address() as AddressInfo;
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return await new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: url, headers: { ...type, ...length, ...headers } };
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    sent.on('error', reject).end(bytes);
  });
}
