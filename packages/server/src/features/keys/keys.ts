import type { KeyMaterial } from '@signalbox/contract/job';
import type { Key, KeyChange, KeyInput, KeyType } from '@signalbox/contract/keys';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { type EventActor, recordEvent } from '../../db/events.ts';
import type { Keyring } from '../../db/secrets.ts';
import { sealKey } from '../../engine/stored-secrets.ts';
import { AppError } from '../../errors.ts';
import {
  findKeyReferences,
  findPasswordUses,
  inUse,
  isUsed,
  removeUnused,
  requireSameIds,
} from '../references/references.ts';
import { deleteKey, findKey, holdKeyType, insertKey, updateKey } from './queries.ts';

export async function requireKey(db: Db, projectId: number, id: number): Promise<Key> {
  const key = await findKey(db, projectId, id);
  if (key === undefined) throw new AppError('not_found', 'There is no such key in this project');
  return key;
}

/** A key that can be named in `field`; it has its password until the end of the transaction. */
export async function requirePasswordKey(db: Db, projectId: number, id: number, field: string): Promise<void> {
  if ((await holdKeyType(db, projectId, id)) === 'login_password') return;
  const message = 'must be a key with a login and a password';
  throw new AppError('invalid', `${field} ${message}`, [{ path: field, message }]);
}

export async function createKey(database: Database, actor: Actor, projectId: number, input: KeyInput): Promise<Key> {
  requireSameIds({ projectId }, input);
  const material = readMaterial(input.type, input);
  return database.transact(async (db) => {
    const id = await addKey(db, database.keyring, projectId, { name: input.name, material });
    await recordChange(db, actor, projectId, { id, name: input.name }, 'created');
    return requireKey(db, projectId, id);
  });
}

/** Stores a key inside a transaction that makes more than a key. */
export async function addKey(
  db: Db,
  keyring: Keyring,
  projectId: number,
  { name, material }: { name: string; material: KeyMaterial },
): Promise<number> {
  const id = await insertKey(db, projectId, name, material.type);
  const secret = sealKey(keyring, id, material);
  if (secret !== null) await updateKey(db, projectId, id, { name, secret });
  return id;
}

export type KeyPlace = { projectId: number; id: number };

export async function changeKey(database: Database, actor: Actor, place: KeyPlace, change: KeyChange): Promise<void> {
  const { projectId, id } = place;
  requireSameIds(place, change);
  await database.transact(async (db) => {
    const stored = await requireKey(db, projectId, id);
    const update = { name: change.name, ...readSecret(database.keyring, stored, change) };
    await updateKey(db, projectId, id, update);
    if (update.type !== undefined && update.type !== 'login_password') await refuseWithoutPassword(db, place);
    await recordChange(db, actor, projectId, { id, name: change.name }, 'updated');
  });
}

/** What signs in with the key's password would find none. */
async function refuseWithoutPassword(db: Db, { projectId, id }: KeyPlace): Promise<void> {
  const uses = await findPasswordUses(db, projectId, id);
  if (isUsed(uses)) throw inUse('password of the key', uses);
}

/** Type and secret change together, and only when that is asked for. */
function readSecret(keyring: Keyring, stored: Key, change: KeyChange): { type?: KeyType; secret?: string | null } {
  if (change.override_secret !== true) return {};
  const type = change.type ?? stored.type;
  return { type, secret: sealKey(keyring, stored.id, readMaterial(type, change)) };
}

export async function removeKey(database: Database, actor: Actor, { projectId, id }: KeyPlace): Promise<void> {
  const key = await requireKey(database.read, projectId, id);
  await removeUnused(database, { kind: 'key', projectId, id, findReferences: findKeyReferences }, async (db) => {
    await deleteKey(db, projectId, id);
    await recordChange(db, actor, projectId, key, 'deleted');
  });
}

type GivenSecrets = Pick<KeyInput, 'login_password' | 'ssh'>;

function readMaterial(type: KeyType, given: GivenSecrets): KeyMaterial {
  switch (type) {
    case 'none':
      return { type };
    case 'login_password': {
      const { login = '', password = '' } = given.login_password ?? {};
      if (password === '') throw missing('login_password.password');
      return { type, login, password };
    }
    case 'ssh': {
      const { login = '', passphrase = '', private_key = '' } = given.ssh ?? {};
      if (private_key.trim() === '') throw missing('ssh.private_key');
      return { type, login, passphrase, private_key };
    }
  }
}

function missing(path: string): AppError {
  return new AppError('invalid', `${path} is required`, [{ path, message: 'is required' }]);
}

async function recordChange(
  db: Db,
  actor: EventActor,
  projectId: number,
  { id, name }: { id: number; name: string },
  verb: 'created' | 'updated' | 'deleted',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId,
    objectType: 'key',
    objectId: id,
    objectName: name,
    description: `Access Key ${name} ${verb}`,
  });
}
