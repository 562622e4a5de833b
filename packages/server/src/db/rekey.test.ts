import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { insertProject, insertTask, insertTemplate, insertUser } from '../test/rows.ts';
import type { Database, Db } from './database.ts';
import { openDatabase } from './open-database.ts';
import { rekey } from './rekey.ts';
import { placeOf, sealedColumns } from './sealed-columns.ts';
import { followSealingKey } from './sealing-key.ts';
import type { Keyring } from './secrets.ts';

const keyA = Buffer.alloc(32, 'a').toString('base64');
const keyB = Buffer.alloc(32, 'b').toString('base64');

let blank: TestDatabase;
const opened: Database[] = [];
beforeEach(async () => {
  blank = await openTestDatabase();
  // Its own key is known to it: this installation begins anew, with a key of ours.
  await blank.database.transact((db) =>
    db.deleteFrom('installation').where('key', 'like', 'encryption_key:%').execute(),
  );
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await blank.remove();
});

/** The same database, as a server or a command with these keys sees it; undefined: with a key file. */
async function openWith(encryptionKey: string | undefined): Promise<Database> {
  const database = await openDatabase({ ...blank.settings, encryptionKey });
  opened.push(database);
  return database;
}

const takeUp = async () => undefined;
type Sealed = { table: keyof typeof sealedColumns; id: number | string };

/** One row in every table that has a sealed column. */
async function insertSecrets(database: Database): Promise<Sealed[]> {
  const { keyring } = database;
  return database.transact(async (db) => {
    const project_id = await insertProject(db);
    const template_id = await insertTemplate(db, { project_id });
    const task_id = await insertTask(db, { project_id, template_id });
    const key = { table: 'key', id: await insertKey(db, keyring, project_id) } as const;
    const environment = await insertEnvironment(db, project_id);
    const secret = { project_id, environment_id: environment, type: 'var', name: 'S', secret: '' } as const;
    const environmentSecret = await db
      .insertInto('environment_secret')
      .values(secret)
      .returning('id')
      .executeTakeFirstOrThrow();
    const totp = { user_id: await insertUser(db), secret: '', recovery_hash: null, created: 1, last_step: null };
    const totpRow = await db.insertInto('totp').values(totp).returning('id').executeTakeFirstOrThrow();
    await db.insertInto('task_secret').values({ task_id, secret: '' }).execute();
    const probe = { id: 'probe-1', project_id, runner_tag: null, question: '', created: 1, instance: null };
    await db
      .insertInto('probe')
      .values({ ...probe, claimed: null, attempts: 0, ok: null, answer: null })
      .execute();
    const others: Sealed[] = [
      { table: 'environment_secret', id: environmentSecret.id },
      { table: 'totp', id: totpRow.id },
      { table: 'task_secret', id: task_id },
      { table: 'probe', id: 'probe-1' },
    ];
    for (const row of others) await seal(db, keyring, row);
    return [key, ...others];
  });
}

async function insertKey(db: Db, keyring: Keyring, projectId: number): Promise<number> {
  const row = { project_id: projectId, name: 'k', type: 'ssh' as const, secret: null };
  const { id } = await db.insertInto('key').values(row).returning('id').executeTakeFirstOrThrow();
  await seal(db, keyring, { table: 'key', id });
  return id;
}

