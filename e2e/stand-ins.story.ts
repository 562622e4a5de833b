import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { type Launch, type TaskItem, taskRoutes } from '@signalbox/contract/tasks';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { hashSecret } from './fixtures/secret-scene.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { makePowershellScript } from './fixtures/stand-in-pwsh.ts';
import type { ToolCall } from './fixtures/stand-in-record.ts';
import { makeStandIns, type StandIns, type StandInTool } from './fixtures/stand-ins.ts';
import { launch, readLog, type TaskPlace, waitForEnd, waitForTask } from './fixtures/tasks.ts';
import { makeTempDir, type TempDir } from './fixtures/temp-dir.ts';

/** What OpenTofu, Pulumi and PowerShell are given: the real ones where they are installed, else programs that speak as much of them. */

const code = `variable "answer" { sensitive = true }
resource "terraform_data" "one" {
  input = "v1"
}
output "answer" { value = nonsensitive(sha256(var.answer)) }
`;
const secrets = { DEPLOY_TOKEN: "deploy-'$x", PROCESS_TOKEN: 'process "token"', answer: 'secret answer 4711' };
const survey: Template['survey_vars'] = [
  { name: 'name', title: 'Name', description: '', type: '', required: true, values: [] },
  { name: 'count', title: 'Count', description: '', type: 'int', required: true, values: [] },
  {
    name: 'stage',
    title: 'Stage',
    description: '',
    type: 'enum',
    required: true,
    values: [{ name: 'Live', value: 'l' }],
  },
  { name: 'answer', title: 'Answer', description: '', type: 'secret', required: true, values: [] },
];
const answers = {
  environment: JSON.stringify({ name: 'two words', count: '7', stage: 'l' }),
  secret: JSON.stringify({ answer: secrets.answer }),
};

