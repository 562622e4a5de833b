import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { environmentRoutes } from '@signalbox/contract/environments';
import { type InventoryInput, inventoryRoutes } from '@signalbox/contract/inventories';
import { type KeyInput, keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import type { TemplateInput } from '@signalbox/contract/templates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitHttp, startGitHttp } from './fixtures/git-http.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type PostgresServer, startPostgres } from './fixtures/postgres.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { proveSecretsAreNowhere } from './fixtures/secret-proof.ts';
import { hashSecret, makeSecretScene, type SecretScene } from './fixtures/secret-scene.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { type Sshd, startSshd } from './fixtures/sshd.ts';
import { traceWords } from './fixtures/strace.ts';
import { launch, readLog, type TaskPlace, waitForLine, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('root', 'ansible-playbook', 'sshd', 'sshpass', 'sudo', 'strace');
const hostFile = 'inventories/hosts.ini';

/** How a task gets at its repository, its hosts and its vault. */
type Access = {
  name: string;
  /** Opens the repository. */
  repository: { url: string; key: KeyInput };
  /** Opens the host. */
  login: KeyInput;
  inventory: Pick<InventoryInput, 'type' | 'inventory'>;
  vault: 'password' | 'script';
  /** What it tries to print of the repository's key. */
  told: string;
};

describe.skipIf(missing)(`Ansible over a real sshd, with everything stored in PostgreSQL${because(missing)}`, () => {
  const since = Date.now();
  const tasks: number[] = [];
  let scene: SecretScene;
  let sshd: Sshd;
  let web: GitHttp;
  let postgres: PostgresServer;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let records: string[];

  beforeAll(async () => {
    scene = await makeSecretScene();
    records = ['server.trace', 'sshd.trace'].map((name) => join(scene.home.path, name));
    sshd = await startSshd(traceWords(records[1] ?? '', true));
    // The account of the host serves the repository too, which belongs to somebody else.
    await writeFile(join('/home', sshd.user, '.gitconfig'), '[safe]\n\tdirectory = *\n');
    await scene.repository.commit('Say where the host is', { [hostFile]: `[targets]\n${describeHost(sshd.port)}\n` });
    web = await startGitHttp(scene.repository.parent, 'reader', scene.secrets.repositoryPassword);
    postgres = await startPostgres();
    server = await startServer({
      wrap: traceWords(records[0] ?? ''),
      env: { SIGNALBOX_DATABASE_URL: postgres.url },
    });
    api = await server.signIn();
    workshop = await makeWorkshop(api, scene.repository.path);
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
    await web?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  const params = () => ({ project_id: workshop.projectId });
  const addKey = async (body: KeyInput) => (await api.call(keyRoutes.create, { params: params(), body })).id;
  const makePassword = (name: string, login: string, password: string): KeyInput => ({
    name,
    type: 'login_password',
    login_password: { login, password },
  });

  async function addVault({ name, vault }: Access): Promise<TemplateInput['vaults']> {
    if (vault === 'script') return [{ name: null, type: 'script', script: 'vault-client.sh' }];
    const key = await addKey(makePassword(`${name} vault`, '', scene.secrets.vaultPassword));
    return [{ name: null, type: 'password', vault_key_id: key }];
  }

  async function addAccess(access: Access): Promise<Pick<TemplateInput, 'repository_id' | 'inventory_id'>> {
    const { name, repository: source, inventory } = access;
    const repository = await api.call(repositoryRoutes.create, {
      params: params(),
      body: { name, git_url: source.url, git_branch: 'main', ssh_key_id: await addKey(source.key) },
    });
    const hosts = await api.call(inventoryRoutes.create, {
      params: params(),
      body: {
        name,
        ...inventory,
        ssh_key_id: await addKey(access.login),
        become_key_id: await addKey(makePassword(`${name} become`, 'root', sshd.password)),
      },
    });
    return { repository_id: repository.id, inventory_id: hosts.id };
  }

  /** A template with every kind of secret; only the ways in differ. */
  async function launchWith(access: Access): Promise<TaskPlace> {
    const { secrets } = scene;
    const { name } = access;
    await writeFile(scene.told, access.told, { mode: 0o600 });
    const group = await api.call(environmentRoutes.create, {
      params: params(),
      body: {
        name,
        json: JSON.stringify({ gate: scene.gate, told: scene.told }),
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
      ...(await addAccess(access)),
      environment_id: group.id,
      survey_vars: [{ name: 'answer', title: 'Answer', description: '', type: 'secret', required: true, values: [] }],
      vaults: await addVault(access),
    });
    const task = await launch(api, template, { secret: JSON.stringify({ answer: secrets.answer }) });
    tasks.push(task.task_id);
    return task;
  }

  async function expectSuccess(task: TaskPlace): Promise<void> {
    const { secrets, repository } = scene;
    expect((await waitForSuccess(api, task, 120_000)).commit_hash).toBe(await repository.head());
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
    expect(log).toContain('leak repository *** end');
  }

  test('an ssh key with a passphrase opens repository and host, a file of the repository is the inventory', async () => {
    const key: KeyInput = {
      name: 'Host key',
      type: 'ssh',
      ssh: { login: sshd.user, passphrase: sshd.passphrase, private_key: sshd.privateKey },
    };
    const task = await launchWith({
      name: 'By key',
      repository: {
        url: `ssh://${sshd.user}@127.0.0.1:${sshd.port}${scene.repository.path}`,
        key: { ...key, name: 'Repository key' },
      },
      login: key,
      inventory: { type: 'file', inventory: hostFile },
      vault: 'password',
      told: sshd.passphrase,
    });
    await waitForLine(api, task, 'first line');
    await writeFile(scene.gate, '');
    await expectSuccess(task);
  });

  test('passwords open repository and host, the inventory is YAML, a script opens the vault', async () => {
    const task = await launchWith({
      name: 'By password',
      repository: {
        url: `http://${web.host}/${basename(scene.repository.path)}`,
        key: makePassword('Repository password', 'reader', scene.secrets.repositoryPassword),
      },
      login: makePassword('Host password', sshd.user, sshd.password),
      inventory: {
        type: 'static-yaml',
        inventory: `all:\n  hosts:\n    target:\n      ansible_host: 127.0.0.1\n      ansible_port: ${sshd.port}\n`,
      },
      vault: 'script',
      told: scene.secrets.repositoryPassword,
    });
    await writeFile(scene.gate, '');
    await expectSuccess(task);
  });

  test('no secret is in an answer, an argument list, a table of PostgreSQL or a file', async () => {
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

function describeHost(port: number): string {
  return `target ansible_host=127.0.0.1 ansible_port=${port}`;
}
