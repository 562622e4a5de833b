import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Statements kept ready; a list of values of another length is another statement. */
const maxStatements = 1000;

type Prepared = { statement: StatementSync; toRow: RowMaker | undefined };
type RowMaker = (values: readonly unknown[]) => unknown;

/**
 * Prepared statements of one connection, reused by their text. STRICT tables know INT and INTEGER; ours use INT for flags
 * alone, and SQLite reports the declared type of a result column through aliases, joins and RETURNING. So flags come back
 * as booleans without a list of their names.
 */
export class Statements {
  readonly #file: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: DatabaseSync) {
    this.#file = file;
  }

  execute<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, toRow } = this.#prepare(sql);
    const values = parameters.map(toInput);
    if (toRow === undefined) {
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    // They are arrays: see prepare.
    const rows = statement.all(...values) as unknown as unknown[][];
    // The row type is what the query builder derived from the table types.
    return { rows: rows.map(toRow) as Row[] };
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#file.prepare(sql);
    const columns = statement.columns();
    const toRow = columns.length === 0 ? undefined : makeRowMaker(columns);
    // The objects that node:sqlite makes are hash tables: slow to make and slow to read. Ours are of one shape.
    statement.setReturnArrays(true);
    const prepared = { statement, toRow };
    if (this.#prepared.size >= maxStatements) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Compiled, as a loop over the names would make an object that changes its shape with each of them. */
function makeRowMaker(columns: ReturnType<StatementSync['columns']>): RowMaker {
  const members = columns.map(({ name, type }, index) => {
    const value = `values[${index}]`;
    return `${JSON.stringify(name)}: ${type === 'INT' ? `${value} === null ? null : ${value} === 1` : value}`;
  });
  return new Function('values', `return { ${members.join(', ')} };`) as RowMaker;
}

function toInput(value: unknown): SQLInputValue {
  if (value === true) return 1;
  if (value === false) return 0;
  // Anything else that SQLite does not know is refused by node:sqlite with its own message.
  return value as SQLInputValue;
}

/** A handle whose statements all run on one connection, at once, in the order in which they were asked for. */
export function createSqliteHandle<Tables>(statements: Statements, mayRun: () => boolean): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new OneConnectionDialect(statements, mayRun) });
}

class OneConnectionDialect implements Dialect {
  readonly #driver: OneConnectionDriver;

  constructor(statements: Statements, mayRun: () => boolean) {
    this.#driver = new OneConnectionDriver(statements, mayRun);
  }

  createDriver(): Driver {
    return this.#driver;
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new UnlockedAdapter();
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}

const rowLocks: readonly SelectModifierNode['modifier'][] = [
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
];

/** Transactions come one after the other here, so a query that locks its rows on PostgreSQL has nothing to lock: the words go. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!rowLocks.includes(node.modifier)) super.visitSelectModifier(node);
  }
}

/** Statements are synchronous, so they need no lock around them. */
class UnlockedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class OneConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(statements: Statements, mayRun: () => boolean) {
    this.#connection = new StatementConnection(statements, mayRun);
  }

  async init(): Promise<void> {
    // The file is open already.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    // There is only one.
  }

  beginTransaction(): Promise<void> {
    return refuseTransaction();
  }

  commitTransaction(): Promise<void> {
    return refuseTransaction();
  }

  rollbackTransaction(): Promise<void> {
    return refuseTransaction();
  }

  async destroy(): Promise<void> {
    // The file is closed by who opened it.
  }
}

async function refuseTransaction(): Promise<void> {
  throw new Error('Transactions are begun by Database.transact only');
}

class StatementConnection implements DatabaseConnection {
  readonly #statements: Statements;
  readonly #mayRun: () => boolean;

  constructor(statements: Statements, mayRun: () => boolean) {
    this.#statements = statements;
    this.#mayRun = mayRun;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#mayRun()) throw new Error('A query was run on the handle of a transaction that has ended');
    return this.#statements.execute<Row>(query.sql, query.parameters);
  }

  // biome-ignore lint/correctness/useYield: it only refuses
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Read in pages: a stream would hold the connection');
  }
}
