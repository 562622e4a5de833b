import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { keyRoutes } from '@signalbox/contract/keys';
import { type TaskItem, taskRoutes } from '@signalbox/contract/tasks';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { terraformRoutes } from '@signalbox/contract/terraform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { requireProgram } from './fixtures/program.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, readLog, stopTask, type TaskPlace, waitForEnd, waitForLine, waitForTask } from './fixtures/tasks.ts';
import { makeTempDir } from './fixtures/temp-dir.ts';

const missing = missingFor('terraform');

const plain = (value: string) => `
resource "terraform_data" "one" { input = "${value}" }
resource "terraform_data" "two" { input = terraform_data.one.output }
`;
/** Takes a while between its first and its second object. */
const slow = `
resource "terraform_data" "first" { input = "done" }
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo at-work; sleep 60" }
}
`;

let repository: GitRepository;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
beforeAll(async () => {
  repository = await makeGitRepository({ 'plain/main.tf': plain('v1'), 'slow/main.tf': slow });
  server = await startServer({ localRepositories: [repository.parent] });
  await server.waitForRunner();
  api = await server.signIn();
  workshop = await makeWorkshop(api, `file://${repository.path}`);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

const aTemplate = (name: string, playbook: string): Promise<Template> =>
  addTemplate(api, workshop, { name, playbook, app: 'terraform', inventory_id: null });

const isWaiting = ({ status }: TaskItem) => status === 'waiting_confirmation';
const confirm = (place: TaskPlace) => api.call(taskRoutes.confirm, { params: place });
const listStates = async (template: Template) => {
  const { inventory_id } = await api.call(templateRoutes.get, {
    params: { project_id: workshop.projectId, template_id: template.id },
  });
  const params = { project_id: workshop.projectId, inventory_id: inventory_id ?? 0 };
  return { params, states: await api.call(terraformRoutes.listStates, { params }) };
};

test.skipIf(missing !== '')(
  `a plan is confirmed, applied as it was shown, and the next one has nothing to do${because(missing)}`,
  async () => {
    const template = await aTemplate('Plain', 'plain');
    const first = await launch(api, template);
    const planned = await waitForTask(api, first, isWaiting);
    expect(planned.plan).toMatchObject({ add: 2, change: 0, destroy: 0 });
    expect(planned.plan?.changes.map(({ address }) => address)).toEqual(['terraform_data.one', 'terraform_data.two']);
    // What moves meanwhile is not what was confirmed.
    await repository.commit('Second', { 'plain/main.tf': plain('v2') });
    await confirm(first);
    expect(await waitForEnd(api, first)).toMatchObject({ status: 'success', commit_hash: planned.commit_hash });
    const { states } = await listStates(template);
    expect(states[0]).toMatchObject({ task_id: first.task_id, status: 'success' });

    const second = await launch(api, template, { commit_hash: planned.commit_hash ?? '' });
    expect(await waitForEnd(api, second)).toMatchObject({ status: 'success', plan: null });
    expect((await readLog(api, second)).join('\n')).toContain('Nothing would change');

    const third = await launch(api, template);
    expect((await waitForTask(api, third, isWaiting)).plan).toMatchObject({ change: 2 });
    await api.call(taskRoutes.reject, { params: third });
    expect(await waitForEnd(api, third)).toMatchObject({ status: 'stopped', reason: 'The plan was rejected' });

    const gone = await launch(api, template, { params: { destroy: true, auto_approve: true } });
    expect(await waitForEnd(api, gone)).toMatchObject({ status: 'success', plan: { destroy: 2 } });
    expect((await listStates(template)).states[0]?.task_id).toBe(gone.task_id);
  },
);

test.skipIf(missing !== '')(
  `a lock of somebody else keeps a task out, until it is given back${because(missing)}`,
  async () => {
    const template = await aTemplate('Locked', 'plain');
    const { params } = await listStates(template);
    const key = await api.call(keyRoutes.create, {
      params: { project_id: workshop.projectId },
      body: { name: 'State', type: 'login_password', login_password: { login: 'tf', password: 'of-the-state' } },
    });
    const { url } = await api.call(terraformRoutes.createAlias, { params, body: { auth_key_id: key.id } });
    const call = (method: string, body: object) =>
      fetch(`${url}/lock`, {
        method,
        headers: { authorization: `Basic ${Buffer.from('tf:of-the-state').toString('base64')}` },
        body: JSON.stringify(body),
      });
    expect((await call('POST', { ID: 'mine', Who: 'ann@laptop' })).status).toBe(200);
    const refused = await launch(api, template, { params: { auto_approve: true } });
    expect(await waitForEnd(api, refused)).toMatchObject({ status: 'error' });
    expect((await readLog(api, refused)).join('\n')).toContain('ID=mine');
    expect((await call('DELETE', { ID: 'mine' })).status).toBe(200);
    const free = await launch(api, template, { params: { auto_approve: true } });
    expect(await waitForEnd(api, free)).toMatchObject({ status: 'success' });
  },
);

test.skipIf(missing !== '')(
  `people use the state of a template with a Terraform of their own, lock it, and unlock it by force${because(missing)}`,
  async () => {
    const template = await aTemplate('Shared', 'plain');
    const { params } = await listStates(template);
    const key = await api.call(keyRoutes.create, {
      params: { project_id: workshop.projectId },
      body: { name: 'Own', type: 'login_password', login_password: { login: 'tf', password: 'of-the-state' } },
    });
    const { url } = await api.call(terraformRoutes.createAlias, { params, body: { auth_key_id: key.id } });
    await using home = await makeTempDir('laptop');
    const backend = `terraform {
  backend "http" {
    address        = "${url}"
    lock_address   = "${url}"
    unlock_address = "${url}"
  }
}
`;
    await writeFile(join(home.path, 'main.tf'), `${backend}${plain('v2')}`);
    const terraform = (...args: string[]) =>
      requireProgram('terraform', args, {
        cwd: home.path,
        env: {
          PATH: process.env.PATH ?? '',
          TF_HTTP_USERNAME: 'tf',
          TF_HTTP_PASSWORD: 'of-the-state',
          CHECKPOINT_DISABLE: '1',
        },
      });
    await terraform('init', '-input=false', '-no-color');
    await terraform('apply', '-auto-approve', '-no-color');
    const { states } = await listStates(template);
    expect(states[0]).toMatchObject({ task_id: null });

    // The task finds what was made there; both switches of its start are those of the tool.
    const same = await launch(api, template, { params: { upgrade: true, reconfigure: true } });
    expect(await waitForEnd(api, same)).toMatchObject({ status: 'success', plan: null });

    const held = { ID: '6f9619ff-8b86-d011-b42d-00c04fc964ff', Operation: 'OperationTypeApply', Who: 'ann@laptop' };
    const authorization = `Basic ${Buffer.from('tf:of-the-state').toString('base64')}`;
    const lock = await fetch(url, { method: 'LOCK', headers: { authorization }, body: JSON.stringify(held) });
    expect(lock.status).toBe(200);
    await expect(terraform('plan', '-no-color', '-lock-timeout=0s')).rejects.toThrow(held.ID);
    const refused = await launch(api, template, { params: { plan: true } });
    expect(await waitForEnd(api, refused)).toMatchObject({ status: 'error' });
    await terraform('force-unlock', '-force', held.ID);
    const free = await launch(api, template, { params: { plan: true } });
    expect(await waitForEnd(api, free)).toMatchObject({ status: 'success' });
    await terraform('destroy', '-auto-approve', '-no-color');
    const again = await launch(api, template, { params: { plan: true } });
    expect(await waitForEnd(api, again)).toMatchObject({ status: 'success' });
    expect((await readLog(api, again)).join('\n')).toContain('Planned: 2 to add');
  },
);

test.skipIf(missing !== '')(
  `a stop in the middle of an apply keeps what was done and gives the lock back; a kill leaves a lock that the next task takes over${because(missing)}`,
  async () => {
    const template = await aTemplate('Slow', 'slow');
    const stopped = await launch(api, template, { params: { auto_approve: true } });
    await waitForLine(api, stopped, 'at-work');
    await stopTask(api, stopped);
    expect(await waitForEnd(api, stopped)).toMatchObject({ status: 'stopped' });
    const { params, states } = await listStates(template);
    expect(states[0]?.task_id).toBe(stopped.task_id);
    const state = await api.call(terraformRoutes.getState, { params: { ...params, state_id: states[0]?.id ?? 0 } });
    expect(state.state).toContain('"first"');

    const killed = await launch(api, template, { params: { auto_approve: true } });
    await waitForLine(api, killed, 'at-work');
    await stopTask(api, killed);
    await stopTask(api, killed, true);
    expect(await waitForEnd(api, killed)).toMatchObject({ status: 'stopped' });

    const next = await launch(api, template, { params: { plan: true } });
    expect(await waitForEnd(api, next)).toMatchObject({ status: 'success' });
  },
);

test.skipIf(missing !== '')(
  `a stop during a slow write of the state loses nothing of it${because(missing)}`,
  async () => {
    await using slowServer = await startStateServer();
    await repository.commit('Own backend', {
      'own/main.tf': `terraform {
  backend "http" {
    address        = "${slowServer.url}"
    lock_address   = "${slowServer.url}"
    unlock_address = "${slowServer.url}"
  }
}
${plain('x')}`,
    });
    const template = await aTemplate('Own backend', 'own');
    const place = await launch(api, template, { params: { auto_approve: true } });
    await slowServer.writing;
    await stopTask(api, place);
    expect(await waitForEnd(api, place)).toMatchObject({ status: 'stopped' });
    expect(slowServer.state).toContain('terraform_data');
    expect(slowServer.isLocked).toBe(false);
  },
);

type StateServer = AsyncDisposable & { url: string; state: string; isLocked: boolean; writing: Promise<void> };

/** Takes three seconds for each state that it is given. */
async function startStateServer(): Promise<StateServer> {
  const writing = Promise.withResolvers<void>();
  const web: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      const finish = (status: number, text = '') => response.writeHead(status).end(text);
      if (request.method === 'LOCK' || request.method === 'UNLOCK') {
        states.isLocked = request.method === 'LOCK';
        finish(200);
      } else if (request.method === 'POST') {
        writing.resolve();
        setTimeout(() => {
          states.state = body;
          finish(200);
        }, 3000);
      } else finish(states.state === '' ? 404 : 200, states.state);
    });
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const states: StateServer = {
    url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    state: '',
    isLocked: false,
    writing: writing.promise,
    [Symbol.asyncDispose]: () => new Promise((resolve) => web.close(() => resolve())),
  };
  return states;
}
