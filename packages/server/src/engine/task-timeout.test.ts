import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeRepository } from '../demo/git-repository.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aRepository, aTemplate, type TestProject } from '../test/factories.ts';
import { type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let code: string;

const patience = { timeout: 40_000, interval: 50 };
/** Found in the command line of what the task starts, wherever that goes. */
const mark = `31${process.pid}`;
// Two children: one that ends with its group, and one that has left it.
const script = `#!/bin/bash
sleep ${mark} &
setsid sleep ${mark} > /dev/null 2>&1 &
echo begun
sleep ${mark}
`;

beforeEach(async () => {
  database = await openTestDatabase();
  code = path.join(database.dataDir, 'code');
  const file = { path: 'slow.sh', content: Buffer.from(script), executable: true };
  await writeRepository(code, [file], 'A slow script');
}, 60_000);
afterEach(async () => {
  await server.engine.stopRunning();
  await server.halt();
  await expect.poll(() => listCommands(path.join(database.dataDir, 'run')), patience).toEqual([]);
  await database.remove();
}, 60_000);

async function start(maxTaskSeconds: number): Promise<void> {
  const settings = { runner: 'builtin', localRepositories: [code], leaveAfterSeconds: 2, maxTaskSeconds } as const;
  server = await startEngineServer({ database, settings });
  project = await aProject(server);
}

/** Command lines of processes that have this text in theirs. */
function listCommands(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(readCommand)
    .filter((command) => command.includes(text));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended meanwhile
  }
}

async function run(timeout_seconds: number) {
  const repository_id = await aRepository(server, project, code);
  const template_id = await aTemplate(server, project, { playbook: 'slow.sh', repository_id, timeout_seconds });
  const params = { project_id: project.id };
  const session = project.owner.session;
  const { body } = await server.ask(taskRoutes.create, { params, body: { template_id }, session });
  const place = { ...params, task_id: body.id };
  const read = async () => (await server.ask(taskRoutes.get, { params: place, session })).body;
  await expect.poll(async () => (await read()).status, patience).toBe('error');
  const { lines } = (await server.ask(taskRoutes.log, { params: place, session })).body;
  return { task: await read(), output: lines.map((line) => line.output) };
}

test('a task that takes longer than its template allows ends as error, says why, and leaves no process', async () => {
  await start(0);
  const { task, output } = await run(1);
  expect(task.reason).toBe('The task took longer than 1 s and was stopped');
  expect(output).toContain('begun');
  expect(listCommands(mark)).toEqual([]);
}, 90_000);

test('the server’s limit holds where it is shorter than that of the template', async () => {
  await start(1);
  const { task } = await run(3600);
  expect(task.reason).toBe('The task took longer than 1 s and was stopped');
  expect(listCommands(mark)).toEqual([]);
}, 90_000);
