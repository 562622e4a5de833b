import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../db/database.ts';
import type { StateTables } from '../../db/tables.ts';

type Row<Table extends keyof StateTables> = Selectable<StateTables[Table]>;

/** What a backup is made of. No column that holds a secret is read. */
export type ProjectRows = {
  readonly project: Row<'project'>;
  readonly views: Row<'view'>[];
  readonly keys: Pick<Row<'key'>, 'id' | 'name' | 'type'>[];
  readonly environments: Row<'environment'>[];
  readonly secrets: Pick<Row<'environment_secret'>, 'environment_id' | 'type' | 'name'>[];
  readonly repositories: Row<'repository'>[];
  readonly inventories: Row<'inventory'>[];
  readonly stateAliases: Row<'terraform_alias'>[];
  readonly templates: Row<'template'>[];
  readonly vaults: Row<'template_vault'>[];
  readonly schedules: Row<'schedule'>[];
  readonly integrations: Row<'integration'>[];
  readonly matchers: Row<'integration_matcher'>[];
  readonly values: Row<'integration_value'>[];
  readonly aliases: Row<'integration_alias'>[];
};

/** All rows as they were at one moment, in the order in which they were made. */
export async function readProject(database: Database, projectId: number): Promise<ProjectRows | undefined> {
  return await database.transact(async (db) => {
    if (database.engine === 'postgres') {
      await sql`set transaction isolation level repeatable read, read only`.execute(db);
    }
    const project = await db
      .selectFrom('project')
      .selectAll()
      .where('id', '=', projectId)
      .where('deleted', 'is', null)
      .executeTakeFirst();
    return project && (await readRows(db, project));
  });
}

async function readRows(db: Db, project: Row<'project'>): Promise<ProjectRows> {
  const all = <Table extends OwnedTable>(table: Table) => listRows(db, table, project.id);
  return {
    project,
    views: await all('view'),
    keys: await db
      .selectFrom('key')
      .select(['id', 'name', 'type'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute(),
    environments: await all('environment'),
    secrets: await db
      .selectFrom('environment_secret')
      .select(['environment_id', 'type', 'name'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute(),
    repositories: await all('repository'),
    inventories: await all('inventory'),
    stateAliases: await all('terraform_alias'),
    templates: await all('template'),
    vaults: await all('template_vault'),
    schedules: await all('schedule'),
    integrations: await all('integration'),
    matchers: await all('integration_matcher'),
    values: await all('integration_value'),
    aliases: await all('integration_alias'),
  };
}

type OwnedTable =
  | 'view'
  | 'environment'
  | 'repository'
  | 'inventory'
  | 'terraform_alias'
  | 'template'
  | 'template_vault'
  | 'schedule'
  | 'integration'
  | 'integration_matcher'
  | 'integration_value'
  | 'integration_alias';

async function listRows<Table extends OwnedTable>(db: Db, table: Table, projectId: number): Promise<Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    select * from ${sql.table(table)} where project_id = ${projectId} order by id`.execute(db);
  return rows;
}
