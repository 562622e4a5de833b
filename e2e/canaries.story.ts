import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { appRoutes } from '@signalbox/contract/apps';
import { backupRoutes } from '@signalbox/contract/backup';
import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { projectRoutes } from '@signalbox/contract/projects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { makeCanaryCode } from './fixtures/canary-code.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { openSocket } from './fixtures/live-socket.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type PostgresServer, startPostgres } from './fixtures/postgres.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { proveSecretsAreNowhere } from './fixtures/secret-proof.ts';
import { hashSecret, makeSecret } from './fixtures/secret-scene.ts';
import { findSecrets } from './fixtures/secret-search.ts';
import { listTemporary } from './fixtures/secret-sweep.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { makeStandIns, type StandIns } from './fixtures/stand-ins.ts';
import { traceWords } from './fixtures/strace.ts';
import { launch, readLog, type TaskPlace, waitForSuccess } from './fixtures/tasks.ts';
import { makeTempDir, type TempDir } from './fixtures/temp-dir.ts';
import { waitUntil } from './fixtures/wait.ts';

const needs = missingFor('strace', 'ansible-playbook', 'python3');

const name = (letter: string) => (_: unknown, at: number) => `${letter}${String(at).padStart(2, '0')}`;
/** Of the variable group: variables and process environment; and answers to the survey. Fifty together. */
const variables = Array.from({ length: 20 }, name('V'));
const environment = Array.from({ length: 15 }, name('E'));
const answers = Array.from({ length: 15 }, name('A'));
const names = [...variables, ...environment, ...answers];
/** Every fifth one has two lines, as keys have. */
const secrets = new Map(
  names.map((each, at) => [each, at % 5 === 4 ? `${makeSecret(each)}\n${makeSecret('second')}` : makeSecret(each)]),
);
const secretOf = (each: string): string => secrets.get(each) ?? '';

const apps = [
  ['ansible', 'tell.yml'],
  ['bash', 'tell.bash'],
  ['python', 'tell.py'],
  ['powershell', 'tell.ps1'],
  ['terraform', 'infra'],
  ['tofu', 'infra'],
  ['pulumi', 'cloud'],
  ['ours', 'tell.bash'],
] as const;

type Receiver = { url: string; bodies: string[] } & AsyncDisposable;

