import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { family } from './fixtures/process-family.ts';
import { findMarked } from './fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { getTask, launch, readLog, stopTask, waitForEnd, waitForLine, waitForTask } from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

const files = {
  'stay.sh': `${family}\nwhile :; do sleep 1; done\n`,
  'leave.sh': `${family}\nexit 0\n`,
  'polite.sh': `trap 'echo asked to stop; exit 3' INT TERM\necho ready\nwhile :; do sleep 0.1; done\n`,
};

describe('a stop', () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;

  beforeAll(async () => {
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });

  async function launchFamily(playbook: string, mark: string) {
    const template = await addTemplate(api, workshop, {
      name: mark,
      playbook,
      arguments: JSON.stringify([mark]),
      stop_grace_seconds: 3,
    });
    const task = await launch(api, template);
    await waitForLine(api, task, 'family is there');
    return task;
  }

  const makeMark = () => `mark${randomBytes(6).toString('hex')}`;
  const needsRoot = missingFor('root');

  test.skipIf(needsRoot)(
    `ends a child that ignores TERM, a setsid grandchild and a daemon without environment${because(needsRoot)}`,
    async () => {
      const mark = makeMark();
      const task = await launchFamily('stay.sh', mark);
      expect(findMarked(mark).length).toBeGreaterThanOrEqual(4);
      await stopTask(api, task);
      const end = await waitForEnd(api, task);
      // Looked at once: what is final has no process, not even for a moment.
      expect(findMarked(mark)).toEqual([]);
      expect(end.status).toBe('stopped');
    },
  );

  test.skipIf(needsRoot)(`by force ends them all without waiting for the grace time${because(needsRoot)}`, async () => {
    const mark = makeMark();
    const task = await launchFamily('stay.sh', mark);
    await stopTask(api, task, true);
    const end = await waitForEnd(api, task);
    expect(findMarked(mark)).toEqual([]);
    expect(end.status).toBe('stopped');
    expect(end.stop_requested).toBe('force');
  });

  test.skipIf(needsRoot)(
    `is not needed for what a successful task leaves behind: its end takes it along${because(needsRoot)}`,
    async () => {
      const mark = makeMark();
      const task = await launchFamily('leave.sh', mark);
      const end = await waitForEnd(api, task);
      expect(findMarked(mark)).toEqual([]);
      expect(end.status).toBe('success');
      expect((await readLog(api, task)).join('\n')).toMatch(/ended \d+ process/i);
    },
  );

  test('lets the tool end by itself, and is recorded as stopped whatever its exit code', async () => {
    const task = await launch(api, await addTemplate(api, workshop, { name: 'Polite', playbook: 'polite.sh' }));
    await waitForLine(api, task, 'ready');
    await stopTask(api, task);
    const end = await waitForEnd(api, task);
    expect(end.status).toBe('stopped');
    expect(await readLog(api, task)).toContain('asked to stop');
  });

  test('of a waiting task takes effect at once, and the task never starts', async () => {
    const template = await addTemplate(api, workshop, { name: 'One at a time', playbook: 'polite.sh' });
    const first = await launch(api, template);
    await waitForLine(api, first, 'ready');
    const second = await launch(api, template);
    const waiting = await waitForTask(api, second, (task) => task.waiting_reason !== null);
    expect(waiting.waiting_reason?.code).toBe('template_busy');
    expect(waiting.waiting_reason?.blockers).toEqual([first.task_id]);
    await stopTask(api, second);
    expect(await getTask(api, second)).toMatchObject({ status: 'stopped', start: null });
    await stopTask(api, first, true);
    await waitForEnd(api, first);
    const again = await api.send('POST', `/project/${workshop.projectId}/tasks/${second.task_id}/stop`, '{}');
    expect(again.status).toBe(409);
  });

  test('of a task that clones from a silent server ends git and the task', async () => {
    const silent = await listenInSilence();
    const key = (await api.call(keyRoutes.list, { params: { project_id: workshop.projectId } }))[0];
    const url = `git://127.0.0.1:${silent.port}/never`;
    const { id } = await api.call(repositoryRoutes.create, {
      params: { project_id: workshop.projectId },
      body: { name: 'Silent', git_url: url, git_branch: 'main', ssh_key_id: key?.id ?? 0 },
    });
    const template = await addTemplate(api, workshop, { name: 'Clone', playbook: 'x.sh', repository_id: id });
    const task = await launch(api, template);
    await waitUntil('git calls the silent server', () => findMarked(url).length > 0);
    expect((await getTask(api, task)).status).toBe('starting');
    await stopTask(api, task);
    const end = await waitForEnd(api, task);
    expect(findMarked(url)).toEqual([]);
    expect(end).toMatchObject({ status: 'stopped', commit_hash: null });
    silent.close();
  });
});

/** A server that accepts and says nothing. */
async function listenInSilence(): Promise<{ port: number; close(): void }> {
  const server: Server = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return { port: address.port, close: () => server.close() };
}
