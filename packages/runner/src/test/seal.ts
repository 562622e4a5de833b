import {
  createCipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { type Sealed, sealInfo } from '@signalbox/contract/runner-protocol';

const prefix = Buffer.from('302a300506032b656e032100', 'hex');

/** The sender's half of the sealing, written from the contract. */
export function seal(recipient: string, text: string, associated: string): Sealed {
  const raw = Buffer.from(recipient, 'base64');
  const own = generateKeyPairSync('x25519');
  const ownRaw = own.publicKey.export({ type: 'spki', format: 'der' }).subarray(prefix.length);
  const publicKey = createPublicKey({ key: Buffer.concat([prefix, raw]), format: 'der', type: 'spki' });
  const secret = diffieHellman({ privateKey: own.privateKey, publicKey });
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.concat([ownRaw, raw]), sealInfo, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(associated));
  const box = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { ephemeral: ownRaw.toString('base64'), nonce: nonce.toString('base64'), box: box.toString('base64') };
}
