import { backupRoutes, type RestoredProject } from '@signalbox/contract/backup';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aUser } from '../../test/factories.ts';
import { fillProject } from '../../test/full-project.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

/*
 * Every column of what a backup holds. Whoever adds one says here whether it is in a backup: then it also needs a member
 * in the contract, a line in backup.ts and restore-rows.ts, and a value in test/full-project.ts.
 */
const carried: Record<string, string> = {
  project: 'alert alert_chat max_parallel_tasks type',
  view: 'position',
  key: 'type',
  environment: 'json env',
  environment_secret: 'environment_id type name',
  repository: 'git_url git_branch ssh_key_id host_key_policy',
  inventory: 'inventory type ssh_key_id become_key_id repository_id template_id host_key_policy',
  terraform_alias: 'inventory_id auth_key_id',
  template: [
    'description app type playbook inventory_id repository_id environment_id view_id build_template_id start_version',
    'autorun arguments allow_override_args_in_task allow_parallel_tasks git_branch survey_vars task_params runner_tag',
    'suppress_success_alerts timeout_seconds stop_grace_seconds',
  ].join(' '),
  template_vault: 'template_id name type vault_key_id script',
  schedule: 'template_id name cron_format timezone active repository_id params',
  integration: 'template_id auth_method auth_header auth_secret_id task_params searchable',
  integration_alias: 'integration_id',
  integration_matcher: 'integration_id name match_type method body_data_type key value',
  integration_value: 'integration_id name value_source body_data_type key variable',
};
/** Secrets; what is of one project only; what comes of use. Names become unique, so they differ where they did not. */
const leftOut: Record<string, string> = {
  project: 'name created deleted',
  view: 'title',
  key: 'name secret',
  environment: 'name',
  environment_secret: 'secret',
  repository: 'name',
  inventory: 'name',
  terraform_alias: 'alias',
  template: 'name task_count last_task_id',
  schedule: 'last_commit_hash commit_source next_fire last_fire problem',
  integration: 'name',
  integration_alias: 'alias',
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Row = Record<string, unknown>;

async function listRows(table: string, projectId: number): Promise<Row[]> {
  const owner = sql.ref(table === 'project' ? 'id' : 'project_id');
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where ${owner} = ${projectId} order by id`.execute(server.database.read);
  return rows;
}

const split = (names = ''): string[] => names.split(' ').filter((name) => name !== '');

/** The table that a column refers to. */
const tableOf = (column: string): string => {
  if (/(key|secret)_id$/.test(column)) return 'key';
  return column.replace(/^build_/, '').replace(/_id$/, '');
};

type Tables = ReadonlyMap<string, readonly Row[]>;

/** The rows of a table; a reference says which row of its table it names, counted from the first, inside JSON too. */
function readTable(tables: Tables, table: string): Row[] {
  const toPlace = (name: string, value: unknown): unknown =>
    name.endsWith('_id') && typeof value === 'number'
      ? tables.get(tableOf(name))?.findIndex(({ id }) => id === value)
      : value;
  return (tables.get(table) ?? []).map((row) =>
    Object.fromEntries(
      split(carried[table]).map((name) => {
        const value = row[name];
        if (name !== 'params' || typeof value !== 'string') return [name, toPlace(name, value)];
        return [name, JSON.parse(value, (key, member) => toPlace(key, member))];
      }),
    ),
  );
}

async function readTables(projectId: number): Promise<Tables> {
  const tables = new Map<string, Row[]>();
  for (const table of Object.keys(carried)) tables.set(table, await listRows(table, projectId));
  return tables;
}

const defaults: readonly unknown[] = [null, '', false, 0, '{}', '[]'];

function checkColumns(table: string, rows: readonly Row[]): void {
  const known = new Set(['id', 'project_id', ...split(carried[table]), ...split(leftOut[table])]);
  const unknown = Object.keys(rows[0] ?? {}).filter((column) => !known.has(column));
  expect([table, unknown]).toEqual([table, []]);
  // One that has its default everywhere would be restored by luck.
  const unused = split(carried[table]).filter((column) => rows.every((row) => defaults.includes(row[column])));
  expect([table, unused]).toEqual([table, []]);
}

test('every column of a project is restored as it was, or is on the list of those that are left out', async () => {
  const { session } = await aUser(server, { admin: true });
  const project = await aProject(server);
  await fillProject(server, project.id, project.owner);
  const settings = { alert: true, alert_chat: '42', max_parallel_tasks: 3, type: 'x' };
  await server.database.transact((db) =>
    db.updateTable('project').set(settings).where('id', '=', project.id).execute(),
  );
  const { body } = await server.ask(backupRoutes.create, { params: { project_id: project.id }, session });
  const restored = (await server.call('POST', '/projects/restore', { session, body })).body as RestoredProject;
  const before = await readTables(project.id);
  const after = await readTables(restored.id);
  for (const [table, rows] of before) {
    checkColumns(table, rows);
    expect([table, readTable(after, table)]).toEqual([table, readTable(before, table)]);
  }
  const isDue = ({ active, next_fire }: Row) => [active, next_fire !== null];
  expect(after.get('schedule')?.map(isDue)).toEqual([
    [true, true],
    [false, false],
    [true, true],
  ]);
});
