import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aRepository, aTemplate, type TestProject } from '../test/factories.ts';
import { aSchedule, listEvents, listTasks, readSchedule } from '../test/schedule-world.ts';
import { type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let code: string;

const patience = { timeout: 40_000, interval: 100 };

beforeEach(async () => {
  database = await openTestDatabase();
  code = path.join(database.dataDir, 'code');
  mkdirSync(code);
  git('init', '-q', '-b', 'main');
  const script = path.join(code, 'hello.sh');
  writeFileSync(script, '#!/bin/bash\ngit rev-parse HEAD\n');
  chmodSync(script, 0o755);
  git('add', '.');
  commit();
  const settings = { runner: 'builtin', localRepositories: [code], leaveAfterSeconds: 2 } as const;
  server = await startEngineServer({ database, settings });
  project = await aProject(server);
}, 60_000);
afterEach(async () => {
  await server.engine.stopRunning();
  await server.stop();
}, 60_000);

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', ['-C', code, ...identity, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(): string {
  git('commit', '-q', '--allow-empty', '-m', 'Another commit');
  return git('rev-parse', 'HEAD');
}

async function aCheck(): Promise<number> {
  const repository_id = await aRepository(server, project, code);
  const template_id = await aTemplate(server, project, { repository_id });
  return await aSchedule(server, project, { template_id, repository_id, cron_format: '@every 1s' });
}

/** So many looks are over. */
async function lookTimes(id: number, count: number): Promise<void> {
  const seen = new Set<string | null>();
  const note = async () => seen.add((await readSchedule(server, project, id)).last_run).size;
  await expect.poll(note, { ...patience, interval: 50 }).toBeGreaterThan(count);
}

test('a new commit of exactly the branch runs, by the real runner, and none of a branch whose name ends like it', async () => {
  git('branch', 'feature/main');
  git('tag', 'refs/heads/main');
  const id = await aCheck();
  await lookTimes(id, 2);
  git('checkout', '-q', 'feature/main');
  commit();
  git('checkout', '-q', 'main');
  await lookTimes(id, 2);
  expect(await listTasks(server, id)).toEqual([]);
  const hash = commit();
  await expect
    .poll(async () => (await listTasks(server, id)).map((task) => task.status), patience)
    .toEqual(['success']);
  const [task] = await listTasks(server, id);
  expect(task?.commit_hash).toBe(hash);
  await lookTimes(id, 2);
  expect(await listTasks(server, id)).toHaveLength(1);
}, 120_000);

test('a branch that is not there is told once, in words for a person', async () => {
  git('branch', '-m', 'main', 'other');
  const id = await aCheck();
  await lookTimes(id, 3);
  expect(await listTasks(server, id)).toEqual([]);
  expect(await listEvents(server, id)).toEqual(['Schedule Night started no task: The repository has no branch "main"']);
}, 120_000);
