import { setTimeout } from 'node:timers/promises';
import { systemRoutes } from '@signalbox/contract/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { findFreePort } from './fixtures/port.ts';
import { findMarked, findUsersOf, isAlive, signal } from './fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { makeServer, type SignalboxServer, startServer } from './fixtures/server.ts';
import {
  getTask,
  launch,
  readLog,
  stopTask,
  type TaskPlace,
  waitForEnd,
  waitForLine,
  waitForSuccess,
} from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

/** A line every 10 ms; LONG=1 makes it a minute. */
const lineCount = process.env.LONG === '1' ? 6_000 : 600;

const files = {
  'count.py': `
import sys, time
begin = time.monotonic()
for number in range(1, int(sys.argv[1]) + 1):
    print('number', number, flush=True)
    time.sleep(max(0, begin + number * 0.01 - time.monotonic()))
`,
  'wait.sh': `(exec -a "$1-child" sleep 600) & echo ready; wait\n`,
  'short.sh': 'echo short\n',
};

const numbers = (lines: string[]): string[] => lines.filter((line) => line.startsWith('number '));
const allNumbers = Array.from({ length: lineCount }, (_, index) => `number ${index + 1}`);

let repository: GitRepository;
beforeAll(async () => {
  repository = await makeGitRepository(files);
});
afterAll(() => repository[Symbol.asyncDispose]());

/** A server with one template that counts, ready to be ended in every way. */
async function prepare(): Promise<{ server: SignalboxServer; api: Api; workshop: Workshop }> {
  const server = await startServer({ localRepositories: [repository.parent] });
  try {
    const api = await server.signIn();
    return { server, api, workshop: await makeWorkshop(api, repository.path) };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

function launchCount(api: Api, workshop: Workshop): Promise<TaskPlace> {
  return addTemplate(api, workshop, {
    name: `Count ${Math.random()}`,
    app: 'python',
    playbook: 'count.py',
    arguments: JSON.stringify([String(lineCount)]),
  }).then((template) => launch(api, template));
}

describe('kill -9 of the server in the middle of a task', () => {
  test.each([
    ['the same port', false],
    ['another port', true],
  ])('and a start on %s: the task succeeds, its log is complete, in order, without duplicates', async (_, moves) => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop);
    await waitForLine(api, task, `number ${Math.floor(lineCount / 4)}`);
    const runner = await server.waitForRunner();
    await server.kill();
    expect(isAlive(runner.pid)).toBe(true);
    await server.start(moves ? await findFreePort() : server.port);
    const again = await server.signIn();
    expect((await getTask(again, task)).status).toBe('running');
    await waitForSuccess(again, task, 120_000);
    expect(numbers(await readLog(again, task))).toEqual(allNumbers);
    expect((await server.waitForRunner()).pid).toBe(runner.pid);
  });

  test('three times, and the log still misses nothing', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop);
    await waitForLine(api, task, 'number 50');
    for (let round = 0; round < 3; round += 1) {
      await server.kill();
      await server.start();
      await waitForLine(await server.signIn(), task, `number ${150 * (round + 1)}`);
    }
    const again = await server.signIn();
    await waitForSuccess(again, task, 120_000);
    expect(numbers(await readLog(again, task))).toEqual(allNumbers);
  });

  test('that ends while no server is there: the next server learns the truth', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop);
    await waitForLine(api, task, 'number 100');
    await server.kill();
    await waitUntil(
      'the script is done',
      () => !findUsersOf(server.dataDir).some((entry) => entry.command.includes('count.py')),
    );
    await server.start();
    const again = await server.signIn();
    await waitForSuccess(again, task);
    expect(numbers(await readLog(again, task))).toEqual(allNumbers);
  });
});

test('a second server on the same data directory is refused in one sentence', async () => {
  await using server = await startServer();
  const second = await makeServer({ dataDir: server.dataDir });
  await expect(second.start()).rejects.toThrow();
  expect((await second.waitForExit()).code).toBe(1);
  expect(second.output.trim().split('\n')).toHaveLength(1);
  expect(second.output).toContain(server.dataDir);
  await server.signIn();
});

test('kill -9 of the runner: its tasks are error, "runner lost", their processes are ended, the next task runs', async () => {
  const { server, api, workshop } = await prepare();
  await using _server = server;
  const mark = 'mark-runner-kill';
  const template = await addTemplate(api, workshop, {
    name: 'Wait',
    playbook: 'wait.sh',
    arguments: JSON.stringify([mark]),
  });
  const task = await launch(api, template);
  await waitForLine(api, task, 'ready');
  const runner = await server.waitForRunner();
  signal(runner.pid, 'SIGKILL');
  const end = await waitForEnd(api, task, 30_000);
  expect(end.status).toBe('error');
  expect(end.reason).toContain('runner lost');
  expect(findMarked(mark)).toEqual([]);
  expect((await readLog(api, task)).join('\n')).toContain('ready');
  const next = await launch(api, await addTemplate(api, workshop, { name: 'Short', playbook: 'short.sh' }));
  await waitForSuccess(api, next);
  expect((await server.waitForRunner()).pid).not.toBe(runner.pid);
});

describe('Ctrl-C', () => {
  test('ends an idle server and its runner', async () => {
    const { server, api } = await prepare();
    await using _server = server;
    await waitUntil('the runner has called in', async () => {
      return (await api.call(systemRoutes.state, {})).tools.length > 0;
    });
    server.interrupt();
    expect((await server.waitForExit()).code).toBe(0);
    await waitUntil('the runner is gone', () => server.findRunners().length === 0);
  });

  test('with a running task ends the server and says how many go on; the next start shows the whole run', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop);
    await waitForLine(api, task, 'number 100');
    server.interrupt();
    await server.waitForExit();
    expect(server.output.trim().split('\n').at(-1)).toMatch(/\b1 task\b/);
    expect(server.findRunners()).toHaveLength(1);
    await server.start();
    const again = await server.signIn();
    await waitForSuccess(again, task, 120_000);
    expect(numbers(await readLog(again, task))).toEqual(allNumbers);
  });

  test('twice stops the tasks, and leaves no process', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const mark = 'mark-twice';
    const template = await addTemplate(api, workshop, {
      name: 'Wait',
      playbook: 'wait.sh',
      arguments: JSON.stringify([mark]),
      stop_grace_seconds: 2,
    });
    const task = await launch(api, template);
    await waitForLine(api, task, 'ready');
    server.interrupt();
    // Two signals in the same moment are one act: of npm and the terminal. A person takes longer.
    await setTimeout(500);
    server.interrupt();
    await server.waitForExit();
    await waitUntil(
      'nothing is left',
      () => findMarked(mark).length === 0 && server.findRunners().length === 0,
      60_000,
    );
    await server.start();
    const end = await getTask(await server.signIn(), task);
    expect(end.status).toBe('stopped');
  });
});

test('a stop that was asked for while the runner was away is obeyed when it is back', async () => {
  const { server, api, workshop } = await prepare();
  await using _server = server;
  const template = await addTemplate(api, workshop, {
    name: 'Wait',
    playbook: 'wait.sh',
    arguments: JSON.stringify(['mark-paused']),
    stop_grace_seconds: 2,
  });
  const task = await launch(api, template);
  await waitForLine(api, task, 'ready');
  const runner = await server.waitForRunner();
  signal(runner.pid, 'SIGSTOP');
  await stopTask(api, task);
  expect((await getTask(api, task)).status).toBe('stopping');
  signal(runner.pid, 'SIGCONT');
  expect((await waitForEnd(api, task)).status).toBe('stopped');
});
