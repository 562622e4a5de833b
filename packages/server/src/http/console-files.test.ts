import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';

const page = `<!doctype html><html><head>
    <base href="/" />
    <meta name="csp-nonce" content="" />
    <meta name="visitor" content="" />
    <script type="module" src="./assets/app-1234.js"></script></head><body></body></html>`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-console-'));
  await mkdir(path.join(directory, 'assets'));
  await writeFile(path.join(directory, 'index.html'), page);
  await writeFile(path.join(directory, 'assets/app-1234.js'), 'console.log(1)'.repeat(200));
  await writeFile(path.join(directory, 'assets/app-1234.js.gz'), gzipSync('console.log(1)'.repeat(200)));
  await writeFile(path.join(directory, 'favicon.svg'), '<svg/>');
});
afterAll(() => rm(directory, { recursive: true }));

describe.each([
  { env: {}, base: '' },
  { env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/a/signalbox/' }, base: '/a/signalbox' },
  { env: { SIGNALBOX_WEB_HOST: 'https://ops.example.org/v1.2' }, base: '/v1.2' },
])('the console under "$base"', ({ env, base }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env, consoleDirectory: directory });
  });
  afterAll(() => server.stop());

  test('is one page for every address without a dot, with the base path and a nonce of its own', async () => {
    const first = await server.fetch('GET', `${base}/`);
    const second = await server.fetch('GET', `${base}/project/3/history?t=4`);
    const bare = base === '' ? first : await server.fetch('GET', base);
    for (const answer of [first, second, bare]) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).toContain(`<base href="${base}/" />`);
    }
    const nonce = /csp-nonce" content="([^"]{20,})"/.exec(first.text)?.[1];
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(second.text).not.toContain(String(nonce));
  });

  test('the page is never sent with its placeholders', async () => {
    for (const file of ['/index.html', '//index.html', '/./index.html', '/%69ndex.html']) {
      expect((await server.fetch('GET', base + file)).text).not.toContain('content=""');
    }
  });

  test('the page says that nobody is signed in where there is no session, and that it is unknown where there may be one', async () => {
    const headers = { cookie: 'signalbox=something' };
    expect((await server.fetch('GET', `${base}/`)).text).toContain('<meta name="visitor" content="signed-out" />');
    expect((await server.fetch('GET', `${base}/`, { headers })).text).toContain(
      '<meta name="visitor" content="unknown" />',
    );
  });

  test('files with a hash are kept for ever and sent compressed, others are asked for again', async () => {
    const asset = await server.fetch('GET', `${base}/assets/app-1234.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(asset.status).toBe(200);
    expect(asset.headers['content-encoding']).toBe('gzip');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['x-content-type-options']).toBe('nosniff');
    const icon = await server.fetch('GET', `${base}/favicon.svg`);
    expect(icon.headers['cache-control']).toBe('no-cache');
  });

  test('a file that is not there is 404 and no page', async () => {
    for (const file of ['/assets/gone-1.js', '/.env', '/assets/../../package.json', '/%2e%2e/%2e%2e/etc/passwd.x']) {
      const answer = await server.fetch('GET', base + file);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain('<html');
    }
  });

  test('the page is not there for changes', async () => {
    expect((await server.fetch('POST', `${base}/project/3`)).status).toBe(404);
  });

  test('the API answers under it', async () => {
    expect((await server.fetch('GET', `${base}/api/ping`)).text).toBe('pong');
    expect((await server.fetch('GET', `${base}/api/none`)).status).toBe(404);
  });
});

describe('a base path', () => {
  let server: TestServer;
  beforeAll(async () => {
    const env = { SIGNALBOX_WEB_HOST: 'https://ops.example.org/box' };
    server = await startTestServer({ env, consoleDirectory: directory });
  });
  afterAll(() => server.stop());

  test('is where everything is, and nothing is beside it', async () => {
    expect((await server.fetch('GET', '/api/ping')).status).toBe(404);
    expect((await server.fetch('GET', '/boxes')).status).toBe(404);
    expect((await server.fetch('GET', '/box')).status).toBe(200);
    const root = await server.fetch('GET', '/');
    expect([root.status, root.headers.location]).toEqual([302, '/box/']);
  });
});

test('without a built console the page says how to build it', async () => {
  const server = await startTestServer({ consoleDirectory: path.join(directory, 'nothing') });
  const answer = await server.fetch('GET', '/');
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('npm run build');
  await server.stop();
});
