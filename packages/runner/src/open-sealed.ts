import {
  createDecipheriv,
  createPrivateKey,
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

/** What jobs are sealed to. That of a built-in runner lives in memory only, and dies with the process. */
export type SealKeys = { privateKey: KeyObject; publicKey: Buffer };

export function createSealKeys(): SealKeys {
  return toSealKeys(generateKeyPairSync('x25519').privateKey);
}

/** The key pair of a registration, from its private half. @throws when it is no X25519 key in PEM */
export function readSealKeys(pem: string): SealKeys {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'x25519') throw new Error(`It is a key for ${key.asymmetricKeyType}, not for X25519`);
  return toSealKeys(key);
}

function toSealKeys(privateKey: KeyObject): SealKeys {
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: Buffer.from(der.subarray(publicKeyPrefix.length)) };
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
