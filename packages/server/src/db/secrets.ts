import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret lies: its associated data, so that a sealed value copied to another row or column does not open. */
export type SecretPlace = { table: string; column: string; id: number | string };

type EncryptionKey = { id: string; key: Uint8Array };

const version = 'sb1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals and opens stored secrets with AES-256-GCM. The first key of the ring seals; all of them open, so that keys can be
 * changed while rows of the old one remain. A sealed text is `sb1:<key id>:<base64 of nonce, ciphertext, tag>`.
 */
export class Keyring {
  readonly #first: EncryptionKey;
  readonly #keys: ReadonlyMap<string, Uint8Array>;

  /** @param keys at least one; ids are unique. */
  constructor(keys: readonly EncryptionKey[]) {
    const [first] = keys;
    if (first === undefined) throw new Error('A key ring needs a key');
    this.#first = first;
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  seal(secret: string, place: SecretPlace): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#first.key, nonce);
    cipher.setAAD(toAssociatedData(place));
    const box = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}:${this.#first.id}:${box.toString('base64')}`;
  }

  /** @throws when the text was sealed elsewhere, was changed, or its key is not in the ring. */
  open(sealed: string, place: SecretPlace): string {
    const [prefix, id, content] = sealed.split(':');
    const key = this.#keys.get(id ?? '');
    if (prefix !== version || content === undefined) throw new Error('This is not a sealed secret');
    if (key === undefined) throw new Error(`The encryption key ${id} is not in the key ring`);
    const box = Buffer.from(content, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, nonceBytes));
    decipher.setAAD(toAssociatedData(place));
    decipher.setAuthTag(box.subarray(-tagBytes));
    return decipher.update(box.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }

  /** Whether the key that seals now is the one that sealed it: what a change of keys looks for. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${version}:${this.#first.id}:`);
  }

  /** By key id, what tells one key from another without giving it away; stored with the installation. */
  fingerprints(): Map<string, string> {
    return new Map([...this.#keys].map(([id, key]) => [id, fingerprint(key)]));
  }
}

function toAssociatedData({ table, column, id }: SecretPlace): Uint8Array {
  return Buffer.from(`${table}.${column}:${id}`);
}

export function fingerprint(key: Uint8Array): string {
  return createHash('sha256').update('signalbox key fingerprint\n').update(key).digest('hex').slice(0, 32);
}
