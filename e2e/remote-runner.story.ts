import { once } from 'node:events';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Registration, runnerRegistrationRoutes } from '@signalbox/contract/runner-registrations';
import { type RunnerUsage, writeRunnerUsage } from '@signalbox/contract/runner-usage';
import { type CreatedRunner, type Runner, runnerRoutes } from '@signalbox/contract/runners';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { RunnerMachine, RunnerPackage } from './fixtures/packed-runner.ts';
import { findMarked } from './fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { projectRoot, type SignalboxServer, startServer } from './fixtures/server.ts';
import {
  getTask,
  launch,
  readLog,
  stopTask,
  waitForEnd,
  waitForLine,
  waitForSuccess,
  waitForTask,
} from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

const files = {
  'hello.sh': 'echo "hello from $(basename "$HOME")"; env | grep -ic proxy || true\n',
  'wait.sh': '(exec -a "$1-child" sleep 600) & echo ready; wait\n',
  'count.sh': 'for i in $(seq 1 40); do echo "number $i"; sleep 1; done\n',
};

const container = `docker() {
  while [ $# -gt 1 ]; do
    case $1 in
      --env-file) variables=$2; shift ;;
      --volume) case $2 in "$PWD"/*) outside=\${2%%:*}; inside=\${2#*:}; inside=\${inside%:ro} ;; esac; shift ;;
      --name | --restart) shift ;;
    esac
    shift
  done
  while IFS= read -r line; do export "\${line/"$inside"/"$outside"}"; done < "$variables"
  exec signalbox-runner start
}
`;

let repository: GitRepository;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
let packed: RunnerPackage;
let names = 0;

beforeAll(async () => {
  [repository, packed] = await Promise.all([makeGitRepository(files), RunnerPackage.make()]);
  server = await startServer({ localRepositories: [repository.parent], env: { SIGNALBOX_RUNNER: 'external' } });
  api = await server.signIn();
  workshop = await makeWorkshop(api, repository.path);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await packed?.[Symbol.asyncDispose]();
  await repository?.[Symbol.asyncDispose]();
});

function makeMachine(env: Record<string, string> = {}): Promise<RunnerMachine> {
  return RunnerMachine.make(packed, { SIGNALBOX_LOCAL_REPOSITORIES: repository.parent, ...env });
}

async function aRunner(): Promise<CreatedRunner> {
  names += 1;
  return await api.call(runnerRoutes.create, { body: { name: `far-${names}`, tag: `far-${names}`, active: true } });
}

const usageOf = ({ token, private_key }: CreatedRunner, url = server.url): RunnerUsage => ({
  server: url,
  token,
  privateKey: private_key,
});

async function launchFor(tag: string, playbook = 'hello.sh', args: string[] = []) {
  const change = { name: `${playbook} ${tag}`, playbook, runner_tag: tag, arguments: JSON.stringify(args) };
  return await launch(api, await addTemplate(api, workshop, change));
}

const readRunner = (id: number): Promise<Runner> => api.call(runnerRoutes.get, { params: { runner_id: id } });
const listNames = async (): Promise<string[]> => (await api.call(runnerRoutes.list, {})).map(({ name }) => name);

