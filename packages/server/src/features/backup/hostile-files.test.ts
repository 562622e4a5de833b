import { type BackupFile, backupRoutes, maxBackupItems, type RestoredProject } from '@signalbox/contract/backup';
import { largeBodyLimit } from '@signalbox/contract/http/route';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aUser, type TestUser } from '../../test/factories.ts';
import { fillProject } from '../../test/full-project.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let admin: TestUser;
/** A file in which everything is right. */
let good: BackupFile;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
  const project = await aProject(server);
  await fillProject(server, project.id, project.owner);
  good = (await server.ask(backupRoutes.create, { params: { project_id: project.id }, session: admin.session })).body;
}, 60_000);
afterAll(() => server.stop());

const restore = (body: unknown) => server.call('POST', '/projects/restore', { session: admin.session, body });

/** How many rows there are, by table. */
async function countRows(): Promise<string> {
  const tables = ['project', 'project_user', 'key', 'environment', 'environment_secret', 'view', 'repository', 'event'];
  const more = ['inventory', 'template', 'template_vault', 'schedule', 'integration', 'integration_alias'];
  const counts: unknown[] = [];
  for (const table of [...tables, ...more]) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      server.database.read,
    );
    counts.push(table, rows[0]?.n);
  }
  return counts.join(' ');
}

type Change = (file: BackupFile) => unknown;
/** The good file with one thing changed. */
function spoil(change: Change): unknown {
  const file = structuredClone(good);
  return change(file) ?? file;
}
type Lists = Exclude<keyof BackupFile, 'meta' | 'integration_aliases'> & string;
const setIn = (list: Lists, at: number, members: object) => (file: BackupFile) => {
  Object.assign((file[list] as object[])[at] ?? {}, members);
};

