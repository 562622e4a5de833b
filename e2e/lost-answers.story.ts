import { once } from 'node:events';
import { writeRunnerUsage } from '@signalbox/contract/runner-usage';
import { type CreatedRunner, runnerRoutes } from '@signalbox/contract/runners';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRuns, judgeLog, type Ledger, makeLedger } from './faults/ledger.ts';
import type { Api } from './fixtures/api.ts';
import { type Delivered, LosingProxy } from './fixtures/losing-proxy.ts';
import { RunnerMachine, RunnerPackage } from './fixtures/packed-runner.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, type TaskPlace, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

const lines = 60;

let ledger: Ledger;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
let packed: RunnerPackage;
let proxy: LosingProxy;
let names = 0;

beforeAll(async () => {
  [ledger, packed] = await Promise.all([makeLedger(), RunnerPackage.make()]);
  server = await startServer({
    localRepositories: [ledger.repository.parent],
    env: { SIGNALBOX_RUNNER: 'external' },
  });
  proxy = await LosingProxy.start(() => server.url);
  api = await server.signIn();
  workshop = await makeWorkshop(api, ledger.repository.path);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
  await ledger.repository[Symbol.asyncDispose]();
});

type Far = {
  readonly runner: CreatedRunner;
  readonly machine: RunnerMachine;
  readonly start: string;
} & AsyncDisposable;

/** A runner on another machine, whose every word goes through the proxy. */
async function aFarRunner(): Promise<Far> {
  names += 1;
  const body = { name: `far-${names}`, tag: `far-${names}`, active: true };
  const runner = await api.call(runnerRoutes.create, { body });
  const machine = await RunnerMachine.make(packed, { SIGNALBOX_LOCAL_REPOSITORIES: ledger.repository.parent });
  const usage = { server: proxy.url, token: runner.token, privateKey: runner.private_key };
  return {
    runner,
    machine,
    start: writeRunnerUsage('env', usage),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}

async function launchFor(runner: CreatedRunner): Promise<TaskPlace> {
  const template = await addTemplate(api, workshop, {
    name: `For ${runner.name}`,
    playbook: 'ledger.sh',
    arguments: JSON.stringify([ledger.file, String(lines), '0.02']),
    runner_tag: runner.tag,
    allow_parallel_tasks: true,
  });
  return launch(api, template);
}

const countRunsOf = async ({ task_id }: TaskPlace): Promise<number> => (await countRuns(ledger)).get(task_id) ?? 0;

const isReport =
  (kind: string) =>
  ({ path, body }: Delivered): boolean =>
    path.endsWith('/reports') && body.includes(`"kind":"${kind}"`);

describe('an answer that is lost after the call was carried out', () => {
  test.each([
    ['a claim', 1, ({ path, answer }: Delivered) => path.endsWith('/sync') && answer.includes('"jobs":[{')],
    ['a start permission', 3, isReport('start')],
    ['an upload', 3, ({ path }: Delivered) => path.endsWith('/log')],
    ['the end, which seals the log', 3, isReport('finish')],
  ])('of %s: the task runs once, and its log is whole', async (_what, times, isLost) => {
    await using far = await aFarRunner();
    proxy.lose(times, isLost);
    far.machine.start(far.start);
    const task = await launchFor(far.runner);
    await waitForSuccess(api, task);
    await waitUntil('the call was repeated as often as its answer was lost', () => proxy.lost === times);
    expect(await judgeLog(api, task, lines, true)).toBeUndefined();
    expect(await countRunsOf(task)).toBe(1);
  });
});

test('a runner that is killed between the start permission and the first process: the task is lost, and nothing of it ran', async () => {
  await using far = await aFarRunner();
  const child = far.machine.start(far.start);
  const isOver = once(child, 'exit');
  proxy.lose(1, isReport('start'), () => child.kill('SIGKILL'));
  const task = await launchFor(far.runner);
  await isOver;
  far.machine.start(far.start);
  const ended = await waitForEnd(api, task);
  expect(ended).toMatchObject({ status: 'error', reason: expect.stringMatching(/^runner lost/) });
  expect(await countRunsOf(task)).toBe(0);
  await waitForSuccess(api, await launchFor(far.runner));
});

test('a runner whose output nobody reads goes on, also when the server is killed and comes back', async () => {
  await using far = await aFarRunner();
  const child = far.machine.start(far.start);
  child.stdout?.destroy();
  child.stderr?.destroy();
  const task = await launchFor(far.runner);
  await waitForLine(api, task, 'number 5');
  await server.kill();
  await server.start();
  api = await server.signIn();
  await waitForSuccess(api, task);
  expect(await judgeLog(api, task, lines, true)).toBeUndefined();
  // A setting that is refused is a line for the operator, who is not there.
  const isOver = once(child, 'exit');
  expect((await api.send('DELETE', `/runners/${far.runner.id}`)).status).toBe(204);
  expect((await isOver)[0]).toBe(2);
});