describe('the package of the runner', () => {
  test('needs nothing of the repository: it has no dependency, and names no directory of it', async () => {
    const manifest = JSON.parse(await readFile(join(packed.directory, 'package.json'), 'utf8'));
    expect(Object.keys(manifest)).not.toContain('dependencies');
    for (const name of await readdir(packed.directory, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const text = await readFile(join(name.parentPath, name.name), 'utf8');
      expect([name.name, text.includes(projectRoot)]).toEqual([name.name, false]);
    }
  });

  const ways: [string, (machine: RunnerMachine, runner: CreatedRunner) => Promise<string>][] = [
    [
      'configuration file, with an address that does not answer before the good one',
      async (machine, runner) => {
        const file = join(machine.directory, 'config.yaml');
        const text = writeRunnerUsage('config', usageOf(runner));
        const both = text.replace(/^server: (.*)$/m, 'server: ["http://127.0.0.1:9", $1]');
        await writeFile(file, both, { mode: 0o600 });
        return 'signalbox-runner start --config config.yaml';
      },
    ],
    [
      'setup',
      async (machine, runner) => {
        const text = writeRunnerUsage('setup', usageOf(runner));
        const [setup = '', start = ''] = text.split(/(?=signalbox-runner start)/);
        await machine.run(setup);
        return start;
      },
    ],
    ['variables', async (_machine, runner) => writeRunnerUsage('env', usageOf(runner))],
    // What a container does with such words; the image ends in `signalbox-runner start`, as docs/runners.md makes it.
    ['container', async (_machine, runner) => `${container}${writeRunnerUsage('docker', usageOf(runner))}`],
  ];
  test.each(ways)('runs a task when it is set up by the text of the tab: %s', async (_name, prepare) => {
    const runner = await aRunner();
    await using machine = await makeMachine({
      // Of `setup` only: nobody's home is written to.
      ...(_name === 'setup' ? { SIGNALBOX_RUNNER_CONFIG: '/proc/self/cwd/made/config.yaml' } : {}),
      https_proxy: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    });
    machine.start(await prepare(machine, runner));
    const task = await launchFor(runner.tag);
    const ended = await waitForSuccess(api, task);
    expect(ended.runner_id).toBe(runner.id);
    // The proxies of the runner are not those of its tasks.
    expect((await readLog(api, task)).at(-1)).toBe('0');
    expect(await readRunner(runner.id)).toMatchObject({
      online: true,
      version: '0.1.0',
      stray_mode: expect.stringMatching(/^(cgroup|uid|scan)$/),
      tools: expect.arrayContaining([expect.objectContaining({ name: 'bash' })]),
    });
    await machine.stop();
    expect(machine.output).not.toContain(runner.token);
  });

  test('names its variables in the text for containers, and gives no secret as an argument', async () => {
    const usage = usageOf(await aRunner());
    const text = writeRunnerUsage('docker', usage);
    for (const name of ['SERVER', 'RUNNER_TOKEN', 'RUNNER_PRIVATE_KEY_FILE'])
      expect(text).toContain(`SIGNALBOX_${name}=`);
    const command = text.slice(text.indexOf('docker run'));
    expect(command).not.toContain(usage.token);
  });
});

test('a task on a remote runner that takes longer than it may ends as an error that says so, with no process left', async () => {
  const runner = await aRunner();
  await using machine = await makeMachine();
  machine.start(writeRunnerUsage('env', usageOf(runner)));
  const mark = `late-${process.pid}`;
  const template = await addTemplate(api, workshop, {
    name: 'Late',
    playbook: 'wait.sh',
    runner_tag: runner.tag,
    arguments: JSON.stringify([mark]),
    timeout_seconds: 3,
  });
  const task = await launch(api, template);
  const ended = await waitForEnd(api, task);
  expect(findMarked(`${mark}-child`)).toEqual([]);
  expect(ended).toMatchObject({
    status: 'error',
    runner_id: runner.id,
    reason: 'The task took longer than 3 s and was stopped',
  });
  expect(await readLog(api, task)).toContain('ready');
});

test('the webhook of an offline runner starts a machine for one task, which ends after it', async () => {
  await using machine = await makeMachine();
  const heard: string[] = [];
  const isOver = Promise.withResolvers<number>();
  let start = '';
  const cloud = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += String(part);
    });
    request.on('end', () => {
      const { action } = JSON.parse(text) as { action: string };
      heard.push(action);
      response.end();
      if (action === 'start') machine.start(start).once('exit', (code) => isOver.resolve(code ?? -1));
    });
  });
  cloud.listen(0, '127.0.0.1');
  await once(cloud, 'listening');
  const { port } = cloud.address() as AddressInfo;
  const runner = await api.call(runnerRoutes.create, {
    body: { name: 'cloud', tag: 'cloud', active: true, webhook: `http://127.0.0.1:${port}/start` },
  });
  start = `${writeRunnerUsage('env', usageOf(runner)).trim()} --one-off`;
  const task = await launchFor('cloud');
  expect(await waitForSuccess(api, task)).toMatchObject({ runner_id: runner.id });
  expect(await isOver.promise).toBe(0);
  await waitUntil('the end is told', () => heard.includes('finish'));
  expect(heard).toEqual(['start', 'finish']);
  cloud.close();
});

