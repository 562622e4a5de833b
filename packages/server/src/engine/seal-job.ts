import {
  createCipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { type Sealed, sealInfo } from '@signalbox/contract/runner-protocol';

const rawKeyBytes = 32;

/**
 * Encrypts work for one runner process; only the holder of the private key opens it, and only under the same associated
 * data. @param publicKey raw X25519 key in base64. @throws when it is no such key.
 */
export function sealFor(publicKey: string, text: string, associated: string): Sealed {
  const recipient = Buffer.from(publicKey, 'base64');
  if (recipient.length !== rawKeyBytes) throw new Error('The public key of the runner is not an X25519 key');
  // Fresh for each box, so the key is too, and a nonce can never meet the same key twice.
  const ephemeral = generateKeyPairSync('x25519');
  const { x } = ephemeral.publicKey.export({ format: 'jwk' });
  const ephemeralRaw = Buffer.from(String(x), 'base64url');
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: readPublicKey(recipient) });
  const salt = Buffer.concat([ephemeralRaw, recipient]);
  const key = Buffer.from(hkdfSync('sha256', shared, salt, sealInfo, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(associated));
  const box = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    ephemeral: ephemeralRaw.toString('base64'),
    nonce: nonce.toString('base64'),
    box: box.toString('base64'),
  };
}

function readPublicKey(raw: Buffer) {
  const jwk = { kty: 'OKP', crv: 'X25519', x: raw.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
