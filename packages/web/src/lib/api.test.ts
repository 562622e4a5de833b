import { userRoutes } from '@signalbox/contract/users';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from './api.ts';
import { describeError } from './failure.ts';

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'http://box.example/ops/' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The words for a call that is answered so. */
async function wordsOf(answer: () => Response): Promise<string> {
  vi.stubGlobal('fetch', async () => answer());
  const failure: unknown = await call(userRoutes.current).then(
    () => undefined,
    (error: unknown) => error,
  );
  return describeError(failure);
}

test('a failure is told in the words of the server, else of the failure itself, with the status where there are none', async () => {
  const refusal = JSON.stringify({ error: 'Username is taken', code: 'conflict' });
  expect(await wordsOf(() => new Response(refusal, { status: 409 }))).toBe('Username is taken');
  expect(await wordsOf(() => new Response('<html>', { status: 401, statusText: 'Unauthorized' }))).toBe(
    'The server answered 401 Unauthorized.',
  );
  const words = await wordsOf(() => {
    throw new TypeError('failed to fetch');
  });
  expect(words).toBe('The server cannot be reached.');
  expect(describeError(new Error('It broke'))).toBe('It broke');
});

test('a call goes to the method and path of its route, under the base path', async () => {
  const asked: [string, string | undefined, unknown][] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    asked.push([url, method, body]);
    return new Response(JSON.stringify({}), { status: 200 });
  });
  const input = { name: 'Ada', username: 'ada', email: 'ada@example.com' };
  await call(userRoutes.create, { body: { ...input, password: 'lovelace' } });
  await call(userRoutes.update, { params: { user_id: 7 }, body: input });
  expect(asked).toEqual([
    ['/ops/api/users', 'POST', JSON.stringify({ ...input, password: 'lovelace' })],
    ['/ops/api/users/7', 'PUT', JSON.stringify(input)],
  ]);
});
