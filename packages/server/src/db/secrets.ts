import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret lies: its associated data, so that a sealed value copied to another row or column does not open. */
export type SecretPlace = { table: string; column: string; id: number | string };

export type EncryptionKey = { id: string; key: Uint8Array };

const version = 'sb1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals and opens stored secrets with AES-256-GCM. One key of the ring seals, at first the first one; all of them open, so
 * that keys can be changed while rows of the old one remain. A sealed text is
 * `sb1:<key id>:<base64 of nonce, ciphertext, tag>`.
 */
export class Keyring {
  readonly #keys = new Map<string, Uint8Array>();
  readonly #reload: () => readonly EncryptionKey[];
  #sealingKey: string;

  /**
   * @param keys at least one; ids are unique.
   * @param reload looks for keys that came later, when a secret names one that is not here
   */
  constructor(keys: readonly EncryptionKey[], reload: () => readonly EncryptionKey[] = () => []) {
    const [first] = keys;
    if (first === undefined) throw new Error('A key ring needs a key');
    this.#reload = reload;
    this.#sealingKey = first.id;
    this.#add(keys);
  }

  /** Id of the key that seals now. */
  get sealingKey(): string {
    return this.#sealingKey;
  }

  /** From now on another key seals. One that cannot be found seals nothing: better no secret than one that is lost. */
  sealWith(id: string): void {
    if (!this.#keys.has(id)) this.#add(this.#reload());
    this.#sealingKey = id;
  }

  seal(secret: string, place: SecretPlace): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#find(this.#sealingKey), nonce);
    cipher.setAAD(toAssociatedData(place));
    const box = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${prefixOf(this.#sealingKey)}${box.toString('base64')}`;
  }

  /** @throws when the text was sealed elsewhere, was changed, or its key is not in the ring. */
  open(sealed: string, place: SecretPlace): string {
    const [prefix, id, content] = sealed.split(':');
    if (prefix !== version || id === undefined || content === undefined) throw new Error('This is not a sealed secret');
    const key = this.#find(id);
    const box = Buffer.from(content, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, nonceBytes));
    decipher.setAAD(toAssociatedData(place));
    decipher.setAuthTag(box.subarray(-tagBytes));
    return decipher.update(box.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }

  /** By key id, what tells one key from another without giving it away; stored with the installation. */
  fingerprints(): Map<string, string> {
    return new Map([...this.#keys].map(([id, key]) => [id, fingerprint(key)]));
  }

  #find(id: string): Uint8Array {
    if (!this.#keys.has(id)) this.#add(this.#reload());
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`The encryption key ${id} is not in the key ring`);
    return key;
  }

  #add(keys: readonly EncryptionKey[]): void {
    for (const { id, key } of keys) this.#keys.set(id, key);
  }
}

/** What every text begins with that a key has sealed. */
export function prefixOf(keyId: string): string {
  return `${version}:${keyId}:`;
}

function toAssociatedData({ table, column, id }: SecretPlace): Uint8Array {
  return Buffer.from(`${table}.${column}:${id}`);
}

export function fingerprint(key: Uint8Array): string {
  return createHash('sha256').update('signalbox key fingerprint\n').update(key).digest('hex').slice(0, 32);
}
