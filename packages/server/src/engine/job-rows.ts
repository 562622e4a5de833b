import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type {
  AppTable,
  EnvironmentSecretTable,
  EnvironmentTable,
  InventoryTable,
  KeyTable,
  RepositoryTable,
  TemplateTable,
  TemplateVaultTable,
} from '../db/tables.ts';
import type { TaskRow } from './task-record.ts';

type ById<Row> = ReadonlyMap<number, Row>;
type Grouped<Row> = ReadonlyMap<number, readonly Row[]>;

/** Everything that the jobs of some tasks are made of, read at once: a dozen statements, however many tasks there are. */
export type JobRows = {
  readonly templates: ById<Selectable<TemplateTable>>;
  readonly repositories: ById<Selectable<RepositoryTable>>;
  readonly inventories: ById<Selectable<InventoryTable>>;
  readonly environments: ById<Selectable<EnvironmentTable>>;
  readonly environmentSecrets: Grouped<Selectable<EnvironmentSecretTable>>;
  readonly vaults: Grouped<Selectable<TemplateVaultTable>>;
  readonly keys: ById<Selectable<KeyTable>>;
  readonly apps: ReadonlyMap<string, Selectable<AppTable>>;
  readonly usernames: ById<string>;
  readonly answers: ById<{ task_id: number; secret: string }>;
  /** Version that a deploy deploys, by task. */
  readonly incomingVersions: ById<string>;
};

export async function readJobRows(db: Db, tasks: readonly TaskRow[]): Promise<JobRows> {
  const templates = await readByIds(
    db,
    'template',
    collect(tasks, (task) => task.template_id),
  );
  const settings = [...templates.values()];
  const inventories = await readByIds(db, 'inventory', [
    ...collect(tasks, (task) => task.inventory_id),
    ...collect(settings, (template) => template.inventory_id),
  ]);
  const repositories = await readByIds(db, 'repository', [
    ...collect(settings, (template) => template.repository_id),
    ...collect([...inventories.values()], (inventory) => inventory.repository_id),
  ]);
  const environmentIds = collect(settings, (template) => template.environment_id);
  const vaults = await readVaults(db, [...templates.keys()]);
  const keyIds = [
    ...collect([...repositories.values()], (repository) => repository.ssh_key_id),
    ...collect([...inventories.values()], (inventory) => inventory.ssh_key_id),
    ...collect([...inventories.values()], (inventory) => inventory.become_key_id),
    ...collect(vaults, (vault) => vault.vault_key_id),
  ];
  return {
    templates,
    repositories,
    inventories,
    environments: await readByIds(db, 'environment', environmentIds),
    environmentSecrets: group(await readEnvironmentSecrets(db, environmentIds), (row) => row.environment_id),
    vaults: group(vaults, (vault) => vault.template_id),
    keys: await readByIds(db, 'key', keyIds),
    apps: await readApps(
      db,
      settings.map((template) => template.app),
    ),
    usernames: await readUsernames(
      db,
      collect(tasks, (task) => task.user_id),
    ),
    answers: await readAnswers(
      db,
      tasks.map((task) => task.id),
    ),
    incomingVersions: await readIncomingVersions(db, tasks),
  };
}

/** Ids without null and without repetition. */
function collect<Row>(rows: readonly Row[], read: (row: Row) => number | null): number[] {
  const ids = new Set<number>();
  for (const row of rows) {
    const id = read(row);
    if (id !== null) ids.add(id);
  }
  return [...ids];
}

function group<Row>(rows: readonly Row[], read: (row: Row) => number): Grouped<Row> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const list = groups.get(read(row));
    if (list === undefined) groups.set(read(row), [row]);
    else list.push(row);
  }
  return groups;
}

type OwnedTables = {
  template: TemplateTable;
  inventory: InventoryTable;
  repository: RepositoryTable;
  environment: EnvironmentTable;
  key: KeyTable;
};

async function readByIds<Name extends keyof OwnedTables>(
  db: Db,
  table: Name,
  ids: readonly number[],
): Promise<ById<Selectable<OwnedTables[Name]>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(table as 'template')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  // All five tables have the same kind of id; the query builder cannot follow a table name that is a type parameter.
  return new Map(rows.map((row) => [row.id, row as unknown as Selectable<OwnedTables[Name]>]));
}

async function readVaults(db: Db, templateIds: readonly number[]) {
  if (templateIds.length === 0) return [];
  return await db
    .selectFrom('template_vault')
    .selectAll()
    .where('template_id', 'in', templateIds)
    .orderBy('id')
    .execute();
}

async function readEnvironmentSecrets(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return await db.selectFrom('environment_secret').selectAll().where('environment_id', 'in', ids).execute();
}

async function readApps(db: Db, ids: readonly string[]): Promise<JobRows['apps']> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('app')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function readUsernames(db: Db, ids: readonly number[]): Promise<ById<string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.username]));
}

async function readAnswers(db: Db, taskIds: readonly number[]): Promise<JobRows['answers']> {
  const rows = await db.selectFrom('task_secret').selectAll().where('task_id', 'in', taskIds).execute();
  return new Map(rows.map((row) => [row.task_id, row]));
}

/** Follows the links from deploy to deploy until a build is reached, for all tasks side by side. */
async function readIncomingVersions(db: Db, tasks: readonly TaskRow[]): Promise<ById<string>> {
  const versions = new Map<number, string>();
  let links = new Map(tasks.flatMap((task) => (task.build_task_id === null ? [] : [[task.id, task.build_task_id]])));
  const seen = new Set<number>();
  while (links.size > 0) {
    const ids = [...new Set(links.values())].filter((id) => !seen.has(id));
    if (ids.length === 0) break;
    for (const id of ids) seen.add(id);
    const rows = await db
      .selectFrom('task')
      .select(['id', 'version', 'build_task_id'])
      .where('id', 'in', ids)
      .execute();
    const builds = new Map(rows.map((row) => [row.id, row]));
    const further = new Map<number, number>();
    for (const [taskId, buildId] of links) {
      const build = builds.get(buildId);
      if (build?.version) versions.set(taskId, build.version);
      else if (build?.build_task_id) further.set(taskId, build.build_task_id);
    }
    links = further;
  }
  return versions;
}