async function insertEnvironment(db: Db, projectId: number): Promise<number> {
  const row = { project_id: projectId, name: 'e', json: '{}', env: null };
  return (await db.insertInto('environment').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

async function seal(db: Db, keyring: Keyring, { table, id }: Sealed): Promise<void> {
  const { column, id: idColumn } = sealedColumns[table];
  const text = keyring.seal(`secret of ${table} ${id}`, placeOf(table, id));
  await db
    .updateTable(table as 'key')
    .set({ [column]: text })
    .where(idColumn as 'id', '=', id as number)
    .execute();
}

async function readSealed({ read }: Database, { table, id }: Sealed): Promise<string> {
  const { column, id: idColumn } = sealedColumns[table];
  const row = await read
    .selectFrom(table as 'key')
    .selectAll()
    .where(idColumn as 'id', '=', id as number)
    .executeTakeFirstOrThrow();
  return String((row as Record<string, unknown>)[column]);
}

async function expectSealedWith(database: Database, rows: Sealed[], keyId: string): Promise<void> {
  for (const row of rows) {
    const sealed = await readSealed(database, row);
    expect([row.table, sealed.split(':')[1]]).toEqual([row.table, keyId]);
    expect(database.keyring.open(sealed, placeOf(row.table, row.id))).toBe(`secret of ${row.table} ${row.id}`);
  }
}

const knownKeys = async ({ read }: Database) => {
  const rows = await read.selectFrom('installation').select('key').where('key', 'like', 'encryption_key:%').execute();
  return rows.map(({ key }) => key.slice('encryption_key:'.length)).toSorted();
};

describe('a change of the encryption key', () => {
  test('seals every secret anew, after which the old key is not needed', async () => {
    const rows = await insertSecrets(await openWith(`old:${keyA}`));
    const command = await openWith(`new:${keyB},old:${keyA}`);
    expect(await rekey(command, undefined, takeUp)).toEqual({ key: 'new', changed: rows.length, unreadable: [] });
    const later = await openWith(`new:${keyB}`);
    await expectSealedWith(later, rows, 'new');
    await expect(openWith(`old:${keyA}`)).rejects.toThrow('encrypted with the key new');
    expect(await knownKeys(later)).toEqual(['new']);
  });

  test('that is begun again changes nothing more', async () => {
    await insertSecrets(await openWith(`old:${keyA}`));
    const command = await openWith(`new:${keyB},old:${keyA}`);
    await rekey(command, undefined, takeUp);
    expect(await rekey(command, undefined, takeUp)).toEqual({ key: 'new', changed: 0, unreadable: [] });
  });

  test('goes on where it was cut short', async () => {
    const rows = await insertSecrets(await openWith(`old:${keyA}`));
    const command = await openWith(`new:${keyB},old:${keyA}`);
    const cut = rekey(command, undefined, () => Promise.reject(new Error('cut short')));
    await expect(cut).rejects.toThrow('cut short');
    expect(await knownKeys(command)).toEqual(['new', 'old']);
    await rekey(command, undefined, takeUp);
    await expectSealedWith(command, rows, 'new');
    expect(await knownKeys(command)).toEqual(['new']);
  });

  test('is taken up by a running server, which reads on and whose last secrets with the old key are found', async () => {
    const server = await openWith(`old:${keyA},new:${keyB}`);
    const rows = await insertSecrets(server);
    const command = await openWith(`new:${keyB},old:${keyA}`);
    let late: Sealed[] = [];
    await rekey(command, undefined, async () => {
      // The server has not looked yet: it reads what is new and seals with the old one.
      await expectSealedWith(server, rows, 'new');
      const projectId = await server.transact((db) => insertProject(db));
      late = [{ table: 'key', id: await server.transact((db) => insertKey(db, server.keyring, projectId)) }];
      await expectSealedWith(server, late, 'old');
      await followSealingKey(server);
    });
    await expectSealedWith(server, [...rows, ...late], 'new');
    expect(server.keyring.sealingKey).toBe('new');
  });

  test('puts a new key in front of the key file, which a running server reads again', async () => {
    const server = await openWith(undefined);
    const [old] = await knownKeys(server);
    const rows = await insertSecrets(server);
    const command = await openWith(undefined);
    const { key } = await rekey(command, blank.dataDir, takeUp);
    expect(key).not.toBe(old);
    await expectSealedWith(server, rows, key);
    const file = path.join(blank.dataDir, 'encryption.key');
    const text = await readFile(file, 'utf8');
    expect(text.split(',').map((part) => part.split(':')[0])).toEqual([key, old]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expectSealedWith(await openWith(undefined), rows, key);
    // Once more: another key.
    const again = await rekey(command, blank.dataDir, takeUp);
    expect(again.changed).toBe(rows.length);
    await expectSealedWith(server, rows, again.key);
  });

  test('with a key file that was cut short makes no second key', async () => {
    await insertSecrets(await openWith(undefined));
    const command = await openWith(undefined);
    await expect(rekey(command, blank.dataDir, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    const begun = command.keyring.sealingKey;
    const next = await openWith(undefined);
    expect((await rekey(next, blank.dataDir, takeUp)).key).toBe(begun);
    expect(await knownKeys(next)).toEqual([begun]);
  });

  test('is made by one command at a time where it writes the key file', async () => {
    const rows = await insertSecrets(await openWith(undefined));
    const command = await openWith(undefined);
    let refusal: unknown;
    const { key } = await rekey(command, blank.dataDir, async () => {
      refusal = await rekey(command, blank.dataDir, takeUp).catch((error: unknown) => error);
    });
    expect(refusal).toMatchObject({ message: 'Another change of the encryption key is going on.' });
    await expectSealedWith(command, rows, key);
  });

  test('keeps the old key known while something cannot be read, and says what', async () => {
    const server = await openWith(`old:${keyA}`);
    const [key, ...rest] = await insertSecrets(server);
    if (key === undefined) throw new Error('There is no key');
    await server.transact((db) =>
      db.updateTable('key').set({ secret: 'sb1:old:AAAA' }).where('id', '=', Number(key.id)).execute(),
    );
    const command = await openWith(`new:${keyB},old:${keyA}`);
    const result = await rekey(command, undefined, takeUp);
    expect(result.unreadable).toEqual([`key ${key.id}`]);
    await expectSealedWith(command, rest, 'new');
    expect(await knownKeys(command)).toEqual(['new', 'old']);
  });

  test('is not finished while a server that was started meanwhile seals with another key', async () => {
    await openWith(`old:${keyA}`);
    const command = await openWith(`new:${keyB},old:${keyA}`);
    const done = rekey(command, undefined, async () => {
      await command.transact((db) =>
        db.updateTable('installation').set({ value: 'old' }).where('key', '=', 'sealing_key').execute(),
      );
    });
    await expect(done).rejects.toThrow('seals with the key old');
    expect(await knownKeys(command)).toContain('old');
  });
});

test('a server looks for an announced key by itself, and announces its own when it starts', async () => {
  const server = await openDatabase({ ...blank.settings, encryptionKey: `old:${keyA},new:${keyB}`, exclusive: true });
  opened.push(server);
  const command = await openWith(`new:${keyB},old:${keyA}`);
  await followSealingKey(command);
  expect(command.keyring.sealingKey).toBe('old');
  command.keyring.sealWith('new');
  await rekey(command, undefined, takeUp);
  await vi.waitFor(() => expect(server.keyring.sealingKey).toBe('new'), { timeout: 30_000 });
});

test('a server that does not have the announced key seals nothing', async () => {
  const server = await openWith(`old:${keyA}`);
  await rekey(await openWith(`new:${keyB},old:${keyA}`), undefined, takeUp);
  await followSealingKey(server);
  expect(() => server.keyring.seal('x', placeOf('key', 1))).toThrow('The encryption key new is not in the key ring');
});
