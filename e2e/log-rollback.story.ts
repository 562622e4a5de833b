import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingFiles, expectWholeCount, launchCount, waitForCount } from './fixtures/counting.ts';
import { makeGitRepository } from './fixtures/git-repository.ts';
import { makeWorkshop } from './fixtures/projects.ts';
import { startServer } from './fixtures/server.ts';
import { waitForSuccess } from './fixtures/tasks.ts';

const lineCount = 1200;

/** The embedded log file, with what belongs to it. */
const listLogFiles = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.startsWith('logs.db'));

test('a log file that has lost its last seconds in a power failure gets them again from the spool of the runner', async () => {
  await using repository = await makeGitRepository(countingFiles);
  await using server = await startServer({ localRepositories: [repository.parent] });
  const api = await server.signIn();
  const task = await launchCount(api, await makeWorkshop(api, repository.path), lineCount);
  await waitForCount(api, task, 50);
  const copy = join(repository.parent, 'before');
  await mkdir(copy);
  await server.kill();
  for (const name of await listLogFiles(server.dataDir)) await copyFile(join(server.dataDir, name), join(copy, name));
  await server.start();
  // Ten chunks a second or more: the copy lacks at least the last fifty that were acknowledged.
  await waitForCount(await server.signIn(), task, 800);
  await server.kill();
  for (const name of await listLogFiles(server.dataDir)) await rm(join(server.dataDir, name));
  for (const name of await readdir(copy)) await copyFile(join(copy, name), join(server.dataDir, name));
  await server.start();
  const after = await server.signIn();
  expect(await waitForSuccess(after, task)).toMatchObject({ reason: '' });
  await expectWholeCount(after, task, lineCount);
});
