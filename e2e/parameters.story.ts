import { stripVTControlCharacters } from 'node:util';
import { appRoutes } from '@signalbox/contract/apps';
import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import type { Launch } from '@signalbox/contract/tasks';
import { teamRoutes } from '@signalbox/contract/team';
import type { Template, TemplateInput } from '@signalbox/contract/templates';
import { userRoutes } from '@signalbox/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { hashSecret } from './fixtures/secret-scene.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { makeStandIns, type StandIns } from './fixtures/stand-ins.ts';
import { launch, readLog, type TaskPlace, waitForSuccess } from './fixtures/tasks.ts';
import { tellingCode } from './fixtures/telling-code.ts';
import { makeTempDir, type TempDir } from './fixtures/temp-dir.ts';

/** What a launch can say, and what of it reaches the tool: as somebody who may only run tasks. */

const origin = 'https://ops.example.org';
const basePath = '/signals';
const needsAnsible = missingFor('ansible-playbook');
const needsTerraform = missingFor('terraform');

const question = (name: string, type: '' | 'int' | 'enum') =>
  ({ name, title: name, description: '', type, required: false, values: [{ name: 'Live', value: 'l' }] }) as const;

let home: TempDir;
let standIns: StandIns;
let repository: GitRepository;
let server: SignalboxServer;
let admin: Api;
let runner: Api;
let workshop: Workshop;
let stackId: number;
beforeAll(async () => {
  home = await makeTempDir('parameters');
  standIns = await makeStandIns(home.path);
  repository = await makeGitRepository(tellingCode);
  server = await startServer({
    localRepositories: [repository.parent],
    origin,
    basePath,
    env: { PATH: `${standIns.directory}:${process.env.PATH}` },
  });
  await server.waitForRunner();
  admin = await server.signIn();
  workshop = await makeWorkshop(admin, `file://${repository.path}`);
  const params = { project_id: workshop.projectId };
  const hosts = 'web1 ansible_connection=local\nweb2 ansible_connection=local\n';
  const addInventory = async (name: string, inventory: string): Promise<number> =>
    (
      await admin.call(inventoryRoutes.create, {
        params,
        body: { name, type: 'static', inventory, ssh_key_id: workshop.keyId },
      })
    ).id;
  stackId = await addInventory('Stack', 'dev');
  const group = await admin.call(environmentRoutes.create, {
    params,
    body: {
      name: 'Group',
      json: JSON.stringify({ group: 'of the group', who: 'of the group' }),
      env: JSON.stringify({ PULUMI_BACKEND_URL: standIns.pulumiStates, PULUMI_CONFIG_PASSPHRASE: 'x' }),
    },
  });
  workshop = { ...workshop, inventoryId: await addInventory('Hosts', hosts), environmentId: group.id };
  await admin.call(appRoutes.save, {
    params: { app_id: 'ours' },
    body: { title: 'Ours', path: '/bin/bash', args: ['--norc'], active: true },
  });
  const password = 'only runs tasks 1';
  const person = { username: 'tess', name: 'Tess', email: 'tess@example.org', password };
  const { id: user_id } = await admin.call(userRoutes.create, { body: person });
  await admin.call(teamRoutes.add, { params, body: { user_id, role: 'task_runner' } });
  runner = new Api(server.url);
  await runner.signIn('tess', password);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await repository?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

const aTemplate = (name: string, app: string, playbook: string, more: Partial<TemplateInput> = {}): Promise<Template> =>
  addTemplate(admin, workshop, { ...(app === 'ansible' ? {} : { inventory_id: null }), ...more, name, app, playbook });

/** Launched by somebody who may only run tasks; what it printed, without colours. */
async function run(template: Template, more: Partial<Launch> = {}): Promise<{ place: TaskPlace; log: string }> {
  const place = await launch(runner, template, more);
  await waitForSuccess(runner, place, 120_000);
  return { place, log: stripVTControlCharacters((await readLog(runner, place)).join('\n')) };
}

/** What the playbook tells on each host. */
function readTold(log: string): Record<string, unknown>[] {
  const texts = [...log.matchAll(/"msg": ("told .*")$/gm)].map(([, text = '""']): string => JSON.parse(text));
  return texts.map((text) => JSON.parse(text.slice('told '.length)));
}

const lists = { limit: ['web1'], tags: ['one'], skip_tags: ['two'] };
const switches = (isOn: boolean) => ({
  allow_override_inventory: isOn,
  allow_override_limit: isOn,
  allow_override_tags: isOn,
  allow_override_skip_tags: isOn,
  allow_debug: isOn,
  auto_approve: false,
});

describe.skipIf(needsAnsible)(`Ansible${because(needsAnsible)}`, () => {
  test('gets limit, tags and skipped tags of the template, and the arguments of both', async () => {
    const template = await aTemplate('Lists of the template', 'ansible', 'tell.yml', {
      task_params: { ...lists, ...switches(true) },
      arguments: '["--forks", "3"]',
      allow_override_args_in_task: true,
    });
    const told = readTold((await run(template, { arguments: '["--forks=7"]' })).log);
    expect(told).toMatchObject([{ host: 'web1', limit: 'web1', tags: ['one'], skip_tags: ['two'], forks: 7 }]);
    expect(told[0]).toMatchObject({ check: false, diff: false, verbosity: 0 });
    expect(readTold((await run(template)).log)).toMatchObject([{ forks: 3 }]);
  });

  test('gets the lists and switches of the launch instead, and none where they were emptied', async () => {
    const template = await aTemplate('Lists of the launch', 'ansible', 'tell.yml', {
      task_params: { ...lists, ...switches(true) },
    });
    const params = {
      limit: ['web2'],
      tags: ['two', 'other'],
      skip_tags: ['one'],
      debug: true,
      dry_run: true,
      diff: true,
    };
    const { log } = await run(template, { params });
    expect(readTold(log)).toMatchObject([
      {
        host: 'web2',
        limit: 'web2',
        tags: expect.arrayContaining(['two', 'other']),
        skip_tags: ['one'],
        check: true,
        diff: true,
        verbosity: 4,
      },
    ]);
    expect(log).toContain('ran two');
    expect(log).not.toContain('ran one');
    const emptied = readTold((await run(template, { params: { limit: [], tags: [], skip_tags: [] } })).log);
    expect(emptied.map(({ host }) => host).sort()).toEqual(['web1', 'web2']);
    expect(emptied[0]).toMatchObject({ limit: null, tags: ['all'], skip_tags: [] });
    // Members of the older product, at the top.
    expect(readTold((await run(template, { limit: 'web2', diff: true })).log)).toMatchObject([
      { host: 'web2', diff: true },
    ]);
  });

  test('is not told what the template does not let be set', async () => {
    const template = await aTemplate('Closed', 'ansible', 'tell.yml', {
      task_params: { limit: ['web1'], tags: [], skip_tags: [], ...switches(false) },
    });
    const refused: [string, Partial<Launch>][] = [
      ['params.limit', { params: { limit: ['web2'] } }],
      ['params.tags', { params: { tags: ['one'] } }],
      ['params.skip_tags', { params: { skip_tags: ['one'] } }],
      ['params.debug', { params: { debug: true } }],
      ['inventory_id', { inventory_id: stackId }],
      ['arguments', { arguments: '["--forks=7"]' }],
      ['playbook', { playbook: 'other.yml' }],
      ['git_branch', { git_branch: 'other' }],
      ['environment.extra', { environment: '{"extra":1}' }],
      ['secret.extra', { secret: '{"extra":"1"}' }],
    ];
    for (const [path, more] of refused) {
      await expect(launch(runner, template, more), path).rejects.toThrow(`"path":"${path}"`);
    }
    // Whoever may change the template is not bound by it.
    const place = await launch(admin, template, {
      params: { limit: ['web2'] },
      environment: '{"group":"of the launch"}',
    });
    await waitForSuccess(admin, place);
    const log = stripVTControlCharacters((await readLog(admin, place)).join('\n'));
    expect(readTold(log)).toMatchObject([{ host: 'web2', group: 'of the launch' }]);
  });

  test('gets the answers over the variable group', async () => {
    const survey_vars = [question('who', ''), question('count', 'int'), question('stage', 'enum')].map((each) => ({
      ...each,
      values: [...each.values],
    }));
    const template = await aTemplate('Survey', 'ansible', 'tell.yml', {
      survey_vars,
      task_params: { limit: ['web1'], tags: [], skip_tags: [], ...switches(false) },
    });
    const answers = { who: "it's {me}", count: '12', stage: 'l' };
    const [told] = readTold((await run(template, { environment: JSON.stringify(answers) })).log);
    expect(told).toMatchObject({ survey: ["it's {me}", '12', 'l'], group: 'of the group' });
    const [quiet] = readTold((await run(template)).log);
    expect(quiet).toMatchObject({ survey: ['of the group', null, null] });
    for (const [wrong, name] of [
      [{ count: '1.5' }, 'count'],
      [{ stage: 'Live' }, 'stage'],
    ] as const) {
      await expect(launch(runner, template, { environment: JSON.stringify(wrong) })).rejects.toThrow(
        `environment.${name}`,
      );
    }
  });
});

test('scripts get the arguments of the template, then those of the launch, then the variables by name', async () => {
  const template = await aTemplate('Arguments', 'bash', 'tell.bash', {
    arguments: '["one", "two words"]',
    allow_override_args_in_task: true,
  });
  const { log } = await run(template, { arguments: '["--three", "$(id)"]' });
  expect(log).toContain('args [one][two words][--three][$(id)][group=of the group][who=of the group]');
});

test.skipIf(needsTerraform !== '')(
  `Terraform gets the answers by a file, and upgrade and reconfigure at its start${because(needsTerraform)}`,
  async () => {
    const survey_vars = [question('who', ''), question('count_', 'int'), question('stage', 'enum')].map((each) => ({
      ...each,
      values: [...each.values],
    }));
    const template = await aTemplate('Answers', 'terraform', 'infra', { survey_vars });
    const environment = JSON.stringify({ who: 'quote " and $' + '{x}', count_: '12', stage: 'l' });
    const { log } = await run(template, {
      environment,
      params: { auto_approve: true, upgrade: true, reconfigure: true },
    });
    expect(JSON.parse(/^survey = (".*")$/m.exec(log)?.[1]?.replaceAll('$$', '$') ?? '""')).toBe(
      JSON.stringify(['quote " and $' + '{x}', '12', 'l', 'of the group']),
    );
  },
);

const apps = [
  ['ansible', 'tell.yml', needsAnsible],
  ['bash', 'tell.bash', ''],
  ['python', 'tell.py', ''],
  ['powershell', 'tell.ps1', ''],
  ['terraform', 'infra', needsTerraform],
  ['tofu', 'infra', ''],
  ['pulumi', 'cloud', ''],
  ['ours', 'tell.bash', ''],
] as const;

/** What the task was told by its environment, as digests: printed by the tool, or seen by the recorder before it. */
async function readTaskVariables({ task_id }: TaskPlace, log: string): Promise<Record<string, string>> {
  const id = hashSecret(String(task_id));
  const call = (await standIns.readCalls()).find(({ env }) => env.SIGNALBOX_TASK_ID === id);
  const printed = [...log.matchAll(/(?:^|\\n|[\s"])((?:SEMAPHORE|SIGNALBOX)_TASK_[A-Z_]+)=(.*?)(?="?$|\\n)/gm)];
  const found: Record<string, string> =
    call?.env ?? Object.fromEntries(printed.map(([, name = '', value = '']) => [name, hashSecret(value)]));
  const isOurs = ([name]: [string, string]) => /^(SEMAPHORE|SIGNALBOX)_TASK_/.test(name) && !name.endsWith('_CLAIM');
  return Object.fromEntries(Object.entries(found).filter(isOurs));
}

function expectedVariables(details: Record<string, string>): Record<string, string> {
  const entries = Object.entries(details).flatMap(([name, value]) =>
    ['SEMAPHORE', 'SIGNALBOX'].map((prefix) => [`${prefix}_TASK_${name.toUpperCase()}`, hashSecret(value)]),
  );
  return Object.fromEntries(entries);
}

describe('every app is told what its task is', () => {
  test.for(apps.filter(([, , missing]) => missing === ''))(
    '%s, of a build and of its deploy',
    async ([app, playbook]) => {
      const more = {
        ...(app === 'pulumi' ? { inventory_id: stackId } : {}),
        type: 'build' as const,
        start_version: '1.4.8',
      };
      const build = await aTemplate(`Build with ${app}`, app, playbook, more);
      const approved = { params: { auto_approve: true }, message: 'why not' };
      const built = await run(build, approved);
      const details = (place: TaskPlace, rest: Record<string, string>) => ({
        id: String(place.task_id),
        username: 'tess',
        url: `${origin}${basePath}/project/${place.project_id}/history?t=${place.task_id}`,
        message: 'why not',
        ...rest,
      });
      const ofBuild = details(built.place, { type: 'build', target_version: '1.4.8' });
      expect(await readTaskVariables(built.place, built.log)).toEqual(expectedVariables(ofBuild));

      const deploy = await aTemplate(`Deploy with ${app}`, app, playbook, {
        ...more,
        type: 'deploy',
        start_version: null,
        build_template_id: build.id,
      });
      const deployed = await run(deploy, { ...approved, build_task_id: built.place.task_id });
      const ofDeploy = details(deployed.place, { type: 'deploy', incoming_version: '1.4.8' });
      expect(await readTaskVariables(deployed.place, deployed.log)).toEqual(expectedVariables(ofDeploy));
      if (app === 'ansible') {
        expect(readTold(built.log)[0]?.task).toEqual({ ...ofBuild, id: built.place.task_id });
        expect(readTold(deployed.log)[0]?.task).toEqual({ ...ofDeploy, id: deployed.place.task_id });
      }
    },
  );
});
