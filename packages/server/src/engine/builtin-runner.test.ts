import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aRepository, aTemplate, type TestProject } from '../test/factories.ts';
import { type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let repository: string;

const patience = { timeout: 30_000, interval: 50 };

beforeEach(async () => {
  database = await openTestDatabase();
  repository = aGitRepository(database.dataDir);
  server = await startWithRunner();
  project = await aProject(server);
}, 60_000);
afterEach(async () => {
  await server.engine.stopRunning();
  await server.halt();
  // It is told to end, and clears up first.
  await expect.poll(listRunners, patience).toEqual([]);
  await database.remove();
}, 60_000);

/** The built-in runner leaves soon when nobody answers it, so that no test leaves one behind. */
function startWithRunner(): Promise<EngineServer> {
  return startEngineServer({
    database,
    settings: { runner: 'builtin', localRepositories: [repository], leaveAfterSeconds: 2 },
  });
}

function aGitRepository(dataDir: string): string {
  const directory = path.join(dataDir, 'code');
  mkdirSync(directory);
  const scripts = {
    'hello.sh': 'echo "Hello from $SIGNALBOX_TASK_ID"; git rev-parse HEAD; echo to-stderr > /dev/stderr',
    'count.sh':
      'stop=$(cut -d= -f2 <<<"$1"); for i in $(seq 1 100000); do echo "line $i"; sleep 0.02; [ -e "$stop" ] && exit 0; done',
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(directory, name), `#!/bin/bash\n${script}\n`);
    chmodSync(path.join(directory, name), 0o755);
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '-m', 'First scripts');
  return directory;
}

async function launch(playbook: string, environment: Record<string, string> = {}): Promise<number> {
  const repository_id = await aRepository(server, project, repository);
  const template_id = await aTemplate(server, project, { playbook, repository_id });
  const { status, body, text } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id, environment: JSON.stringify(environment) },
    session: project.owner.session,
  });
  expect(status, text).toBe(201);
  return body.id;
}

const place = (taskId: number) => ({ project_id: project.id, task_id: taskId });

async function read(taskId: number) {
  const { body } = await server.ask(taskRoutes.get, { params: place(taskId), session: project.guest.session });
  return body;
}

async function readLines(taskId: number): Promise<string[]> {
  const { body } = await server.ask(taskRoutes.log, { params: place(taskId), session: project.guest.session });
  return body.lines.map((line) => line.output);
}

const countLines = async (taskId: number) => (await readLines(taskId)).filter((line) => /^line \d+$/.test(line)).length;

/** Runner processes of this data directory. */
function listRunners(): number[] {
  const pids = spawnSync('pgrep', ['-f', path.join('runner', 'src', 'main.ts')], { encoding: 'utf8' }).stdout;
  return pids
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)
    .filter(isOfThisTest);
}

function findRunner(): number {
  const [pid] = listRunners();
  if (pid === undefined) throw new Error('No runner is there');
  return pid;
}

function isOfThisTest(pid: number): boolean {
  try {
    return execFileSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' }).includes(database.dataDir);
  } catch {
    return false; // it has ended meanwhile
  }
}

/** Processes that work in a directory of a task. */
function listTaskProcesses(): string[] {
  const tasks = path.join(database.dataDir, 'runner', 'tasks');
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(tasks);
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

describe('the built-in runner', () => {
  test('runs a Bash task to success, with its log and the commit that ran', async () => {
    const taskId = await launch('hello.sh');
    await expect.poll(async () => (await read(taskId)).status, patience).toBe('success');
    const task = await read(taskId);
    const lines = await readLines(taskId);
    expect(task.commit_hash).toMatch(/^[0-9a-f]{40}$/);
    expect(task.commit_message).toBe('First scripts');
    expect(task.runner_id).toBeNull();
    expect(lines).toContain(`Hello from ${taskId}`);
    expect(lines).toContain(task.commit_hash);
    expect(lines).toContain('to-stderr');
  });

  test('tests a repository for the server, which runs no git', async () => {
    const repositoryId = await aRepository(server, project, repository);
    const test = { projectId: project.id, kind: 'repository_test', repositoryId } as const;
    expect(await server.engine.askRunner(test)).toMatchObject({ ok: true });
    const head = await server.engine.askRunner({ ...test, kind: 'remote_head' });
    expect(head).toMatchObject({ ok: true, text: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const missing = await aRepository(server, project, path.join(repository, 'nothing'));
    expect(await server.engine.askRunner({ ...test, repositoryId: missing })).toMatchObject({ ok: false });
  });

  test('gets nothing of the environment of the server but what is listed', async () => {
    await expect.poll(async () => (await server.engine.readFacts()).problems, patience).toEqual([]);
    const environ = readFileSync(`/proc/${findRunner()}/environ`, 'utf8');
    const names = environ.split('\0').flatMap((pair) => (pair === '' ? [] : [pair.split('=', 1)[0]]));
    expect(names).toEqual(['PATH']);
    const command = readFileSync(`/proc/${findRunner()}/cmdline`, 'utf8').split('\0').filter(Boolean);
    expect(command.slice(3)).toEqual(['--built-in']);
  });
});

describe('kill -9 of the runner', () => {
  test('ends its task as lost, with no process left, and the next task runs', async () => {
    const taskId = await launch('count.sh', { STOP_FILE: '/nonexistent' });
    await expect.poll(() => countLines(taskId), patience).toBeGreaterThan(5);
    expect(listTaskProcesses()).not.toEqual([]);
    const pid = findRunner();
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await read(taskId)).status, patience).toBe('error');
    expect((await read(taskId)).reason).toContain('runner lost');
    expect(listTaskProcesses()).toEqual([]);
    const next = await launch('hello.sh');
    await expect.poll(async () => (await read(next)).status, patience).toBe('success');
    expect(findRunner()).not.toBe(pid);
  }, 60_000);
});

describe('a restart of the server', () => {
  test('leaves a running task to its runner, and finds both again', async () => {
    const stopFile = path.join(database.dataDir, 'stop');
    const taskId = await launch('count.sh', { STOP_FILE: stopFile });
    await expect.poll(() => countLines(taskId), patience).toBeGreaterThan(5);
    const pid = findRunner();
    expect(await server.engine.countRunning()).toBe(1);
    await server.halt();

    server = await startWithRunner();
    const before = await countLines(taskId);
    await expect.poll(() => countLines(taskId), patience).toBeGreaterThan(before + 20);
    expect(findRunner()).toBe(pid);
    writeFileSync(stopFile, '');
    await expect.poll(async () => (await read(taskId)).status, patience).toBe('success');
    const numbers = (await readLines(taskId))
      .filter((line) => line.startsWith('line '))
      .map((line) => Number(line.slice(5)));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
  }, 60_000);
});
