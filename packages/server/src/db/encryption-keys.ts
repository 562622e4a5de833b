import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { fingerprint, Keyring } from './secrets.ts';
import { StartRefusal } from './start-refusal.ts';

const keyBytes = 32;
const keyId = /^[A-Za-z0-9_-]{1,32}$/;
/** Rows of `installation`: one for each key that rows may be sealed with. */
const factPrefix = 'encryption_key:';

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

/** What is to be known of the keys at the next start. */
export function listKeyFacts(keyring: Keyring): { key: string; value: string }[] {
  return [...keyring.fingerprints()].map(([id, value]) => ({ key: `${factPrefix}${id}`, value }));
}

/** Makes the key of a new installation and keeps it on disk, before anything is sealed with it. */
export async function createKeyFile(dataDir: string): Promise<Keyring> {
  const key = randomBytes(keyBytes);
  const file = await open(keyFile(dataDir), 'wx', 0o600);
  try {
    await file.writeFile(`${key.toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return new Keyring([{ id: fingerprint(key).slice(0, 8), key }]);
}

function readKeys({ dataDir, encryptionKey }: KeySettings): Keyring | undefined {
  if (encryptionKey) return parseKeys(encryptionKey, 'SIGNALBOX_ENCRYPTION_KEY');
  const file = keyFile(dataDir);
  return existsSync(file) ? parseKeys(readKeyFile(file), `The key file ${file}`) : undefined;
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartRefusal(`The key file ${file} cannot be read by this user.`, { cause: error });
  }
}

/** @param source is named when the text is wrong; the text itself never is. */
function parseKeys(text: string, source: string): Keyring {
  const keys = text
    .trim()
    .split(',')
    .map((part) => parseKey(part.trim(), source));
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new StartRefusal(`${source} names two keys alike.`);
  }
  return new Keyring(keys);
}

function parseKey(part: string, source: string): { id: string; key: Uint8Array } {
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