describe('a runner that registers itself', () => {
  const permit = (tag: string): Promise<Registration> => api.call(runnerRegistrationRoutes.create, { body: { tag } });

  test('does so once with setup, runs a task, and is gone after unregister, with all that setup wrote', async () => {
    const { token } = await permit('self');
    await using machine = await makeMachine();
    const config = join(machine.directory, 'etc/config.yaml');
    const setup = `signalbox-runner setup --config ${config} --server ${server.url} --name self --registration-token-stdin`;
    expect(await machine.run(setup, `${token}\n`)).toContain('Registered as self');
    await expect(machine.run(`${setup} --force`, `${token}\n`)).rejects.toThrow('was used');
    machine.start(`signalbox-runner start --config ${config}`);
    await waitForSuccess(api, await launchFor('self'));
    await expect(machine.run(`signalbox-runner unregister --config ${config}`)).rejects.toThrow('stop it first');
    await machine.stop();
    await machine.run(`signalbox-runner unregister --config ${config}`);
    expect(await listNames()).not.toContain('self');
    expect(await readdir(join(machine.directory, 'etc'))).toEqual([]);
    await expect(machine.run(`signalbox-runner start --config ${config}`)).rejects.toThrow('cannot be read');
  });

  test('does so at its first start, and is the same one at the next; a one-off ends after one task', async () => {
    const { token } = await permit('once');
    await using machine = await makeMachine({ SIGNALBOX_SERVER: server.url, SIGNALBOX_RUNNER_NAME: 'once' });
    const file = join(machine.directory, 'registration');
    await writeFile(file, token, { mode: 0o600 });
    const start = `SIGNALBOX_RUNNER_REGISTRATION_TOKEN_FILE=${file} signalbox-runner start --one-off`;
    for (const round of [1, 2]) {
      const child = machine.start(start);
      const isOver = once(child, 'exit');
      const [first, second] = [await launchFor('once'), await launchFor('once')];
      expect([round, (await isOver)[0]]).toEqual([round, 0]);
      const ended = await Promise.all([first, second].map(async (task) => (await getTask(api, task)).status));
      expect(ended.filter((status) => status === 'success').length).toBe(1);
      const left = [first, second].find((_task, index) => ended[index] !== 'success');
      if (left !== undefined) await stopTask(api, left);
    }
    expect((await listNames()).filter((name) => name === 'once').length).toBe(1);
  });
});

describe('a runner that is silent', () => {
  test('is shown as unreachable, its task is stopped by force, and it ends what it runs when it is not known any more', async () => {
    const runner = await aRunner();
    await using machine = await makeMachine({ SIGNALBOX_RUNNER_GIVE_UP_SECONDS: '1' });
    const child = machine.start(writeRunnerUsage('env', usageOf(runner)));
    const mark = `remote-${process.pid}`;
    const task = await launchFor(runner.tag, 'wait.sh', [mark]);
    await waitForLine(api, task, 'ready');
    child.kill('SIGSTOP');
    const shown = await waitForTask(api, task, (now) => now.unreachable_since !== null, 60_000);
    expect(shown.status).toBe('running');
    expect((await readRunner(runner.id)).online).toBe(false);
    const remove = () => api.send('DELETE', `/runners/${runner.id}`);
    const refused = await remove();
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(`#${task.task_id}`)]);
    await stopTask(api, task);
    await stopTask(api, task, true);
    expect((await waitForTask(api, task, (now) => now.end !== null)).status).toBe('stopped');
    expect((await remove()).status).toBe(204);
    expect(findMarked(`${mark}-child`).length).toBeGreaterThan(0);
    const isOver = once(child, 'exit');
    child.kill('SIGCONT');
    expect((await isOver)[0]).toBe(2);
    await waitUntil('no process of the task is left', () => findMarked(`${mark}-child`).length === 0);
    expect(machine.output).toContain('The server refuses this runner');
  });

  test('goes on when it is heard of again, and no line is lost', async () => {
    const runner = await aRunner();
    await using machine = await makeMachine();
    const child = machine.start(writeRunnerUsage('env', usageOf(runner)));
    const task = await launchFor(runner.tag, 'count.sh');
    await waitForLine(api, task, 'number 3');
    child.kill('SIGSTOP');
    await waitForTask(api, task, (now) => now.unreachable_since !== null, 60_000);
    child.kill('SIGCONT');
    const ended = await waitForSuccess(api, task, 120_000);
    expect(ended.unreachable_since).toBeNull();
    const numbers = (await readLog(api, task)).filter((line) => line.startsWith('number '));
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => `number ${index + 1}`));
  });
});

test('a file with a secret that others can read is refused with a sentence, and so is a secret as an argument', async () => {
  await using machine = await makeMachine({ SIGNALBOX_SERVER: server.url });
  const runner = await aRunner();
  const config = join(machine.directory, 'config.yaml');
  await writeFile(config, writeRunnerUsage('config', usageOf(runner)));
  await chmod(config, 0o644);
  const start = 'signalbox-runner start --config config.yaml';
  await expect(machine.run(start)).rejects.toThrow(/open to other users; chmod 600/);
  await writeFile(join(machine.directory, 'token'), runner.token);
  const withFile = 'SIGNALBOX_RUNNER_TOKEN_FILE=token signalbox-runner start';
  await expect(machine.run(withFile)).rejects.toThrow(/open to other users; chmod 600/);
  await expect(machine.run(`signalbox-runner setup --token=${runner.token}`)).rejects.toThrow('never an argument');
});
