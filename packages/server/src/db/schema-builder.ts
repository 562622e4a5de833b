import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** What a row of the other table takes with it when it is deleted. 'block' is checked at the end of the statement, so that the deletion of a project is not stopped by its own rows. */
type OnDelete = 'cascade' | 'set null' | 'block';
type ColumnType = 'id' | 'number' | 'text' | 'flag' | 'bytes';
type Column = {
  type: ColumnType;
  nullable: boolean;
  unique?: boolean;
  initial?: string | number;
  reference?: { table: string; onDelete: OnDelete };
};
type Index = { name: string; columns: string[]; unique?: boolean; where?: Partial<Record<Engine, string>> };
export type Table = {
  name: string;
  columns: Record<string, Column>;
  primaryKey?: string[];
  /** Beyond one for each reference, which is made by itself. */
  indexes?: Index[];
};

const columnTypes = {
  // STRICT tables of SQLite take INT and INTEGER for the same; here INT says that it is a flag.
  sqlite: { id: 'integer', number: 'integer', text: 'text', flag: 'int', bytes: 'blob' },
  // Collation C sorts and folds as SQLite does, whatever the locale of the cluster is.
  postgres: { id: 'bigint', number: 'bigint', text: 'text collate "C"', flag: 'boolean', bytes: 'bytea' },
} as const;

/** A number that the database gives out once and never again. */
export const id: Column = { type: 'id', nullable: false };
export const number: Column = { type: 'number', nullable: false };
export const maybeNumber: Column = { type: 'number', nullable: true };
export const text: Column = { type: 'text', nullable: false };
export const maybeText: Column = { type: 'text', nullable: true };
export const flag: Column = { type: 'flag', nullable: false };
export const maybeFlag: Column = { type: 'flag', nullable: true };
export const bytes: Column = { type: 'bytes', nullable: false };

export function references(table: string, onDelete: OnDelete): Column {
  return { type: 'number', nullable: false, reference: { table, onDelete } };
}

export function mayReference(table: string, onDelete: OnDelete): Column {
  return { type: 'number', nullable: true, reference: { table, onDelete } };
}

export function unique(column: Column): Column {
  return { ...column, unique: true };
}

export function initially(value: string | number, column: Column): Column {
  return { ...column, initial: value };
}

/** Tables may refer to each other in circles: SQLite looks at references when rows come, PostgreSQL gets them last. */
export async function createTables(db: Kysely<unknown>, engine: Engine, tables: readonly Table[]): Promise<void> {
  for (const table of tables) await createTable(db, engine, table);
  if (engine === 'postgres') for (const table of tables) await addReferences(db, table);
  for (const table of tables) for (const index of listIndexes(table)) await createIndex(db, engine, table, index);
}

async function createTable(db: Kysely<unknown>, engine: Engine, table: Table): Promise<void> {
  let builder = db.schema.createTable(table.name);
  for (const [name, column] of Object.entries(table.columns)) {
    const type = sql.raw(columnTypes[engine][column.type]);
    builder = builder.addColumn(name, sql`${type}`, (definition) => defineColumn(definition, engine, name, column));
  }
  if (table.primaryKey !== undefined) {
    // Kysely types constraint columns by addColumn's literals, which a table that is data has not.
    builder = builder.addPrimaryKeyConstraint(`${table.name}_pkey`, table.primaryKey as never);
  }
  if (engine === 'sqlite') builder = builder.modifyEnd(sql`strict`);
  await builder.execute();
}

function defineColumn(
  start: ColumnDefinitionBuilder,
  engine: Engine,
  name: string,
  column: Column,
): ColumnDefinitionBuilder {
  let definition = start;
  if (column.type === 'id') {
    definition = definition.primaryKey();
    // By default: rows of a test or of a copied database may bring their ids.
    return engine === 'sqlite' ? definition.autoIncrement() : definition.generatedByDefaultAsIdentity();
  }
  if (!column.nullable) definition = definition.notNull();
  if (column.unique) definition = definition.unique();
  if (column.initial !== undefined) definition = definition.defaultTo(column.initial);
  if (engine === 'postgres') return definition;
  if (column.type === 'flag') definition = definition.check(sql`${sql.ref(name)} in (0, 1)`);
  if (column.reference === undefined) return definition;
  const { table, onDelete } = column.reference;
  return definition.references(`${table}.id`).onDelete(onDelete === 'block' ? 'no action' : onDelete);
}

async function addReferences(db: Kysely<unknown>, table: Table): Promise<void> {
  for (const [name, { reference }] of Object.entries(table.columns)) {
    if (reference === undefined) continue;
    await db.schema
      .alterTable(table.name)
      .addForeignKeyConstraint(`${table.name}_${name}_fkey`, [name], reference.table, ['id'])
      .onDelete(reference.onDelete === 'block' ? 'no action' : reference.onDelete)
      .execute();
  }
}

/** The declared ones, and one for each reference that none of them begins with: deletions look for what refers to a row. */
function listIndexes(table: Table): Index[] {
  const declared = table.indexes ?? [];
  const led = new Set([...declared.filter(coversReference).map((index) => index.columns[0]), table.primaryKey?.[0]]);
  const made: Index[] = [];
  for (const [name, column] of Object.entries(table.columns)) {
    if (column.reference === undefined || column.unique || led.has(name)) continue;
    const filled = `${name} is not null`;
    made.push({
      name: `${table.name}_${name}`,
      columns: [name],
      ...(column.nullable ? { where: { sqlite: filled, postgres: filled } } : {}),
    });
  }
  return [...declared, ...made];
}

function coversReference({ columns: [first], where }: Index): boolean {
  return where === undefined || where.sqlite === `${first} is not null`;
}

async function createIndex(db: Kysely<unknown>, engine: Engine, table: Table, index: Index): Promise<void> {
  const columns = index.columns.map((column) => (/^\w+$/.test(column) ? sql.ref(column) : sql.raw(column)));
  const where = index.where?.[engine];
  await sql`create ${sql.raw(index.unique ? 'unique ' : '')}index ${sql.ref(index.name)} on ${sql.table(table.name)}
    (${sql.join(columns)})${sql.raw(where === undefined ? '' : ` where ${where}`)}`.execute(db);
}
