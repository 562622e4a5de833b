import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TaskItem, taskRoutes } from '@signalbox/contract/tasks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { missingForMount, mountSmallDisk, type SmallDisk } from './fixtures/small-disk.ts';
import { launch, readLog, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';
import { makeTempDir, type TempDir } from './fixtures/temp-dir.ts';
import { waitUntil } from './fixtures/wait.ts';

const missing = await missingForMount();

describe.skipIf(missing)(`a full disk under the data directory${because(missing)}`, () => {
  let disk: SmallDisk;
  let home: TempDir;
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  beforeAll(async () => {
    disk = await mountSmallDisk(64);
    home = await makeTempDir('full-disk');
    repository = await makeGitRepository({
      'short.sh': 'seq 1 500\n',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
      'long.sh': 'echo at work; until [ -e "${1#gate=}" ]; do sleep 0.1; done; seq 1 500; exit 0\n',
      'greedy.sh': 'head -c 100000000 /dev/zero > big\n',
    });
    const dataDir = join(disk.directory, 'data');
    await mkdir(dataDir);
    server = await startServer({ dataDir, localRepositories: [repository.parent] });
    await server.waitForRunner();
    api = await server.signIn();
    workshop = await makeWorkshop(api, `file://${repository.path}`);
  });
  afterAll(async () => {
    await disk?.makeRoom();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
    await disk?.[Symbol.asyncDispose]();
  });

  const readHealth = async (): Promise<number> => (await fetch(`${server.url}/healthz`)).status;

  test('a task that fills the disk fails alone, and what it has left is gone before the next one', async () => {
    const greedy = await launch(api, await addTemplate(api, workshop, { name: 'Greedy', playbook: 'greedy.sh' }));
    expect(await waitForEnd(api, greedy)).toMatchObject({ status: 'error' });
    expect((await readLog(api, greedy)).join('\n')).toContain('No space left on device');
    const short = await addTemplate(api, workshop, { name: 'Short', playbook: 'short.sh' });
    await waitForSuccess(api, await launch(api, short));
  });

  test('the server answers, refuses what it cannot store in one line, and goes on with everything when there is room', async () => {
    const pid = server.pid;
    const short = await addTemplate(api, workshop, { name: 'Short again', playbook: 'short.sh' });
    const gate = join(home.path, 'gate');
    const long = await addTemplate(api, workshop, { name: 'Long', playbook: 'long.sh' });
    const running = await launch(api, long, { environment: JSON.stringify({ gate }) });
    await waitForLine(api, running, 'at work');

    await disk.fill();
    await waitUntil('the server says that it cannot store', async () => (await readHealth()) === 503, 60_000);
    const path = `/project/${workshop.projectId}/tasks`;
    const refused = await api.send('POST', path, JSON.stringify({ template_id: short.id }));
    expect(refused.status).toBe(503);
    const sentence = 'The disk of the server is full: nothing can be stored until there is room';
    expect(JSON.parse(refused.text)).toMatchObject({ error: sentence, code: 'unavailable' });
    const read = await api.send('GET', path);
    expect(read.status).toBe(200);
    expect((JSON.parse(read.text) as TaskItem[]).some(({ id }) => id === running.task_id)).toBe(true);
    await writeFile(gate, '');

    await disk.makeRoom();
    await waitUntil('the server is well again', async () => (await readHealth()) === 200, 60_000);
    const ended = await waitForEnd(api, running, 90_000);
    const log = await readLog(api, running);
    if (ended.status === 'success') expect(log).toContain('500');
    else expect(ended.reason).toContain('the disk of the runner is full');
    await waitForSuccess(api, await launch(api, short), 90_000);
    const tasks = await api.call(taskRoutes.list, { params: { project_id: workshop.projectId } });
    expect(tasks.every(({ status }) => status === 'success' || status === 'error')).toBe(true);
    expect(server.pid).toBe(pid);
  });
});