const empty = { meta: { name: 'x' } };
const cases: [string, Change, string][] = [
  ['is no object', () => [], ''],
  ['has no meta', () => ({ keys: [] }), 'meta'],
  ['has no name', () => ({ meta: {} }), 'meta.name'],
  ['has a blank name', () => ({ meta: { name: ' ' } }), 'meta.name'],
  ['has a list that is none', () => ({ ...empty, templates: {} }), 'templates'],
  ['has an item that is none', () => ({ ...empty, keys: [1] }), 'keys.0'],
  ['has a name that is no text', () => ({ ...empty, views: [{ title: 5 }] }), 'views.0.title'],
  ['has a huge number', () => ({ meta: { name: 'x', max_parallel_tasks: 1e300 } }), 'meta.max_parallel_tasks'],
  ['has a broken character', () => ({ meta: { name: 'x\ud800' } }), 'meta.name'],
  ['has a NUL', () => ({ ...empty, environments: [{ name: 'a\0b' }] }), 'environments.0.name'],
  ['has a survey of another kind', setIn('templates', 0, { survey_vars: '[]' }), 'templates.0.survey_vars'],
  ['has two keys of one name', setIn('keys', 1, { name: 'Deploy' }), 'keys.2'],
  ['has two names that differ in blanks', setIn('repositories', 1, { name: ' Site ' }), 'repositories.1'],
  ['has two views of one title', setIn('views', 1, { title: 'Web' }), 'views.1'],
  ['has two integrations of one name', setIn('integrations', 1, { name: 'Hook' }), 'integrations.1'],
  ['has a key of no known type', setIn('keys', 0, { type: 'pgp' }), 'keys.0.type'],
  ['names no key', setIn('repositories', 0, { ssh_key: 'Lost' }), 'repositories.0.ssh_key'],
  ['has a repository without a key', setIn('repositories', 0, { ssh_key: null }), 'repositories.0.ssh_key'],
  ['has an address that runs a program', setIn('repositories', 0, { git_url: 'ext::sh' }), 'repositories.0.git_url'],
  ['has an option for a branch', setIn('repositories', 0, { git_branch: '--exec' }), 'repositories.0.git_branch'],
  ['names no user key', setIn('inventories', 0, { become_key: 'Lost' }), 'inventories.0.become_key'],
  ['names no holder', setIn('inventories', 0, { template: 'Lost' }), 'inventories.0.template'],
  ['has an inventory of no known type', setIn('inventories', 0, { type: 'x' }), 'inventories.0.type'],
  ['has variables that are no object', setIn('environments', 0, { json: '[]' }), 'environments.0.json'],
  ['has a process environment of objects', setIn('environments', 0, { env: '{"a":{}}' }), 'environments.0.env'],
  [
    'has a secret twice',
    setIn('environments', 1, { secrets: [1, 2].map(() => ({ type: 'env', name: 'A' })) }),
    'environments.1.secrets.1',
  ],
  [
    'has a secret of no known type',
    setIn('environments', 1, { secrets: [{ type: 'x', name: 'A' }] }),
    'environments.1.secrets.0.type',
  ],
  ['names no repository', setIn('templates', 0, { repository: 'Lost' }), 'templates.0.repository'],
  ['names no inventory', setIn('templates', 0, { inventory: 'Lost' }), 'templates.0.inventory'],
  ['names no variable group', setIn('templates', 0, { environment: 'Lost' }), 'templates.0.environment'],
  ['names no view', setIn('templates', 0, { view: 'Lost' }), 'templates.0.view'],
  ['names no build', setIn('templates', 2, { build_template: null }), 'templates.2.build_template'],
  ['names itself as its build', setIn('templates', 2, { build_template: 'Site (2)' }), 'templates.2.build_template'],
  ['names a task as its build', setIn('templates', 2, { build_template: 'Everything' }), 'templates.2.build_template'],
  ['has a path out of the repository', setIn('templates', 1, { playbook: '../x' }), 'templates.1.playbook'],
  ['has a template without a playbook', setIn('templates', 1, { playbook: '' }), 'templates.1.playbook'],
  ['names no vault key', setIn('templates', 0, { vaults: [{ vault_key: 'Lost' }] }), 'templates.0.vaults.0.vault_key'],
  [
    'has a vault script that is a command',
    setIn('templates', 0, { vaults: [{ type: 'script', script: '/bin/sh' }] }),
    'templates.0.vaults.0.script',
  ],
  ['has an app that is not here', setIn('templates', 0, { app: 'cobol' }), 'templates.0.app'],
  ['has a cron that is none', setIn('templates', 0, { cron: 'now' }), 'templates.0.cron'],
  [
    'has a schedule that never was one',
    setIn('schedules', 0, { cron_format: '61 * * * *' }),
    'schedules.0.cron_format',
  ],
  ['has a zone that is none', setIn('schedules', 0, { timezone: 'Mars/Base' }), 'schedules.0.timezone'],
  ['has a schedule of no template', setIn('schedules', 0, { template: 'Lost' }), 'schedules.0.template'],
  ['has an integration of no template', setIn('integrations', 0, { template: 'Lost' }), 'integrations.0.template'],
  [
    'has a matcher of no known kind',
    setIn('integrations', 0, {
      matchers: [{ name: 'm', match_type: 'query', method: 'equals', key: 'k', value: 'v' }],
    }),
    'integrations.0.matchers.0.match_type',
  ],
];

test.each(cases)('a file that %s is refused with the place, and changes nothing', async (_name, change, path) => {
  const before = await countRows();
  const answer = await restore(spoil(change));
  expect([answer.status, answer.text]).toEqual([400, answer.text]);
  expect(answer.error.details).toContainEqual(expect.objectContaining({ path }));
  expect(answer.error.error).not.toBe('');
  expect(await countRows()).toBe(before);
});

test('what is no JSON, is too deep or too large is refused before it is read', async () => {
  const before = await countRows();
  const deep = `${'['.repeat(101)}${']'.repeat(101)}`;
  for (const [body, status] of [
    ['{"meta":', 400],
    ['', 400],
    [`{"meta":{"name":"x"},"keys":${deep}}`, 400],
    [`{"meta":{"name":"x","deep":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}`, 400],
    [Buffer.alloc(largeBodyLimit + 1, ' '), 413],
  ] as const) {
    expect((await restore(body)).status).toBe(status);
  }
  expect(await countRows()).toBe(before);
});

