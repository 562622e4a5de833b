import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { type KeyInput, keyRoutes } from '@signalbox/contract/keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { proveSecretsAreNowhere } from './fixtures/secret-proof.ts';
import { hashSecret, makeSecretScene, type SecretScene } from './fixtures/secret-scene.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { type Sshd, startSshd } from './fixtures/sshd.ts';
import { traceWords } from './fixtures/strace.ts';
import { launch, readLog, type TaskPlace, waitForLine, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('root', 'ansible-playbook', 'sshd', 'sshpass', 'sudo', 'strace');

describe.skipIf(missing)(`Ansible over a real sshd${because(missing)}`, () => {
  const since = Date.now();
  const tasks: number[] = [];
  let scene: SecretScene;
  let sshd: Sshd;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let records: string[];

  beforeAll(async () => {
    scene = await makeSecretScene();
    records = ['server.trace', 'sshd.trace'].map((name) => join(scene.home.path, name));
    sshd = await startSshd(traceWords(records[1] ?? '', true));
    server = await startServer({ localRepositories: [scene.repository.parent], wrap: traceWords(records[0] ?? '') });
    api = await server.signIn();
    workshop = await makeWorkshop(api, scene.repository.path);
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  const params = () => ({ project_id: workshop.projectId });
  const addKey = async (body: KeyInput) => (await api.call(keyRoutes.create, { params: params(), body })).id;

  /** A template with every kind of secret; only the way to sign in at the host differs. */
  async function launchWith(name: string, loginKey: KeyInput): Promise<TaskPlace> {
    const { secrets } = scene;
    const key = await addKey(loginKey);
    const become = await addKey({
      name: `${name} become`,
      type: 'login_password',
      login_password: { login: 'root', password: sshd.password },
    });
    const vault = await addKey({
      name: `${name} vault`,
      type: 'login_password',
      login_password: { login: '', password: secrets.vaultPassword },
    });
    const inventory = await api.call(inventoryRoutes.create, {
      params: params(),
      body: {
        name,
        type: 'static',
        inventory: `target ansible_host=127.0.0.1 ansible_port=${sshd.port}`,
        ssh_key_id: key,
        become_key_id: become,
      },
    });
    const group = await api.call(environmentRoutes.create, {
      params: params(),
      body: {
        name,
        json: JSON.stringify({ gate: scene.gate }),
        secrets: [
          { type: 'var', name: 'DEPLOY_TOKEN', secret: secrets.variable, operation: 'create' },
          { type: 'env', name: 'PROCESS_TOKEN', secret: secrets.environment, operation: 'create' },
        ],
      },
    });
    const template = await addTemplate(api, workshop, {
      name,
      app: 'ansible',
      playbook: 'site.yml',
      inventory_id: inventory.id,
      environment_id: group.id,
      survey_vars: [{ name: 'answer', title: 'Answer', description: '', type: 'secret', required: true, values: [] }],
      vaults: [{ name: null, type: 'password', vault_key_id: vault }],
    });
    const task = await launch(api, template, { secret: JSON.stringify({ answer: secrets.answer }) });
    tasks.push(task.task_id);
    return task;
  }

  async function expectHashes(task: TaskPlace): Promise<void> {
    const { secrets } = scene;
    const log = (await readLog(api, task)).join('\n');
    const hashes = {
      DEPLOY_TOKEN: secrets.variable,
      PROCESS_TOKEN: secrets.environment,
      answer: secrets.answer,
      vaulted: secrets.vaulted,
    };
    for (const [name, secret] of Object.entries(hashes)) expect(log).toContain(`sha256 ${name} ${hashSecret(secret)}`);
    expect(log).toContain('became root');
    expect(log).toContain('task admin');
    expect(log).toContain('leak one ');
  }

  test('signs in with an ssh key that has a passphrase, becomes root with a password and opens a vault', async () => {
    const task = await launchWith('By key', {
      name: 'Host key',
      type: 'ssh',
      ssh: { login: sshd.user, passphrase: sshd.passphrase, private_key: sshd.privateKey },
    });
    await waitForLine(api, task, 'first line');
    await writeFile(scene.gate, '');
    await waitForSuccess(api, task, 120_000);
    await expectHashes(task);
  });

  test('signs in with a password, becomes root with a password and opens a vault', async () => {
    const task = await launchWith('By password', {
      name: 'Host password',
      type: 'login_password',
      login_password: { login: sshd.user, password: sshd.password },
    });
    await writeFile(scene.gate, '');
    await waitForSuccess(api, task, 120_000);
    await expectHashes(task);
  });

  test('leaves no secret in an answer, an argument list, a table or a file', async () => {
    expect(tasks).toHaveLength(2);
    const { secrets } = scene;
    const key = sshd.privateKey.split('\n').slice(1, -2).join('\n');
    await proveSecretsAreNowhere({
      server,
      api,
      scene,
      sshd,
      secrets: [...Object.values(secrets), sshd.password, sshd.passphrase, key],
      ids: { project_id: [workshop.projectId], task_id: tasks },
      received: [],
      records,
      since,
    });
  });
});
