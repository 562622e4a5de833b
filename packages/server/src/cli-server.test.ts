import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The command line beside the program itself, each a process of its own. */

let home: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'signalbox-cli-'));
  server = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], { env: settings(), stdio: 'pipe' });
  url = await waitForUrl(server);
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(home, { recursive: true, force: true });
});

function settings(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    SIGNALBOX_DATA: path.join(home, 'data'),
    SIGNALBOX_LISTEN: '127.0.0.1:0',
    SIGNALBOX_RUNNER: 'external',
    SIGNALBOX_ADMIN_PASSWORD: 'first-password',
  };
}

async function waitForUrl({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of stdout ?? []) {
    text += String(part);
    const found = /URL\s+(http:\S+)\n[\s\S]*\n\n/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`The server ended: ${text}`);
}

async function runCommand(words: string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'cli.ts'), ...words], { env: settings() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([0, output]);
  return output;
}

type Answer = { status: number; cookie: string; body: unknown };

async function ask(method: string, route: string, cookie = '', body?: object): Promise<Answer> {
  const answer = await fetch(`${url}/api${route}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return {
    status: answer.status,
    cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '',
    body: isJson ? await answer.json() : undefined,
  };
}

const signIn = (auth: string, password: string) => ask('POST', '/auth/login', '', { auth, password });

test('whom the command line adds signs in at once, and whom it deletes is signed out at once', async () => {
  await runCommand(['user', 'add', '--login', 'eve', '--name', 'Eve', '--email', 'eve@example.org'], 'secret\n');
  const { status, cookie } = await signIn('eve', 'secret');
  expect(status).toBe(204);
  await runCommand(['user', 'change-password', '--login', 'eve'], 'other\n');
  expect((await ask('GET', '/user', cookie)).status).toBe(401);
  const again = await signIn('eve', 'other');
  await runCommand(['user', 'delete', '--login', 'eve']);
  expect((await ask('GET', '/user', again.cookie)).status).toBe(401);
});

test('a running server reads what a change of the key has sealed, and seals with the new key, without a restart', async () => {
  const { cookie } = await signIn('admin', 'first-password');
  const user = (await ask('GET', '/user', cookie)).body as { id: number };
  const totp = (await ask('POST', `/users/${user.id}/2fas/totp`, cookie)).body as { id: number };
  const file = path.join(home, 'data', 'encryption.key');
  const before = await readFile(file, 'utf8');
  expect(await runCommand(['rekey'])).toMatch(/All secrets are sealed with the key \w{8} \(1 changed\)/);
  expect(await readFile(file, 'utf8')).toContain(before.trim());
  // The image is made of the secret.
  const picture = await ask('GET', `/users/${user.id}/2fas/totp/${totp.id}/qr`, cookie);
  expect(picture.status).toBe(200);
  const project = (await ask('POST', '/projects', cookie, { name: 'P' })).body as { id: number };
  const key = { name: 'k', type: 'login_password', login_password: { login: 'a', password: 'b' } };
  expect((await ask('POST', `/project/${project.id}/keys`, cookie, key)).status).toBe(201);
  const [keyId] = (await readFile(file, 'utf8')).split(':');
  const database = new DatabaseSync(path.join(home, 'data', 'state.db'), { readOnly: true });
  const row = database.prepare("select secret from key where name = 'k'").get();
  database.close();
  expect(String(row?.secret).split(':')[1]).toBe(keyId);
  expect(await runCommand(['user', 'get', '--login', 'admin'])).toMatch(/two-step +on/);
  await runCommand(['user', 'remove-totp', '--login', 'admin']);
  expect((await ask('GET', '/user', cookie)).body).toMatchObject({ totp: null });
  expect((await signIn('admin', 'first-password')).status).toBe(204);
});
