import { KeyMaterial } from '@signalbox/contract/job';
import type { KeyType } from '@signalbox/contract/keys';
import * as z from 'zod/mini';
import type { Keyring } from '../db/secrets.ts';

/** How the secrets of a project lie in the database: written by the features, opened where a job is made. */

const keyPlace = (id: number) => ({ table: 'key', column: 'secret', id });
const environmentSecretPlace = (id: number) => ({ table: 'environment_secret', column: 'secret', id });

/** A key of type `none` has nothing to seal. */
export function sealKey(keyring: Keyring, id: number, material: KeyMaterial): string | null {
  return material.type === 'none' ? null : keyring.seal(JSON.stringify(material), keyPlace(id));
}

/** What a key opens. One whose secret was never given, as after a restore, is like `none`. */
export function openKey(keyring: Keyring, row: { id: number; type: KeyType; secret: string | null }): KeyMaterial {
  if (row.type === 'none' || row.secret === null) return { type: 'none' };
  return z.parse(KeyMaterial, JSON.parse(keyring.open(row.secret, keyPlace(row.id))));
}

export function sealEnvironmentSecret(keyring: Keyring, id: number, secret: string): string {
  return keyring.seal(secret, environmentSecretPlace(id));
}

export function openEnvironmentSecret(keyring: Keyring, row: { id: number; secret: string }): string {
  return keyring.open(row.secret, environmentSecretPlace(row.id));
}
