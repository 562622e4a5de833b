import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocolVersion } from '@signalbox/contract/runner-protocol';
import { writeRunnerUsage } from '@signalbox/contract/runner-usage';
import { type CreatedRunner, runnerRoutes } from '@signalbox/contract/runners';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { RunnerMachine, RunnerPackage } from './fixtures/packed-runner.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { getTask, launch, readLog, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';

/** Prints until there is a file: a task of any length. */
const script = 'number=0; while [ ! -e "$1" ]; do number=$((number + 1)); echo "number $number"; sleep 0.05; done\n';

let repository: GitRepository;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
let current: RunnerPackage;
let older: RunnerPackage;
let names = 0;

beforeAll(async () => {
  repository = await makeGitRepository({ 'until.sh': script, 'short.sh': 'echo short\n' });
  [current, older] = await Promise.all([RunnerPackage.make(), RunnerPackage.make()]);
  server = await startServer({ localRepositories: [repository.parent], env: { SIGNALBOX_RUNNER: 'external' } });
  api = await server.signIn();
  workshop = await makeWorkshop(api, repository.path);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await current?.[Symbol.asyncDispose]();
  await older?.[Symbol.asyncDispose]();
  await repository?.[Symbol.asyncDispose]();
});

async function aRunner(): Promise<CreatedRunner> {
  names += 1;
  return await api.call(runnerRoutes.create, { body: { name: `far-${names}`, tag: `far-${names}`, active: true } });
}

const makeMachine = (packed: RunnerPackage): Promise<RunnerMachine> =>
  RunnerMachine.make(packed, { SIGNALBOX_LOCAL_REPOSITORIES: repository.parent });
const startOf = ({ token, private_key }: CreatedRunner): string =>
  writeRunnerUsage('env', { server: server.url, token, privateKey: private_key });

async function launchFor({ tag }: CreatedRunner, playbook: string, args: string[] = []) {
  const change = { name: `${playbook} ${tag}`, playbook, runner_tag: tag, arguments: JSON.stringify(args) };
  return await launch(api, await addTemplate(api, workshop, change));
}

test('an upgrade in the middle of a task: the old runner, of the protocol before, finishes it and takes no other; the new one goes on beside it', async () => {
  await older.pretend('0.0.9', protocolVersion - 1);
  const runner = await aRunner();
  const readVersion = async () => (await api.call(runnerRoutes.get, { params: { runner_id: runner.id } })).version;
  await using machine = await makeMachine(older);
  const gate = join(machine.directory, 'gate');
  const old = machine.start(startOf(runner));
  const isOver = once(old, 'exit');
  const long = await launchFor(runner, 'until.sh', [gate]);
  await waitForLine(api, long, 'number 3');
  expect(await readVersion()).toBe('0.0.9');

  old.kill('SIGUSR2');
  const next = await launchFor(runner, 'short.sh');
  await waitForLine(api, long, `number ${(await readLog(api, long)).length + 20}`);
  expect((await getTask(api, next)).status).toBe('waiting');
  machine.start(`export PATH=${current.path}\n${startOf(runner)}`);
  await waitForSuccess(api, next);
  expect(await readVersion()).toBe('0.1.0');
  expect((await getTask(api, long)).status).toBe('running');

  await writeFile(gate, '');
  expect((await isOver)[0]).toBe(0);
  await waitForSuccess(api, long);
  const numbers = (await readLog(api, long)).filter((line) => line.startsWith('number '));
  expect(numbers).toEqual(numbers.map((_, index) => `number ${index + 1}`));
  await waitForSuccess(api, await launchFor(runner, 'short.sh'));
});

test('a runner that drains without a successor ends after its task', async () => {
  const runner = await aRunner();
  await using machine = await makeMachine(current);
  const gate = join(machine.directory, 'gate');
  const child = machine.start(startOf(runner));
  const isOver = once(child, 'exit');
  const task = await launchFor(runner, 'until.sh', [gate]);
  await waitForLine(api, task, 'number 3');
  child.kill('SIGUSR2');
  await writeFile(gate, '');
  expect((await isOver)[0]).toBe(0);
  expect((await waitForEnd(api, task)).status).toBe('success');
});

test('a runner that is two versions of the protocol behind is told so, and ends', async () => {
  await older.pretend('0.0.1', protocolVersion - 2);
  await using machine = await makeMachine(older);
  const child = machine.start(startOf(await aRunner()));
  expect((await once(child, 'exit'))[0]).toBe(2);
  expect(machine.output).toContain('update the runner');
});
