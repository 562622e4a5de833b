import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { taskRoutes } from '@signalbox/contract/tasks';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { readProjectId, signInAsAdmin } from './fixtures/console.ts';
import {
  addInventory,
  addKey,
  addProject,
  addRepository,
  addTemplate,
  addVariableGroup,
  launchTemplate,
} from './fixtures/console-forms.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type ReverseProxy, startProxy } from './fixtures/nginx.ts';
import { findFreePort } from './fixtures/port.ts';
import { proveSecretsAreNowhere } from './fixtures/secret-proof.ts';
import { hashSecret, makeSecretScene, type SecretScene } from './fixtures/secret-scene.ts';
import { makeServer, type SignalboxServer } from './fixtures/server.ts';
import { type Sshd, startSshd } from './fixtures/sshd.ts';
import { traceWords } from './fixtures/strace.ts';
import { readLog, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('root', 'chromium', 'strace', 'sshd', 'sudo', 'ansible-playbook', 'nginx');

describe.skipIf(missing).each([
  ['at the root of a host', ''],
  ['under a base path behind nginx', '/ops/signalbox'],
])(`the first task, %s${because(missing)}`, (_, basePath) => {
  const since = Date.now();
  const taskIds: number[] = [];
  let scene: SecretScene;
  let sshd: Sshd;
  let proxy: ReverseProxy | undefined;
  let server: SignalboxServer;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;
  let api: Api;
  let records: string[];
  let projectId = 0;

  beforeAll(async () => {
    scene = await makeSecretScene();
    records = ['server.trace', 'sshd.trace'].map((name) => join(scene.home.path, name));
    sshd = await startSshd(traceWords(records[1] ?? '', true));
    const front = await findFreePort();
    server = await makeServer({
      localRepositories: [scene.repository.parent],
      wrap: traceWords(records[0] ?? ''),
      ...(basePath === '' ? {} : { basePath, origin: `http://127.0.0.1:${front}` }),
    });
    if (basePath !== '') proxy = await startProxy(front, server.port, basePath);
    await server.start();
    api = await server.signIn();
    browser = await launchBrowser();
    window = await browser.open(proxy?.origin ?? server.url);
    page = window.page;
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  test('a person signs in and makes a project with keys, repository, inventory and variable group', async () => {
    await page.goto(`${basePath}/`);
    await signInAsAdmin(page);
    await addProject(page, 'First train');
    projectId = readProjectId(page);
    await addKey(page, { name: 'Nothing' });
    await addKey(page, {
      name: 'Host key',
      ssh: { login: sshd.user, passphrase: sshd.passphrase, privateKey: sshd.privateKey },
    });
    await addKey(page, { name: 'Become', login: 'root', password: sshd.password });
    await addKey(page, { name: 'Vault', login: '', password: scene.secrets.vaultPassword });
    await addRepository(page, {
      name: 'Scripts',
      url: `file://${scene.repository.path}`,
      branch: 'main',
      key: 'Nothing',
    });
    await addInventory(page, {
      name: 'Target',
      key: 'Host key',
      becomeKey: 'Become',
      content: `target ansible_host=127.0.0.1 ansible_port=${sshd.port}`,
    });
    await addVariableGroup(page, {
      name: 'Tokens',
      variables: { gate: scene.gate },
      secrets: [
        { kind: 'var', name: 'DEPLOY_TOKEN', value: scene.secrets.variable },
        { kind: 'env', name: 'PROCESS_TOKEN', value: scene.secrets.environment },
      ],
    });
  });

  /** Watches the task from its first line to its end, in the browser; returns the text of its log. */
  async function watchTask(): Promise<string> {
    const view = page.getByRole('article');
    await view.getByText('first line', { exact: false }).first().waitFor();
    await view.getByText('Running', { exact: true }).first().waitFor();
    const taskId = Number(new URL(page.url()).searchParams.get('t') ?? /\/tasks\/(\d+)/.exec(page.url())?.[1]);
    expect((await api.call(taskRoutes.get, { params: { project_id: projectId, task_id: taskId } })).status).toBe(
      'running',
    );
    taskIds.push(taskId);
    await writeFile(scene.gate, '');
    await view.getByText('Success', { exact: true }).first().waitFor({ timeout: 90_000 });
    const place = { project_id: projectId, task_id: taskId };
    const task = await waitForSuccess(api, place);
    const head = await scene.repository.head();
    expect(task.commit_hash).toBe(head);
    await view.getByText(head.slice(0, 10)).first().waitFor();
    await rm(scene.gate);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    return (await readLog(api, place)).join('\n');
  }

  test('a Bash task shows its first line while it runs, succeeds, and received the secrets', async () => {
    const { secrets } = scene;
    await addTemplate(page, {
      app: 'Bash Script',
      name: 'Secrets by script',
      playbook: 'ops/secrets.sh',
      repository: 'Scripts',
      environment: 'Tokens',
    });
    await launchTemplate(page, 'Secrets by script', {});
    const log = await watchTask();
    expect(log).toContain(`sha256 DEPLOY_TOKEN ${hashSecret(secrets.variable)}`);
    expect(log).toContain(`sha256 PROCESS_TOKEN ${hashSecret(secrets.environment)}`);
    expect(log).toContain(`sha256 file ${hashSecret(secrets.variable)}`);
    expect(log).toContain('vars file mode 600');
    expect(log).toContain(`head ${await scene.repository.head()}`);
    expect(log.match(/^leak (one|two|three) .*end$/gm)).toHaveLength(3);
  });

  test('an Ansible task signs in with key, become and vault password, and received the secrets', async () => {
    const { secrets } = scene;
    await addTemplate(page, {
      app: 'Ansible Playbook',
      name: 'Secrets by playbook',
      playbook: 'site.yml',
      repository: 'Scripts',
      environment: 'Tokens',
      inventory: 'Target',
      survey: { name: 'answer', title: 'Answer' },
      vaultKey: 'Vault',
    });
    await launchTemplate(page, 'Secrets by playbook', { Answer: secrets.answer });
    const log = await watchTask();
    const hashes = {
      DEPLOY_TOKEN: secrets.variable,
      PROCESS_TOKEN: secrets.environment,
      answer: secrets.answer,
      vaulted: secrets.vaulted,
    };
    for (const [name, secret] of Object.entries(hashes)) expect(log).toContain(`sha256 ${name} ${hashSecret(secret)}`);
    expect(log).toContain('became root');
  });

  test('the secrets are in no answer, frame, argument list, table or file', async () => {
    expect(taskIds).toHaveLength(2);
    const key = sshd.privateKey.split('\n').slice(1, -2).join('\n');
    await proveSecretsAreNowhere({
      server,
      api,
      scene,
      sshd,
      secrets: [...Object.values(scene.secrets), sshd.password, sshd.passphrase, key],
      ids: { project_id: [projectId], task_id: taskIds },
      received: window.received,
      records,
      since,
    });
  });

  test('the console did nothing that it must not', async () => {
    await window.close();
  });
});
