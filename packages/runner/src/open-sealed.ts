import {
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { type Sealed, sealInfo } from '@signalbox/contract/runner-protocol';

/** The fixed bytes in front of a raw X25519 public key in its DER form. */
const publicKeyPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const tagLength = 16;

/** The key pair of one instance. The private half lives in memory only, and dies with the process. */
export type SealKeys = { privateKey: KeyObject; publicKey: Buffer };

export function createSealKeys(): SealKeys {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(publicKeyPrefix.length);
  return { privateKey, publicKey: Buffer.from(raw) };
}

/** @throws when the box was not made for this key and these associated data, or was changed */
export function openSealed(keys: SealKeys, sealed: Sealed, associated: string): string {
  const ephemeral = Buffer.from(sealed.ephemeral, 'base64');
  const sender = createPublicKey({ key: Buffer.concat([publicKeyPrefix, ephemeral]), format: 'der', type: 'spki' });
  const secret = diffieHellman({ privateKey: keys.privateKey, publicKey: sender });
  const salt = Buffer.concat([ephemeral, keys.publicKey]);
  const key = Buffer.from(hkdfSync('sha256', secret, salt, sealInfo, 32));
  const box = Buffer.from(sealed.box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(associated, 'utf8'));
  decipher.setAuthTag(box.subarray(box.length - tagLength));
  const plain = Buffer.concat([decipher.update(box.subarray(0, box.length - tagLength)), decipher.final()]);
  return plain.toString('utf8');
}
