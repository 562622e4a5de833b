import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { type EncryptionKey, fingerprint, Keyring } from './secrets.ts';
import { StartRefusal } from './start-refusal.ts';

const keyBytes = 32;
const keyId = /^[A-Za-z0-9_-]{1,32}$/;
/** Rows of `installation`: one for each key that rows may be sealed with. */
export const factPrefix = 'encryption_key:';

export type KeySettings = {
  dataDir: string;
  /** `id:base64,…`, the first seals; or one key in base64. Undefined or empty: the key file of the data directory. */
  encryptionKey?: string | undefined;
};

/**
 * The keys of this start, or undefined on a new installation that has none yet.
 * @throws StartRefusal when the installation knows a key that is not among them.
 */
export function findKeys(settings: KeySettings, facts: ReadonlyMap<string, string>): Keyring | undefined {
  const keyring = readKeys(settings);
  if (keyring !== undefined) refuseUnknownKeys(keyring, facts);
  else if ([...facts.keys()].some((fact) => fact.startsWith(factPrefix))) {
    throw new StartRefusal(
      `The encryption key of this installation is missing: restore ${keyFile(settings.dataDir)}, or set SIGNALBOX_ENCRYPTION_KEY to it.`,
    );
  }
  return keyring;
}

/** @throws StartRefusal */
export function refuseUnknownKeys(keyring: Keyring, facts: ReadonlyMap<string, string>): void {
  const fingerprints = keyring.fingerprints();
  for (const [fact, known] of facts) {
    if (!fact.startsWith(factPrefix) || fingerprints.get(fact.slice(factPrefix.length)) === known) continue;
    throw new StartRefusal(
      `Stored secrets are encrypted with the key ${fact.slice(factPrefix.length)}, and the encryption key that was given is another one.`,
    );
  }
}

/** What is to be known at the next start: rows may be sealed with this key from now on. */
export function describeSealingKey(keyring: Keyring): { key: string; value: string } {
  const id = keyring.sealingKey;
  return { key: `${factPrefix}${id}`, value: keyring.fingerprints().get(id) ?? '' };
}

/** Makes the key of a new installation and keeps it on disk, before anything is sealed with it. */
export async function createKeyFile(dataDir: string): Promise<Keyring> {
  const key = randomBytes(keyBytes);
  await writeDurably(keyFile(dataDir), 'wx', `${key.toString('base64')}\n`);
  return createFileRing(dataDir);
}

/**
 * Puts a new key in front of those of the key file; those stay, for backups of the database that are older. Returns the
 * id of the new one.
 */
export async function addKeyToFile(dataDir: string): Promise<string> {
  const file = keyFile(dataDir);
  const key = randomBytes(keyBytes);
  const keys = [{ id: fingerprint(key).slice(0, 8), key }, ...readKeyFile(file)];
  const text = keys.map((one) => `${one.id}:${Buffer.from(one.key).toString('base64')}`).join(',');
  await writeDurably(`${file}.new`, 'w', `${text}\n`);
  // Whole, whenever the power fails.
  await rename(`${file}.new`, file);
  const directory = await open(dataDir, 'r');
  await directory.sync();
  await directory.close();
  return keys[0]?.id ?? '';
}

async function writeDurably(path: string, flags: 'w' | 'wx', text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A change of keys writes the file anew while a server runs. */
function createFileRing(dataDir: string): Keyring {
  const read = () => readKeyFile(keyFile(dataDir));
  return new Keyring(read(), read);
}

function readKeys({ dataDir, encryptionKey }: KeySettings): Keyring | undefined {
  if (encryptionKey) return new Keyring(parseKeys(encryptionKey, 'SIGNALBOX_ENCRYPTION_KEY'));
  return existsSync(keyFile(dataDir)) ? createFileRing(dataDir) : undefined;
}

function readKeyFile(file: string): EncryptionKey[] {
  return parseKeys(readText(file), `The key file ${file}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartRefusal(`The key file ${file} cannot be read by this user.`, { cause: error });
  }
}

/** @param source is named when the text is wrong; the text itself never is. */
function parseKeys(text: string, source: string): EncryptionKey[] {
  const keys = text
    .trim()
    .split(',')
    .map((part) => parseKey(part.trim(), source));
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new StartRefusal(`${source} names two keys alike.`);
  }
  return keys;
}

function parseKey(part: string, source: string): EncryptionKey {
  const colon = part.indexOf(':');
  const content = part.slice(colon + 1);
  const key = Buffer.from(content, 'base64');
  const id = colon < 0 ? fingerprint(key).slice(0, 8) : part.slice(0, colon);
  const isExact = key.toString('base64').replace(/=+$/, '') === content.replace(/=+$/, '');
  if (key.length !== keyBytes || !isExact || !keyId.test(id)) {
    throw new StartRefusal(
      `${source} must be ${keyBytes} bytes in base64, or a list of id:base64 separated by commas.`,
    );
  }
  return { id, key };
}

function keyFile(dataDir: string): string {
  return path.join(dataDir, 'encryption.key');
}
