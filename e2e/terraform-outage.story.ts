import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { taskRoutes } from '@signalbox/contract/tasks';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { terraformRoutes } from '@signalbox/contract/terraform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { findFreePort } from './fixtures/port.ts';
import { findMarked, signal } from './fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import {
  launch,
  readLog,
  type TaskPlace,
  waitForEnd,
  waitForLine,
  waitForSuccess,
  waitForTask,
} from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

const missing = missingFor('terraform');

let repository: GitRepository;
let server: SignalboxServer;
let workshop: Workshop;
beforeAll(async () => {
  repository = await makeGitRepository({});
  server = await startServer({ localRepositories: [repository.parent] });
  await server.waitForRunner();
  workshop = await makeWorkshop(await server.signIn(), `file://${repository.path}`);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

type Held = { readonly template: Template; readonly gate: string };

const plainCode = (name: string) => `resource "terraform_data" "first" { input = "${name}" }\n`;
/** Its apply is at its last object until there is a file. */
const heldCode = (gate: string) => `
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo at-work; while [ ! -e '${gate}' ]; do sleep 0.05; done" }
}
`;

/** @param isNew without a state that an earlier apply has left */
async function aHeldTemplate(name: string, isNew: boolean): Promise<Held> {
  const api = await server.signIn();
  const gate = join(repository.parent, `${name}.gate`);
  await repository.commit('First', { [`${name}/main.tf`]: plainCode(name) });
  const template = await addTemplate(api, workshop, { name, playbook: name, app: 'terraform', inventory_id: null });
  if (!isNew) await waitForSuccess(api, await launch(api, template, { params: { auto_approve: true } }));
  await repository.commit('Second', { [`${name}/main.tf`]: plainCode(name) + heldCode(gate) });
  return { template, gate };
}

/** Its apply has done its work while no server was there. */
async function applyWithoutServer({ template, gate }: Held): Promise<TaskPlace> {
  const api = await server.signIn();
  const task = await launch(api, template, { params: { auto_approve: true } });
  await waitForLine(api, task, 'at-work');
  await server.kill();
  await writeFile(gate, '');
  await waitUntil('the work is done', () => findMarked(gate).length === 0);
  return task;
}

async function readNewestState(api: Api, template: Template): Promise<string> {
  const project_id = workshop.projectId;
  const { inventory_id } = await api.call(templateRoutes.get, { params: { project_id, template_id: template.id } });
  const params = { project_id, inventory_id: inventory_id ?? 0 };
  const [newest] = await api.call(terraformRoutes.listStates, { params });
  return (await api.call(terraformRoutes.getState, { params: { ...params, state_id: newest?.id ?? 0 } })).state;
}

async function expectNothingToDo(api: Api, template: Template): Promise<void> {
  const next = await launch(api, template, { params: { auto_approve: true } });
  expect(await waitForEnd(api, next)).toMatchObject({ status: 'success', plan: null });
}

test.skipIf(missing !== '')(
  `an apply that ends while the server is away, and is on another port when it is back, loses no state${because(missing)}`,
  async () => {
    const held = await aHeldTemplate('moved', true);
    const task = await applyWithoutServer(held);
    await server.start(await findFreePort());
    const api = await server.signIn();
    expect(await waitForEnd(api, task)).toMatchObject({ status: 'success' });
    expect(await readNewestState(api, held.template)).toContain('"second"');
    expect((await readLog(api, task)).join('\n')).toContain('The server does not answer: its part of the state waits');
    await expectNothingToDo(api, held.template);
  },
);

test.skipIf(missing !== '')(
  `a state that waits for the server outlives its runner: the next one brings it before the task ends${because(missing)}`,
  async () => {
    const held = await aHeldTemplate('outlived', false);
    const task = await applyWithoutServer(held);
    await waitUntil('the runner has the state of the whole apply', async () => {
      const [file] = globSync(join(server.dataDir, `runner/tasks/${task.task_id}-*/unsaved.tfstate`));
      return file !== undefined && (await readFile(file, 'utf8')).includes('"second"');
    });
    signal((await server.waitForRunner()).pid, 'SIGKILL');
    await server.start();
    const api = await server.signIn();
    expect(await waitForEnd(api, task)).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('runner lost'),
    });
    expect(await readNewestState(api, held.template)).toContain('"second"');
    expect((await readLog(api, task)).join('\n')).toContain('The state that the tool had not brought to the server is');
    await expectNothingToDo(api, held.template);
  },
);

test.skipIf(missing !== '')(
  `a plan is applied although the server has moved since it was made${because(missing)}`,
  async () => {
    const held = await aHeldTemplate('planned', true);
    await writeFile(held.gate, '');
    const before = await server.signIn();
    const task = await launch(before, held.template);
    await waitForTask(before, task, ({ status }) => status === 'waiting_confirmation');
    await server.kill();
    await server.start(await findFreePort());
    const api = await server.signIn();
    await api.call(taskRoutes.confirm, { params: task });
    expect(await waitForEnd(api, task)).toMatchObject({ status: 'success' });
    expect(await readNewestState(api, held.template)).toContain('"second"');
  },
);
