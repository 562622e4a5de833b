import { Kysely as Handle, type Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { Database, LogDatabase } from './database.ts';
import { describeSealingKey, refuseUnknownKeys } from './encryption-keys.ts';
import { logMigrations, type Migration, stateMigrations } from './migrations.ts';
import { NestedGuard } from './nested-guard.ts';
import { DatabaseAway } from './outage.ts';
import { PostgresNotices } from './postgres-notices.ts';
import type { Keyring } from './secrets.ts';
import { StartRefusal } from './start-refusal.ts';
import type { LogTables, StateTables } from './tables.ts';

const stateConnections = 10;
const logConnections = 4;
const connectLimit = 10_000;
const oldestServer = 130_000;
/** Of the installation: servers that start at the same time migrate one after the other. */
const migrationLock = 0x516e;
/** Serialisation failure and deadlock: PostgreSQL asks to run the transaction again. */
const repeatable: readonly unknown[] = ['40001', '40P01'];
const maxRuns = 4;

const bigInteger = 20;
const numeric = 1700;
/** Ids, times, counts and sums are exact in a JavaScript number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === bigInteger || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
};

type Facts = ReadonlyMap<string, string>;

/** What the database says of itself; nothing is written. Servers that start together migrate in turn, so it needs no more. @throws StartRefusal */
export async function inspectPostgres(url: string): Promise<{ facts: Facts; isCurrent: true }> {
  return { facts: await readFacts(url), isCurrent: true };
}

async function readFacts(url: string): Promise<Facts> {
  const client = new pg.Client(describeConnection(url));
  try {
    await client.connect();
    await refuseServer(client);
    const { rows: found } = await client.query(`select to_regclass('installation') is not null as found`);
    if (!found[0].found) return new Map();
    const { rows } = await client.query('select key, value from installation');
    const facts = new Map<string, string>(rows.map(({ key, value }) => [key, value]));
    refuseNewer(facts);
    return facts;
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    const reason = error instanceof Error ? error.message || ('code' in error && error.code) : error;
    throw new StartRefusal(`The database ${describeUrl(url)} cannot be used: ${reason}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined); // it was not connected: told above
  }
}

/** @throws StartRefusal */
export async function openPostgres(url: string, keyring: Keyring): Promise<Omit<Database, 'reader'>> {
  let healthySince = Date.now();
  const onFailure = () => {
    healthySince = Date.now();
  };
  const statePool = createPool({ ...describeConnection(url), max: stateConnections }, onFailure);
  // Acknowledged lines stay in the runner's spool until the seal, which is durable again.
  const logPool = createPool(
    { ...describeConnection(url), max: logConnections, options: '-c synchronous_commit=off' },
    onFailure,
  );
  const state = createPostgresHandle<StateTables>(statePool, onFailure);
  const logs = createPostgresHandle<LogTables>(logPool, onFailure);
  const notices = new PostgresNotices({ connect: describeConnection(url), pool: statePool, onFailure });
  const close = async () => {
    await notices.close();
    await Promise.all([state.destroy(), logs.destroy()]);
  };
  try {
    await migratePostgres(state, keyring);
    await notices.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    engine: 'postgres',
    read: state,
    keyring,
    transact: createTransact(state),
    logs: createLogDatabase(logs),
    notices,
    healthySince: () => healthySince,
    close,
  };
}

function createLogDatabase(logs: Kysely<LogTables>): LogDatabase {
  const transact = createTransact(logs);
  return {
    engine: 'postgres',
    read: logs,
    transact: (work, options) =>
      transact(async (db) => {
        if (options?.durable) await sql`set local synchronous_commit = on`.execute(db);
        return await work(db);
      }),
  };
}

/** A handle on connections of its own, for long reads. */
export function openPostgresForReading<Tables>(url: string, max: number): Kysely<Tables> {
  const options = '-c default_transaction_read_only=on';
  return createPostgresHandle(createPool({ ...describeConnection(url), max, options }, ignoreFailure), ignoreFailure);
}

function ignoreFailure(): void {
  // The reader asks; who asked is told.
}

function createTransact<Tables>(db: Kysely<Tables>) {
  const nested = new NestedGuard();
  return async <T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    nested.refuse();
    return await nested.run(() => runTransaction(db, work));
  };
}

async function runTransaction<Tables, T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (!repeatable.includes(code) || run === maxRuns) throw error;
    }
  }
}

/** All steps that the database has not taken, and the facts of this start, in one transaction. */
async function migratePostgres(state: Kysely<StateTables>, keyring: Keyring): Promise<void> {
  await state.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db);
    const { rows: found } = await sql<{ found: boolean }>`
      select to_regclass('installation') is not null as found`.execute(db);
    const rows = found[0]?.found ? await db.selectFrom('installation').selectAll().execute() : [];
    const facts = new Map(rows.map(({ key, value }) => [key, value]));
    refuseNewer(facts);
    refuseUnknownKeys(keyring, facts);
    const versions: { key: string; value: string }[] = [];
    for (const [fact, migrations] of versionFacts) {
      // A step sees tables as they were at its time, not as the types of today say.
      const untyped = db as unknown as Kysely<unknown>;
      for (const migrate of migrations.slice(Number(facts.get(fact) ?? 0))) await migrate(untyped, 'postgres');
      versions.push({ key: fact, value: String(migrations.length) });
    }
    await db
      .insertInto('installation')
      .values([...versions, describeSealingKey(keyring)])
      .onConflict((it) => it.column('key').doUpdateSet({ value: (row) => row.ref('excluded.value') }))
      .execute();
  });
}

const versionFacts: readonly [string, readonly Migration[]][] = [
  ['schema_version', stateMigrations],
  ['log_schema_version', logMigrations],
];

function refuseNewer(facts: Facts): void {
  for (const [fact, { length }] of versionFacts) {
    const version = Number(facts.get(fact) ?? 0);
    if (version <= length) continue;
    throw new StartRefusal(
      `The database has schema version ${version}, and this Signalbox knows versions up to ${length}: use the newer Signalbox.`,
    );
  }
}

async function refuseServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version, encoding } = rows[0];
  if (version < oldestServer) throw new StartRefusal('Signalbox needs PostgreSQL 13 or newer.');
  if (encoding !== 'UTF8') throw new StartRefusal(`The database has the encoding ${encoding}; Signalbox needs UTF8.`);
}

function createPool(settings: pg.PoolConfig, onFailure: () => void): pg.Pool {
  const pool = new pg.Pool(settings);
  pool.on('error', onFailure);
  // The pool listens to those that nobody uses. One that is cut between two statements of a transaction has no other listener,
  // and an error that nobody listens to ends the process.
  pool.on('connect', (client) => client.on('error', onFailure));
  return pool;
}

function createPostgresHandle<Tables>(pool: pg.Pool, onFailure: () => void): Kysely<Tables> {
  return new Handle<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: () =>
          pool.connect().then(tellOutages, (error: unknown) => {
            onFailure();
            throw isAnswer(error) ? error : new DatabaseAway(error);
          }),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
    log: (event) => {
      if (event.level === 'error' && !isAnswer(event.error)) onFailure();
    },
  });
}

const telling = new WeakMap<pg.PoolClient, PostgresPoolClient>();

/** The same connection, whose statements fail with `DatabaseAway` when it is cut. One for each, because Kysely knows them by it. */
function tellOutages(client: pg.PoolClient): PostgresPoolClient {
  const known = telling.get(client);
  if (known !== undefined) return known;
  const query = async (text: string, parameters: readonly unknown[]) =>
    await client.query(text, [...parameters]).catch((error: unknown) => {
      // A value that cannot be sent is our own mistake.
      const isOurs = error instanceof TypeError || error instanceof RangeError;
      throw isOurs || isAnswer(error) ? error : new DatabaseAway(error);
    });
  // There are no cursors here, the other form of a query.
  const told = {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy?: boolean) => client.release(destroy),
  };
  telling.set(client, told);
  return told;
}

/** Whether the server itself said so: then it was there. Its shutdown (57P01 and the like) is no answer. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return !error.code?.startsWith('57P') && !error.code?.startsWith('08');
}

function describeConnection(url: string): pg.PoolConfig {
  return {
    connectionString: url,
    types,
    application_name: 'signalbox',
    keepAlive: true,
    connectionTimeoutMillis: connectLimit,
  };
}

/** Without the password. */
function describeUrl(url: string): string {
  if (!URL.canParse(url)) return 'of SIGNALBOX_DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
