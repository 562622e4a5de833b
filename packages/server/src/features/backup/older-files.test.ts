import { readFile } from 'node:fs/promises';
import { type Backup, backupRoutes, type RestoredProject } from '@signalbox/contract/backup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser, type TestUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

// The files in fixtures/ are written by hand, each in the form that the older product had at the time.
let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
});
afterAll(() => server.stop());

const restore = (body: unknown) => server.call('POST', '/projects/restore', { session: admin.session, body });

async function restoreFixture(name: string): Promise<{ restored: RestoredProject; backup: Backup }> {
  const file = JSON.parse(await readFile(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
  // This part cannot be restored, and is a test of its own.
  file.templates = file.templates.filter((template: { name: string }) => template.name !== 'Wrong kind');
  const answer = await restore(file);
  expect([name, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([name, 200, '']);
  const restored = answer.body as RestoredProject;
  return { restored, backup: (await backUp(restored.id)).body };
}

async function backUp(id: number) {
  return await server.ask(backupRoutes.create, { params: { project_id: id }, session: admin.session });
}

const tellPaths = ({ not_carried }: RestoredProject) => not_carried.map(({ path, message }) => `${path} ${message}`);
const byName = <T extends { name?: string | null }>(list: readonly T[], name: string) =>
  list.find((item) => item.name === name);

test.each(['semaphore-2.9', 'semaphore-2.10', 'semaphore-2.13', 'semaphore-2.16'])(
  'what %s left behind is kept from then on: backup and restore change nothing more',
  async (name) => {
    const { restored } = await restoreFixture(name);
    const { text, body } = await backUp(restored.id);
    await server.call('DELETE', `/project/${restored.id}`, { session: admin.session });
    const again = (await restore(body)).body as RestoredProject;
    expect([again.not_carried, again.new_aliases]).toEqual([[], []]);
    expect((await backUp(again.id)).text).toBe(text);
    await server.call('DELETE', `/project/${again.id}`, { session: admin.session });
  },
);

test('a file of 2.9 restores: templates without app and lists, one vault key, a cron in the template', async () => {
  const { restored, backup } = await restoreFixture('semaphore-2.9');
  expect(restored).toMatchObject({ name: 'Shop', alert: true, alert_chat: '-100123', max_parallel_tasks: 2, type: '' });
  expect(tellPaths(restored)).toEqual([
    'environments.1.password is not used any more',
    'templates.0.cron does not say whether it was active, nor its time zone: it is switched off, and reads UTC',
  ]);
  const site = byName(backup.templates, 'Site');
  expect(site).toMatchObject({ app: 'ansible', playbook: 'site.yml', view: 'Web', survey_vars: [] });
  expect(site?.vaults).toEqual([{ type: 'password', vault_key: 'Vault' }]);
  expect(site).not.toHaveProperty('arguments');
  expect(byName(backup.templates, 'Deploy')).toMatchObject({ type: 'deploy', build_template: 'Build', autorun: true });
  expect(byName(backup.environments, 'Production')?.env).toBe('{"WORKERS":"4"}');
  expect(backup.schedules).toEqual([
    { name: 'Site', template: 'Site', cron_format: '0 4 * * 1', timezone: 'UTC', active: false },
  ]);
  expect(restored.empty_keys.map(({ name }) => name)).toEqual(['Deploy key', 'Vault']);
});

test('a file of 2.10 restores: integrations with their aliases; what would be unsafe or wrong is left out and told', async () => {
  const { restored, backup } = await restoreFixture('semaphore-2.10');
  expect(tellPaths(restored)).toEqual([
    'keys.2 is the secret of a variable group: it is added there',
    'inventories.0.inventory is a path outside of a repository: the inventory holds it as a comment and no hosts',
    'repositories.0.git_url had a password in it, which everybody could read: store it as a key, and choose that key',
    'integrations.1 names no template: it is left out',
    'integrations.2 names no header for its authentication: it is left out',
    'integrations.3.auth_secret names no key of the file: calls are refused until one is chosen',
    'templates.0.survey_vars.0 has a name that no variable can have: it is left out',
    'templates.1.arguments is no list of texts: it is left out',
    'templates.1.start_version is not in the file: versions begin with 0.0.0',
    'templates.0.cron does not say whether it was active, nor its time zone: it is switched off, and reads UTC',
  ]);
  expect(backup.integrations.map(({ name }) => name)).toEqual(['Push', 'Lost key']);
  const [push, lost] = backup.integrations;
  expect(push).toMatchObject({ aliases: ['a1b2c3d4e5f6g7h8'], auth_secret: 'Webhook', searchable: true });
  expect(push?.matchers).toHaveLength(1);
  expect(push?.extract_values.map(({ variable }) => variable)).toEqual(['commit', 'event']);
  expect(lost).not.toHaveProperty('auth_secret');
  expect(backup.integration_aliases).toEqual(['q1w2e3r4t5y6u7i8']);
  expect(backup.repositories[0]?.git_url).toBe('https://robot@git.example.org/demo.git');
  expect(JSON.stringify([restored, backup])).not.toContain('hunter2');
  expect(backup.inventories[0]).toMatchObject({ type: 'static', inventory: '# /etc/ansible/hosts' });
  const ping = byName(backup.templates, 'Ping');
  expect(ping?.survey_vars.map(({ name, title }) => [name, title])).toEqual([
    ['target', 'target'],
    ['stage', 'Stage'],
  ]);
  await server.call('DELETE', `/project/${restored.id}`, { session: admin.session });
});

test('a file of 2.13 restores: schedules in a list, and a workspace of its own for each template of Terraform', async () => {
  const { restored, backup } = await restoreFixture('semaphore-2.13');
  expect(tellPaths(restored)).toEqual([
    'templates.0.task_params.allow_auto_approve is not known here',
    'schedules.0.timezone is not in the file: its times are read in UTC',
    'schedules.1.timezone is not in the file: its times are read in UTC',
    'templates.3.inventory is not a workspace of this template alone: it has "Two - shared" now',
  ]);
  const workspaces = backup.inventories.map(({ name, type, template, inventory }) => [name, type, template, inventory]);
  expect(workspaces).toEqual([
    ['Network - default', 'terraform-workspace', 'Network', 'default'],
    ['Cluster - default', 'tofu-workspace', 'Cluster', 'default'],
    ['Shared', 'terraform-workspace', 'One', 'shared'],
    ['Two - shared', 'terraform-workspace', 'Two', 'shared'],
    ['Old - default', 'terraform-workspace', 'Old', 'default'],
  ]);
  // The cron of the template is the schedule that is in the list too.
  expect(backup.schedules).toEqual([
    { name: 'Nightly plan', template: 'Network', cron_format: '0 3 * * *', timezone: 'UTC', active: true },
    {
      name: '',
      template: 'Cluster',
      cron_format: '* * * * *',
      timezone: 'UTC',
      active: false,
      checkable_repository: 'Infra',
    },
  ]);
  expect(byName(backup.templates, 'Network')).toMatchObject({ runner_tag: 'cloud', allow_parallel_tasks: true });
});

test('a file of 2.16 restores: what is new there is told, and an unknown way of authentication opens nothing', async () => {
  const { restored, backup } = await restoreFixture('semaphore-2.16');
  expect(tellPaths(restored)).toEqual([
    'meta.default_secret_storage_id is not known here',
    'keys.1.storage is not known here',
    'keys.1.synchronized is not known here',
    'templates.0.survey_vars.0.default_value is not known here',
    'roles is not known here',
    'runners is not known here',
    'secret_storages is not known here',
    'integrations.0 has a way of authentication that is not known: it is left out',
    'schedules.0.timezone is not in the file: its times are read in UTC',
  ]);
  expect(backup.integrations).toEqual([]);
  const template = byName(backup.templates, 'Backup');
  expect(template?.task_params).toMatchObject({ allow_debug: true, limit: ['localhost'] });
});

test('a template that names a workspace where it needs hosts is refused', async () => {
  const file = JSON.parse(await readFile(new URL('./fixtures/semaphore-2.13.json', import.meta.url), 'utf8'));
  const answer = await restore(file);
  expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
  expect(answer.error.details).toEqual([
    { path: 'templates.5.inventory', message: 'must be an inventory for ansible' },
  ]);
});
