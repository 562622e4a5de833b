import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listVariables, loadConfig } from './config.ts';
import { StartRefusal } from './db/start-refusal.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-config-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, content: string): Promise<string> {
  const file = path.join(directory, name);
  await writeFile(file, content);
  return file;
}

function refusal(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof StartRefusal) return error.message;
    throw error;
  }
  throw new Error('Nothing was refused');
}

test('docs/configuration.md and the settings name the same variables', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `(SIGNALBOX_[A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(documented.toSorted()).toEqual(listVariables().toSorted());
});

test('without any variable the defaults hold', () => {
  expect(loadConfig({})).toMatchObject({
    listen: { host: '127.0.0.1', port: 3000 },
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    webHost: undefined,
    basePath: '',
    admin: { login: 'admin', password: undefined },
    demo: false,
    sessionLimits: { idleMs: 7 * 86_400_000, absoluteMs: 30 * 86_400_000 },
    maxParallelTasks: 10,
    runner: 'builtin',
    localRepositories: [],
    useRemoteRunner: true,
    premiumFeatures: { project_runners: true, terraform_backend: true },
  });
});

test('an empty variable counts as not set', () => {
  expect(loadConfig({ SIGNALBOX_LISTEN: '', SIGNALBOX_WEB_HOST: '' })).toEqual(loadConfig({}));
});

describe('a bad value is refused in one sentence with the name of its variable', () => {
  test.each([
    ['SIGNALBOX_LISTEN', '3000'],
    ['SIGNALBOX_LISTEN', 'localhost:99999'],
    ['SIGNALBOX_WEB_HOST', 'ops.example.org'],
    ['SIGNALBOX_WEB_HOST', 'ftp://ops.example.org'],
    ['SIGNALBOX_WEB_HOST', 'https://ops.example.org/?x=1'],
    ['SIGNALBOX_WEB_HOST', 'https://ops.example.org/a"b'],
    ['SIGNALBOX_DEMO', 'maybe'],
    ['SIGNALBOX_TRUSTED_PROXIES', '10.0.0.0/8,proxy.local'],
    ['SIGNALBOX_TRUSTED_PROXIES', '10.0.0.0/40'],
    ['SIGNALBOX_SESSION_IDLE_DAYS', '0'],
    ['SIGNALBOX_MAX_PARALLEL_TASKS', '-1'],
    ['SIGNALBOX_MAX_PARALLEL_TASKS', 'ten'],
    ['SIGNALBOX_RUNNER', 'none'],
    ['SIGNALBOX_LOCAL_REPOSITORIES', '/srv/git:relative'],
    ['SIGNALBOX_ENV_VARS', '{"A": 1}'],
    ['SIGNALBOX_ENV_VARS', '{"A B": "1"}'],
    ['SIGNALBOX_ENV_VARS', '[]'],
    ['SIGNALBOX_FORWARDED_ENV_VARS', '["A=B"]'],
    ['SIGNALBOX_DENIED_NETWORKS', '10.0.0.0/8,localhost'],
    ['SIGNALBOX_CONFIG', '/nowhere/signalbox.yaml'],
  ])('%s=%s', (name, value) => {
    const sentence = refusal({ [name]: value });
    expect(sentence.startsWith(`${name} `)).toBe(true);
    expect(sentence).toMatch(/^[^\n]+\.$/);
  });
});

test('what is set is read', () => {
  const config = loadConfig({
    PATH: '/bin',
    HOME: '/root',
    HTTP_PROXY: 'http://proxy:8080',
    SIGNALBOX_LISTEN: '[::1]:0',
    SIGNALBOX_WEB_HOST: 'https://ops.example.org/a/box/',
    SIGNALBOX_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1',
    SIGNALBOX_LOCAL_REPOSITORIES: '/srv/git:/home/git',
    SIGNALBOX_ENV_VARS: '{"ANSIBLE_NOCOWS":"1"}',
    SIGNALBOX_FORWARDED_ENV_VARS: '["HTTP_PROXY","NO_PROXY"]',
    SIGNALBOX_DEMO: 'true',
  });
  expect(config).toMatchObject({
    listen: { host: '::1', port: 0 },
    basePath: '/a/box',
    trustedProxies: ['loopback', '10.0.0.0/8', '::1'],
    localRepositories: ['/srv/git', '/home/git'],
    demo: true,
  });
  expect(config.toolEnv).toEqual({ ANSIBLE_NOCOWS: '1', HTTP_PROXY: 'http://proxy:8080' });
  expect(config.runnerEnv).toEqual({ PATH: '/bin' });
  expect(loadConfig({ SIGNALBOX_LISTEN: ':3000' }).listen).toEqual({ host: '::', port: 3000 });
});

test('a file holds the same settings, in YAML or JSON, and the environment wins', async () => {
  const yaml = await write(
    'signalbox.yaml',
    'max_parallel_tasks: 20\nlocal_repositories: [/srv/git]\nenv_vars: {A: b}\ndemo: true\nadmin: root\n',
  );
  expect(loadConfig({ SIGNALBOX_CONFIG: yaml, SIGNALBOX_ADMIN: 'boss' })).toMatchObject({
    maxParallelTasks: 20,
    localRepositories: ['/srv/git'],
    toolEnv: { A: 'b' },
    demo: true,
    admin: { login: 'boss' },
  });
  const json = await write('signalbox.json', '{"max_parallel_tasks": "7"}');
  expect(loadConfig({ SIGNALBOX_CONFIG: json }).maxParallelTasks).toBe(7);
});

test('a file with a word that is no setting, or with none at all, is refused', async () => {
  expect(refusal({ SIGNALBOX_CONFIG: await write('typo.yaml', 'max_paralel_tasks: 20') })).toContain(
    '"max_paralel_tasks"',
  );
  expect(refusal({ SIGNALBOX_CONFIG: await write('list.yaml', '- a') })).toContain('holds no settings');
  expect(refusal({ SIGNALBOX_CONFIG: await write('broken.yaml', '{') })).toContain('cannot be read');
});
