import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { projectRoutes } from '@signalbox/contract/projects';
import { systemRoutes } from '@signalbox/contract/system';
import type { TaskItem } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { countingFiles, expectWholeCount, launchCount } from './fixtures/counting.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { findMarked, findUsersOf, signal } from './fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { makeServer, type SignalboxServer, startServer } from './fixtures/server.ts';
import { getTask, launch, readLog, stopTask, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';
import { makeTempDir } from './fixtures/temp-dir.ts';
import { waitUntil } from './fixtures/wait.ts';

/** A line every 10 ms; what takes a minute is in long-waits.story.ts. */
const lineCount = 600;

const files = {
  ...countingFiles,
  'wait.sh': `(exec -a "$1-child" sleep 600) & echo ready; wait\n`,
  'short.sh': 'echo short\n',
};

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

describe('kill -9 of the server in the middle of a task', () => {
  test('three times, and the log still misses nothing', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop, lineCount);
    await waitForLine(api, task, 'number 50');
    for (let round = 0; round < 3; round += 1) {
      await server.kill();
      await server.start();
      await waitForLine(await server.signIn(), task, `number ${150 * (round + 1)}`);
    }
    const again = await server.signIn();
    await waitForSuccess(again, task, 120_000);
    await expectWholeCount(again, task, lineCount);
  });

  test('that ends while no server is there: the next server learns the truth', async () => {
    const { server, api, workshop } = await prepare();
    await using _server = server;
    const task = await launchCount(api, workshop, lineCount);
    await waitForLine(api, task, 'number 100');
    await server.kill();
    await waitUntil(
      'the script is done',
      () => !findUsersOf(server.dataDir).some((entry) => entry.command.includes('count.py')),
    );
    await server.start();
    const again = await server.signIn();
    await waitForSuccess(again, task);
    await expectWholeCount(again, task, lineCount);
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
    const task = await launchCount(api, workshop, lineCount);
    await waitForLine(api, task, 'number 100');
    server.interrupt();
    await server.waitForExit();
    expect(server.output.trim().split('\n').at(-1)).toMatch(/\b1 task\b/);
    expect(server.findRunners()).toHaveLength(1);
    await server.start();
    const again = await server.signIn();
    await waitForSuccess(again, task, 120_000);
    await expectWholeCount(again, task, lineCount);
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

test('a data directory that is moved keeps all that is in it, and the demo project still runs', async () => {
  await using home = await makeTempDir('moved');
  const options = { env: { SIGNALBOX_DEMO: '1' } };
  const [before, after] = ['before', 'after'].map((name) => join(home.path, name));
  await using first = await startServer({ ...options, dataDir: before ?? '' });
  await launchDemo(await first.signIn());
  await first.stop();
  await rename(before ?? '', after ?? '');
  await using second = await startServer({ ...options, dataDir: after ?? '' });
  const api = await second.signIn();
  expect(await launchDemo(api)).toMatchObject({ status: 'success', id: 2 });
});

/** Runs a short template of the demo project to its end. */
async function launchDemo(api: Api): Promise<TaskItem> {
  const [project] = await api.call(projectRoutes.list, {});
  const params = { project_id: project?.id ?? 0 };
  const template = (await api.call(templateRoutes.list, { params })).find(({ name }) => name === 'Use a secret');
  if (template === undefined) throw new Error('the demo project has lost a template');
  return waitForSuccess(api, await launch(api, template));
}

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