test('every problem is told at once, and never more than a hundred', async () => {
  const keys = Array.from({ length: 10_000 }, () => ({ name: 'same', type: 'ssh' }));
  const answer = await restore({ ...empty, keys, views: [{ title: '' }] });
  expect(answer.status).toBe(400);
  expect(answer.error.error).toBe('keys.1: has the name of another key: "same" (and 9999 more problems)');
  expect(answer.error.details).toHaveLength(100);
  const two = await restore({ ...empty, keys: [{ name: '', type: 'x' }], views: [{ title: '' }] });
  expect((two.error.details as { path: string }[]).map(({ path }) => path)).toEqual([
    'views.0.title',
    'keys.0.name',
    'keys.0.type',
  ]);
});

test('a file with more items than a project may have is refused, one with 10,000 is restored', async () => {
  const list = (length: number) => Array.from({ length }, (_, at) => ({ name: `key ${at}`, type: 'none' }));
  const tooMany = await restore({ ...empty, keys: list(maxBackupItems + 1) });
  expect([tooMany.status, tooMany.error.details]).toEqual([
    400,
    [{ path: 'keys', message: `has more than ${maxBackupItems} items` }],
  ]);
  const repositories = [{ name: 'r', git_url: '/r', ssh_key: 'key 9999' }];
  const templates = list(10_000).map(({ name }) => ({ name, app: 'bash', playbook: 'x', repository: 'r' }));
  const answer = await restore({ ...empty, keys: list(10_000), repositories, templates });
  expect(answer.status).toBe(200);
  const { id } = answer.body as RestoredProject;
  const { body } = await server.ask(backupRoutes.create, { params: { project_id: id }, session: admin.session });
  expect(body.templates.map(({ name }) => name)).toEqual(templates.map(({ name }) => name));
  expect(body.repositories[0]?.ssh_key).toBe('key 9999');
}, 60_000);

test('names that mean something to JavaScript are names like any other', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const body = JSON.stringify({
    ...empty,
    keys: names.map((name) => ({ name, type: 'none' })),
    repositories: names.map((name) => ({ name, git_url: '/r', ssh_key: name })),
  }).replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},');
  const answer = await restore(body);
  expect(answer.status).toBe(200);
  expect('polluted' in {}).toBe(false);
  const { id, not_carried } = answer.body as RestoredProject;
  expect(not_carried.map(({ path }) => path)).toEqual(['constructor']);
  const backup = await server.ask(backupRoutes.create, { params: { project_id: id }, session: admin.session });
  expect(backup.body.repositories.map(({ ssh_key }) => ssh_key)).toEqual(names);
});

test('an alias of somebody else stays his, one that others could guess is replaced, and the same one is given once', async () => {
  const [taken] = good.integration_aliases ?? [];
  const aliases = [taken ?? '', 'deploy', 'mine-0123456789abcdef', 'mine-0123456789abcdef'];
  const restored = (await restore({ ...empty, integration_aliases: aliases })).body as RestoredProject;
  expect(restored.new_aliases.map(({ path, alias }) => [path, alias])).toEqual([
    ['integration_aliases.0', taken],
    ['integration_aliases.1', 'deploy'],
    ['integration_aliases.3', 'mine-0123456789abcdef'],
  ]);
  for (const { new_alias } of restored.new_aliases) expect(new_alias).toMatch(/^[a-z0-9]{16}$/);
  const owners = await server.database.read
    .selectFrom('integration_alias')
    .select(['alias', 'project_id'])
    .where('alias', 'in', [taken ?? '', 'mine-0123456789abcdef'])
    .execute();
  expect(owners.filter(({ project_id }) => project_id === restored.id).map(({ alias }) => alias)).toEqual([
    'mine-0123456789abcdef',
  ]);
});

test('secrets that somebody wrote into a file are not stored, and told', async () => {
  const keys = [{ name: 'k', type: 'login_password', login_password: { password: 'written-by-hand' } }];
  const answer = await restore({ ...empty, keys });
  const { id, not_carried, empty_keys } = answer.body as RestoredProject;
  expect(not_carried).toEqual([{ path: 'keys.0.login_password', message: 'is not known here' }]);
  expect(empty_keys.map(({ name }) => name)).toEqual(['k']);
  const rows = await server.database.read.selectFrom('key').select('secret').where('project_id', '=', id).execute();
  expect(rows).toEqual([{ secret: null }]);
});