/** Takes the messages about tasks. */
async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const web = createServer((request, response) => {
    let body = JSON.stringify(request.headers);
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      bodies.push(body);
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  return { url, bodies, [Symbol.asyncDispose]: () => new Promise((resolve) => web.close(() => resolve())) };
}

describe.skipIf(needs).each(['sqlite', 'postgres'])(`fifty secrets on %s${because(needs)}`, (database) => {
  const since = Date.now();
  const received: string[] = [];
  const tasks: TaskPlace[] = [];
  let postgres: PostgresServer | undefined;
  let before: ReadonlySet<string>;
  let home: TempDir;
  let standIns: StandIns;
  let repository: GitRepository;
  let receiver: Receiver;
  let server: SignalboxServer;
  let api: Api;
  let sockets: WebSocket[];
  let workshop: Workshop;
  let record: string;

  beforeAll(async () => {
    // Its tables are searched row by row.
    if (database === 'postgres') postgres = await startPostgres();
    before = await listTemporary();
    home = await makeTempDir('canaries');
    standIns = await makeStandIns(home.path);
    record = join(home.path, 'server.trace');
    repository = await makeGitRepository(makeCanaryCode({ variables: [...variables, ...answers], environment }));
    receiver = await startReceiver();
    server = await startServer({
      localRepositories: [repository.parent],
      wrap: traceWords(record),
      env: {
        PATH: `${standIns.directory}:${process.env.PATH}`,
        SIGNALBOX_NOTIFICATION_WEBHOOK: '1',
        SIGNALBOX_NOTIFICATION_WEBHOOK_URL: receiver.url,
        SIGNALBOX_NOTIFICATION_WEBHOOK_SECRET: 'signs the messages',
        ...(postgres === undefined ? {} : { SIGNALBOX_DATABASE_URL: postgres.url }),
      },
    });
    await server.waitForRunner();
    api = await server.signIn();
    workshop = await makeWorkshop(api, `file://${repository.path}`);
    const params = { project_id: workshop.projectId };
    await api.call(projectRoutes.update, { params, body: { id: workshop.projectId, name: 'Workshop', alert: true } });
    const stored = (type: 'var' | 'env') => (each: string) =>
      ({ type, name: each, secret: secretOf(each), operation: 'create' }) as const;
    const group = await api.call(environmentRoutes.create, {
      params,
      body: {
        name: 'Secrets',
        json: '{}',
        env: JSON.stringify({
          PULUMI_BACKEND_URL: standIns.pulumiStates,
          PULUMI_CONFIG_PASSPHRASE: 'not one of them',
        }),
        secrets: [...variables.map(stored('var')), ...environment.map(stored('env'))],
      },
    });
    workshop = { ...workshop, environmentId: group.id };
    // One that asks for nothing gets everything, as older clients do; the other one subscribes to each task.
    sockets = [openSocket(api), openSocket(api)];
    for (const socket of sockets) {
      socket.addEventListener('message', ({ data }) => received.push(String(data)));
      await waitUntil('the socket is open', () => socket.readyState === WebSocket.OPEN);
    }
    await api.call(appRoutes.save, {
      params: { app_id: 'ours' },
      body: { title: 'Ours', path: '/bin/bash', args: ['--norc'], active: true },
    });
  });
  afterAll(async () => {
    for (const socket of sockets ?? []) socket.close();
    await server?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  async function start(app: string, playbook: string, inventory_id: number | null): Promise<TaskPlace> {
    const template = await addTemplate(api, workshop, {
      name: `Told by ${app}`,
      app,
      playbook,
      inventory_id,
      survey_vars: answers.map((each) => ({
        name: each,
        title: each,
        type: 'secret' as const,
        required: true,
        description: '',
        values: [],
      })),
    });
    const place = await launch(api, template, {
      secret: JSON.stringify(Object.fromEntries(answers.map((each) => [each, secretOf(each)]))),
      params: { auto_approve: true },
    });
    sockets[1]?.send(JSON.stringify({ type: 'subscribe', task_id: place.task_id, from: 1 }));
    return place;
  }

  /** The digests of what has arrived, by name: as the tool printed them, and as the recorder before the tool saw them. */
  async function readDigests(place: TaskPlace): Promise<Map<string, string>> {
    const log = stripVTControlCharacters((await readLog(api, place)).join('\n'));
    const printed = [...log.matchAll(/\bsha256 (\w+) ([0-9a-f]{64})\b|^(\w+) = "([0-9a-f]{64})"$/gm)];
    const digests = new Map(
      printed.map(([, one, first, other, second]) => [one ?? other ?? '', first ?? second ?? '']),
    );
    const id = hashSecret(String(place.task_id));
    for (const call of (await standIns.readCalls()).filter(({ env }) => env.SEMAPHORE_TASK_ID === id)) {
      for (const each of environment) if (call.env[each] !== undefined) digests.set(each, call.env[each]);
      if (call.input !== null) digests.set(call.args.at(-1) ?? '', hashSecret(call.input));
    }
    return digests;
  }

  for (const [app, playbook] of apps) {
    const missing = app === 'terraform' ? missingFor(app) : '';
    test.skipIf(missing !== '')(`all of them reach ${app}${because(missing)}`, () => prove(app, playbook));
  }

  async function prove(app: string, playbook: string): Promise<void> {
    let inventory: number | null = null;
    if (app === 'ansible') inventory = workshop.inventoryId;
    if (app === 'pulumi') {
      const body = { name: 'Stack', type: 'static', inventory: 'dev', ssh_key_id: workshop.keyId } as const;
      inventory = (await api.call(inventoryRoutes.create, { params: { project_id: workshop.projectId }, body })).id;
    }
    const place = await start(app, playbook, inventory);
    tasks.push(place);
    await waitForSuccess(api, place, 150_000);
    // It tried to tell them, too: what is nowhere later was in its output.
    if (app !== 'tofu' && app !== 'pulumi') expect((await readLog(api, place)).join('\n')).toContain('leak ***');
    const digests = await readDigests(place);
    const missing = names.filter((each) => digests.get(each) !== hashSecret(secretOf(each)));
    expect(missing).toEqual([]);
  }

  test('and are in no argument, answer, frame, table, file, backup or message', async () => {
    expect(tasks.length).toBeGreaterThanOrEqual(7);
    await waitUntil('a message about each task', () => receiver.bodies.length >= tasks.length);
    const all = [...secrets.values()];
    expect(receiver.bodies.flatMap((body) => findSecrets('a message', body, all))).toEqual([]);
    const backup = await api.call(backupRoutes.create, { params: { project_id: workshop.projectId } });
    expect(backup.environments.flatMap(({ secrets: list }) => list)).toHaveLength(35);
    expect(findSecrets('the backup', JSON.stringify(backup), all)).toEqual([]);
    const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    await proveSecretsAreNowhere({
      server,
      api,
      scene: { home, repository, before },
      sshd: undefined,
      secrets: all,
      ids: {
        project_id: [workshop.projectId],
        task_id: tasks.map(({ task_id }) => task_id),
        template_id: upTo(8),
        environment_id: [workshop.environmentId],
        inventory_id: upTo(4),
        state_id: upTo(3),
      },
      received,
      records: [record],
      since,
    });
  });
});
