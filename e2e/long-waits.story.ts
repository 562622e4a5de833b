import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countingFiles, expectWholeCount, launchCount, waitForCount } from './fixtures/counting.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { findFreePort } from './fixtures/port.ts';
import { startPostgres } from './fixtures/postgres.ts';
import { isAlive, signal } from './fixtures/processes.ts';
import { makeWorkshop } from './fixtures/projects.ts';
import { startServer } from './fixtures/server.ts';
import { getTask, waitForSuccess, waitForTask } from './fixtures/tasks.ts';

/** Everything here takes more than a minute of waiting and next to no work, so it waits side by side. */
const minute = 60_000;
const limit = { timeout: 4 * minute };
/** A line every 10 ms for a minute. */
const lineCount = 6000;

let repository: GitRepository;
beforeAll(async () => {
  repository = await makeGitRepository(countingFiles);
});
afterAll(() => repository[Symbol.asyncDispose]());

describe.concurrent('kill -9 of the server in the middle of a task of a minute', limit, () => {
  test.each([
    ['the same port', false],
    ['another port', true],
  ])('and a start on %s: the task succeeds, its log is complete, in order, without duplicates', async (_, moves) => {
    await using server = await startServer({ localRepositories: [repository.parent] });
    const api = await server.signIn();
    const task = await launchCount(api, await makeWorkshop(api, repository.path), lineCount);
    await waitForCount(api, task, lineCount / 2);
    const runner = await server.waitForRunner();
    await server.kill();
    expect(isAlive(runner.pid)).toBe(true);
    await server.start(moves ? await findFreePort() : server.port);
    const again = await server.signIn();
    expect((await getTask(again, task)).status).toBe('running');
    await waitForSuccess(again, task, 2 * minute);
    await expectWholeCount(again, task, lineCount);
    expect((await server.waitForRunner()).pid).toBe(runner.pid);
  });
});

describe.concurrent('a runner that is stopped for a minute', limit, () => {
  test('is shown as unreachable, goes on when it is woken, and its log is complete', async () => {
    await using server = await startServer({ localRepositories: [repository.parent] });
    const api = await server.signIn();
    const workshop = await makeWorkshop(api, repository.path);
    const task = await launchCount(api, workshop, lineCount);
    await waitForCount(api, task, 100);
    const runner = await server.waitForRunner();
    signal(runner.pid, 'SIGSTOP');
    try {
      const woken = setTimeout(minute);
      const silent = await waitForTask(api, task, (shown) => shown.unreachable_since !== null, minute);
      expect(silent.status).toBe('running');
      await woken;
      expect((await getTask(api, task)).status).toBe('running');
    } finally {
      signal(runner.pid, 'SIGCONT');
    }
    await waitForTask(api, task, (shown) => shown.unreachable_since === null);
    await waitForSuccess(api, task, 2 * minute);
    await expectWholeCount(api, task, lineCount);
    const next = await launchCount(api, workshop, 10);
    await waitForSuccess(api, next);
    expect((await server.waitForRunner()).pid).toBe(runner.pid);
  });
});

describe.concurrent('PostgreSQL that is stopped for a minute', limit, () => {
  test('costs none of twenty running tasks a line, and all end in success', async () => {
    await using postgres = await startPostgres();
    await using server = await startServer({
      localRepositories: [repository.parent],
      env: { SIGNALBOX_DATABASE_URL: postgres.url, SIGNALBOX_MAX_PARALLEL_TASKS: '20' },
    });
    const api = await server.signIn();
    const workshop = await makeWorkshop(api, repository.path);
    // Every other one ends while the database is away.
    const lengths = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 400 : 200));
    const tasks = await Promise.all(lengths.map((lines) => launchCount(api, workshop, lines, 0.2)));
    for (const task of tasks) await waitForCount(api, task, 10);
    await postgres.stop();
    expect((await api.send('GET', '/projects')).status).toBeGreaterThanOrEqual(500);
    await setTimeout(minute);
    await postgres.start();
    // A server that has lost its database for a while is not restarted by anybody: it finds the way back by itself.
    for (const [index, task] of tasks.entries()) {
      await waitForSuccess(api, task, 2 * minute);
      await expectWholeCount(api, task, lengths[index] ?? 0);
    }
  });
});