let home: TempDir;
let standIns: StandIns;
let repository: GitRepository;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
beforeAll(async () => {
  home = await makeTempDir('stand-ins');
  standIns = await makeStandIns(home.path);
  repository = await makeGitRepository({
    'tofu/main.tf': code,
    'own/main.tf': `terraform {\n  backend "local" {}\n}\n${code}`,
    'cloud/Pulumi.yaml': 'name: signals\nruntime: yaml\n',
    'run.ps1': makePowershellScript(['DEPLOY_TOKEN', 'PROCESS_TOKEN', 'answer']),
  });
  server = await startServer({
    localRepositories: [repository.parent],
    env: { PATH: `${standIns.directory}:${process.env.PATH}`, SIGNALBOX_NOT_FOR_TOOLS: 'x' },
  });
  await server.waitForRunner();
  api = await server.signIn();
  workshop = await makeWorkshop(api, `file://${repository.path}`);
  const secret = (type: 'var' | 'env', name: string, value: string) =>
    ({ type, name, secret: value, operation: 'create' }) as const;
  const group = await api.call(environmentRoutes.create, {
    params: { project_id: workshop.projectId },
    body: {
      name: 'Everything',
      json: JSON.stringify({ zone: 'eu', list: [1, 'a'], name: 'of the group' }),
      env: JSON.stringify({ PULUMI_BACKEND_URL: standIns.pulumiStates, PLAIN: 'plain' }),
      secrets: [
        secret('var', 'DEPLOY_TOKEN', secrets.DEPLOY_TOKEN),
        secret('env', 'PROCESS_TOKEN', secrets.PROCESS_TOKEN),
        secret('env', 'PULUMI_CONFIG_PASSPHRASE', 'pass phrase'),
      ],
    },
  });
  workshop = { ...workshop, environmentId: group.id };
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await repository?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

const aTemplate = (app: string, playbook: string, inventory_id: number | null = null): Promise<Template> =>
  addTemplate(api, workshop, {
    name: `${app} ${playbook}`,
    playbook,
    app,
    inventory_id,
    survey_vars: survey,
    arguments: '["--parallel=2"]',
    ...(app === 'tofu' ? { arguments: '["-parallelism=2"]' } : {}),
  });
const run = (template: Template, more: Partial<Launch> = {}) => launch(api, template, { ...answers, ...more });
const isWaiting = ({ status }: TaskItem) => status === 'waiting_confirmation';

/** What a task called of a tool, from the first start to the last. */
async function callsOf(tool: StandInTool, { task_id }: TaskPlace): Promise<ToolCall[]> {
  const id = hashSecret(String(task_id));
  return (await standIns.readCalls()).filter((call) => call.tool === tool && call.env.SEMAPHORE_TASK_ID === id);
}

/** The words of each call, with the directory of the task's secrets as S. */
const wordsOf = (calls: ToolCall[]): string[] =>
  calls.map(({ args }) => args.join(' ').replaceAll(/\/\S*\/(?=[a-z.-]+\.(?:bin|json|yaml)\b|value-)/g, 'S/'));

const variables = {
  zone: 'eu',
  list: [1, 'a'],
  name: 'two words',
  count: '7',
  stage: 'l',
  DEPLOY_TOKEN: secrets.DEPLOY_TOKEN,
  answer: secrets.answer,
};

function checkEnvironment(call: ToolCall | undefined, due: Record<string, string>): void {
  expect(call?.env).toMatchObject({
    PROCESS_TOKEN: hashSecret(secrets.PROCESS_TOKEN),
    PLAIN: hashSecret('plain'),
    SIGNALBOX_TASK_TYPE: hashSecret('task'),
    SIGNALBOX_TASK_USERNAME: hashSecret('admin'),
    ...Object.fromEntries(Object.entries(due).map(([name, value]) => [name, hashSecret(value)])),
  });
  // The environment is made from a list: nothing of the server's own is in it.
  const ours = /^SIGNALBOX_(?:RUNNER$|TASK_(?:CLAIM|ID|TYPE|URL|USERNAME)$)/;
  expect(Object.keys(call?.env ?? {}).filter((name) => name.startsWith('SIGNALBOX_') && !ours.test(name))).toEqual([]);
}

test('OpenTofu gets the words, files and environment of its documentation, and applies what was confirmed', async () => {
  const template = await aTemplate('tofu', 'tofu');
  const first = await run(template, { params: { upgrade: true, reconfigure: true } });
  const planned = await waitForTask(api, first, isWaiting);
  expect(planned.plan).toMatchObject({ add: 1, changes: [{ address: 'terraform_data.one', action: 'create' }] });
  await api.call(taskRoutes.confirm, { params: first });
  expect(await waitForEnd(api, first)).toMatchObject({ status: 'success' });
  const calls = await callsOf('tofu', first);
  expect(wordsOf(calls)).toEqual([
    'init -input=false -upgrade -reconfigure',
    'plan -input=false -detailed-exitcode -out=S/plan.bin -var-file=S/variables.tfvars.json -parallelism=2',
    'show -json S/plan.bin',
    'apply -input=false S/plan.bin',
  ]);
  expect(new Set(calls.map(({ cwd }) => cwd.endsWith('/tofu')))).toEqual(new Set([true]));
  const [file] = Object.values(calls[1]?.files ?? {});
  expect(file?.mode).toBe('600');
  expect(JSON.parse(file?.text ?? '')).toEqual(variables);
  for (const call of calls)
    checkEnvironment(call, { TF_IN_AUTOMATION: '1', TF_INPUT: '0', TF_HTTP_LOCK_METHOD: 'POST' });
  expect((await readLog(api, first)).join('\n')).toContain(`answer = "${hashSecret(secrets.answer)}"`);

  const again = await run(template);
  expect(await waitForEnd(api, again)).toMatchObject({ status: 'success', plan: null });
  const gone = await run(template, { params: { destroy: true, auto_approve: true } });
  expect(await waitForEnd(api, gone)).toMatchObject({ status: 'success', plan: { destroy: 1 } });
  expect(wordsOf(await callsOf('tofu', gone))[1]).toContain(' -destroy -parallelism=2');
});

test('OpenTofu selects the workspace where the code has a backend of its own, and only plans when a plan is all', async () => {
  const { id } = await api.call(inventoryRoutes.create, {
    params: { project_id: workshop.projectId },
    body: { name: 'Staging', type: 'tofu-workspace', inventory: 'staging', ssh_key_id: workshop.keyId },
  });
  const place = await run(await aTemplate('tofu', 'own', id), { params: { plan: true } });
  expect(await waitForEnd(api, place)).toMatchObject({ status: 'success', plan: { add: 1 } });
  expect(wordsOf(await callsOf('tofu', place)).map((words) => words.split(' -out')[0])).toEqual([
    'init -input=false',
    'workspace select -or-create=true staging',
    'plan -input=false -detailed-exitcode',
    'show -json S/plan.bin',
  ]);
});

test('Pulumi gets each value by its standard input, and updates what was confirmed', async () => {
  const { id } = await api.call(inventoryRoutes.create, {
    params: { project_id: workshop.projectId },
    body: { name: 'Stack', type: 'static', inventory: 'dev\n', ssh_key_id: workshop.keyId },
  });
  const template = await aTemplate('pulumi', 'cloud', id);
  const first = await run(template);
  expect((await waitForTask(api, first, isWaiting, 120_000)).plan).toMatchObject({ add: 1, change: 0, destroy: 0 });
  await api.call(taskRoutes.confirm, { params: first });
  expect(await waitForEnd(api, first)).toMatchObject({ status: 'success' });
  const calls = await callsOf('pulumi', first);
  const general = '--stack=dev --non-interactive';
  const config = '--config-file=S/stack.yaml';
  expect(wordsOf(calls)).toEqual([
    'stack select --create --non-interactive -- dev',
    ...['count', 'list', 'name', 'stage', 'zone'].map(
      (name) => `config set ${general} ${config} --plaintext -- ${name}`,
    ),
    ...['DEPLOY_TOKEN', 'answer'].map((name) => `config set ${general} ${config} --secret -- ${name}`),
    `preview ${general} --diff --save-plan=S/plan.json ${config} --parallel=2`,
    `up ${general} --yes --skip-preview ${config} --plan=S/plan.json --parallel=2`,
  ]);
  expect(calls.slice(1, 8).map(({ input }) => input)).toEqual([
    '7',
    '[1,"a"]',
    'two words',
    'l',
    'eu',
    secrets.DEPLOY_TOKEN,
    secrets.answer,
  ]);
  const stored = calls[8]?.files[calls[8].args.find((word) => word.startsWith('--config-file=')) ?? ''];
  expect(stored?.text).not.toContain(secrets.answer);
  for (const call of calls)
    checkEnvironment(call, {
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_EXPERIMENTAL: 'true',
      PULUMI_CONFIG_PASSPHRASE: 'pass phrase',
    });

  const again = await run(template);
  expect(await waitForEnd(api, again)).toMatchObject({ status: 'success', plan: null });
  const gone = await run(template, { params: { destroy: true, auto_approve: true } });
  expect(await waitForEnd(api, gone)).toMatchObject({ status: 'success', plan: { destroy: 1 } });
  expect(wordsOf(await callsOf('pulumi', gone)).slice(-3)).toEqual([
    `destroy ${general} --preview-only ${config} --parallel=2`,
    `destroy ${general} --preview-only --json ${config} --parallel=2`,
    `destroy ${general} --yes --skip-preview ${config} --parallel=2`,
  ]);
});

test('PowerShell runs the script without a profile and without questions, its secrets by environment and file', async () => {
  const place = await run(await aTemplate('powershell', 'run.ps1'));
  expect(await waitForEnd(api, place)).toMatchObject({ status: 'success' });
  const log = (await readLog(api, place)).join('\n');
  const given = '--parallel=2 count=7 list=[1,"a"] name=two words stage=l zone=eu';
  expect(log).toContain(`args: ${given}`);
  expect(log).toContain(`task: ${place.task_id} task`);
  for (const [name, secret] of Object.entries(secrets)) expect(log).toContain(`sha256 ${name} ${hashSecret(secret)}`);
  for (const name of ['DEPLOY_TOKEN', 'answer'] as const)
    expect(log).toContain(`file ${name} ${hashSecret(secrets[name])}`);
  expect(log.match(/^leak \*\*\* end$/gm)).toHaveLength(3);
  const [call, ...rest] = await callsOf('pwsh', place);
  expect(rest).toEqual([]);
  expect(call?.args.join(' ')).toBe(`-NoProfile -NonInteractive -File run.ps1 ${given}`);
  checkEnvironment(call, { DEPLOY_TOKEN: secrets.DEPLOY_TOKEN, answer: secrets.answer });
});

for (const tool of ['tofu', 'pulumi', 'pwsh'] as const) {
  const missing = missingFor(tool);
  test.skipIf(missing !== '')(`${tool} was the real one in this story${because(missing)}`, () => {
    expect(standIns.isReal(tool)).toBe(true);
  });
}

test('a template cannot be made for a tool of which nobody knows', async () => {
  const params = { project_id: workshop.projectId };
  const body = {
    name: 'x',
    app: 'nomad',
    playbook: 'x',
    repository_id: workshop.repositoryId,
    environment_id: workshop.environmentId,
  };
  await expect(api.call(templateRoutes.create, { params, body })).rejects.toThrow('answered 400');
});
