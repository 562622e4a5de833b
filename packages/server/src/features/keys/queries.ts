import type { Key, KeyType } from '@signalbox/contract/keys';
import type { Db } from '../../db/database.ts';
import { orderBy, type SortRequest } from '../../sorting.ts';

type KeyRow = { id: number; project_id: number; name: string; type: KeyType; secret: string | null };

/** Nothing of a secret goes out, in whatever form an old client looks for it. */
const blanks = {
  login_password: { login: '', password: '' },
  ssh: { login: '', passphrase: '', private_key: '' },
  string: '',
  override_secret: false,
} as const;

function toKey({ secret, ...key }: KeyRow): Key {
  return secret === null && key.type !== 'none' ? { ...key, empty: true, ...blanks } : { ...key, ...blanks };
}

function selectKeys(db: Db, projectId: number) {
  return db.selectFrom('key').selectAll().where('project_id', '=', projectId);
}

export async function listKeys(db: Db, projectId: number, sort: SortRequest): Promise<Key[]> {
  const rows = await selectKeys(db, projectId)
    .orderBy(orderBy(sort, 'key', ['name', 'type']))
    .execute();
  return rows.map(toKey);
}

export async function findKey(db: Db, projectId: number, id: number): Promise<Key | undefined> {
  const row = await selectKeys(db, projectId).where('id', '=', id).executeTakeFirst();
  return row && toKey(row);
}

/** What the key is until the end of the transaction: nobody changes or deletes it before. */
export async function holdKeyType(db: Db, projectId: number, id: number): Promise<KeyType | undefined> {
  const row = await selectKeys(db, projectId).where('id', '=', id).forShare().executeTakeFirst();
  return row?.type;
}

/** Without its secret: that is sealed with the id, which the row has only now. */
export async function insertKey(db: Db, projectId: number, name: string, type: KeyType): Promise<number> {
  const row = await db
    .insertInto('key')
    .values({ project_id: projectId, name, type, secret: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export type KeyUpdate = { name: string; type?: KeyType; secret?: string | null };

export async function updateKey(db: Db, projectId: number, id: number, change: KeyUpdate): Promise<void> {
  await db.updateTable('key').set(change).where('id', '=', id).where('project_id', '=', projectId).execute();
}

export async function deleteKey(db: Db, projectId: number, id: number): Promise<void> {
  await db.deleteFrom('key').where('id', '=', id).where('project_id', '=', projectId).execute();
}
