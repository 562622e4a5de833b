import type { EnvironmentSecret, SecretOperation } from '@signalbox/contract/environments';
import type { Db } from '../../db/database.ts';
import type { Keyring } from '../../db/secrets.ts';
import { sealEnvironmentSecret } from '../../engine/stored-secrets.ts';
import { AppError } from '../../errors.ts';
import { deleteSecret, type EnvironmentPlace, insertSecret, updateSecret } from './queries.ts';

type Operation = SecretOperation & { at: number };

/**
 * Applies the operations on the secrets of a variable group. Deletions come first and creations last, so that a name can
 * move from one secret to another in one request. Everything is checked before the first change.
 */
export async function applySecretOperations(
  db: Db,
  keyring: Keyring,
  place: EnvironmentPlace,
  stored: readonly EnvironmentSecret[],
  operations: readonly SecretOperation[],
): Promise<void> {
  const numbered = operations.map((operation, at) => ({ ...operation, at }));
  const { deleted, updated, created } = sortOperations(numbered, stored);
  refuseDoubleNames(numbered, stored);
  for (const { id } of deleted) await deleteSecret(db, place, id);
  // A free name in between: two secrets may change names with each other.
  for (const { id } of updated) await updateSecret(db, place, id, { name: `${id}` });
  for (const { id, type, name, secret } of updated) {
    const sealed = secret === '' ? {} : { secret: sealEnvironmentSecret(keyring, id, secret) };
    await updateSecret(db, place, id, { type, name, ...sealed });
  }
  for (const { type, name, secret } of created) {
    const id = await insertSecret(db, place, { type, name });
    await updateSecret(db, place, id, { secret: sealEnvironmentSecret(keyring, id, secret) });
  }
}

function sortOperations(operations: readonly Operation[], stored: readonly EnvironmentSecret[]) {
  const withId = (kind: 'delete' | 'update') =>
    operations
      .filter(({ operation }) => operation === kind)
      .map((item) => ({ ...item, id: requireStored(item, stored) }));
  const created = operations.filter(({ operation }) => operation === 'create');
  const empty = created.find(({ secret }) => secret === '');
  if (empty !== undefined) throw wrong('invalid', `secrets.${empty.at}.secret`, 'is required');
  return { deleted: withId('delete'), updated: withId('update'), created };
}

function requireStored({ id, at }: Operation, stored: readonly EnvironmentSecret[]): number {
  const found = stored.find((secret) => secret.id === id);
  if (found === undefined)
    throw wrong('unknown_reference', `secrets.${at}.id`, 'names no secret of this variable group');
  return found.id;
}

/** What the names will be when all is done. */
function refuseDoubleNames(operations: readonly Operation[], stored: readonly EnvironmentSecret[]): void {
  const touched = operations.filter(({ operation }) => operation === 'update' || operation === 'delete');
  const kept = stored.filter(({ id }) => !touched.some((item) => item.id === id));
  const taken = new Set(kept.map(({ type, name }) => `${type}.${name}`));
  for (const { operation, type, name, at } of operations) {
    if (operation !== 'create' && operation !== 'update') continue;
    if (taken.has(`${type}.${name}`)) throw wrong('not_unique', `secrets.${at}.name`, 'is there twice');
    taken.add(`${type}.${name}`);
  }
}

function wrong(code: 'invalid' | 'unknown_reference' | 'not_unique', path: string, message: string): AppError {
  return new AppError(code, `${path} ${message}`, [{ path, message }]);
}
