import {
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { type Sealed, sealInfo } from '@signalbox/contract/runner-protocol';
import { expect, test } from 'vitest';
import { sealFor } from './seal-job.ts';

/** The runner's half, written from the text of the protocol alone. */
function open(sealed: Sealed, privateKey: KeyObject, rawPublic: Buffer, associated: string): string {
  const ephemeral = Buffer.from(sealed.ephemeral, 'base64');
  const key = { kty: 'OKP', crv: 'X25519', x: ephemeral.toString('base64url') };
  const shared = diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'jwk' }) });
  const secret = Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, rawPublic]), sealInfo, 32));
  const box = Buffer.from(sealed.box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(sealed.nonce, 'base64'));
  decipher.setAAD(Buffer.from(associated));
  decipher.setAuthTag(box.subarray(-16));
  return decipher.update(box.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
}

function createPair() {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  return { privateKey, raw };
}

test('only the holder of the private key opens a job', () => {
  const runner = createPair();
  const other = createPair();
  const sealed = sealFor(runner.raw.toString('base64'), 'geheim ✓', '7:claim:1:instance');
  expect(open(sealed, runner.privateKey, runner.raw, '7:claim:1:instance')).toBe('geheim ✓');
  expect(() => open(sealed, other.privateKey, other.raw, '7:claim:1:instance')).toThrow();
});

test('a job does not open under another claim', () => {
  const runner = createPair();
  const sealed = sealFor(runner.raw.toString('base64'), 'text', '7:claim:1:instance');
  expect(() => open(sealed, runner.privateKey, runner.raw, '7:claim:2:instance')).toThrow();
});

test('a public key of another length is refused', () => {
  expect(() => sealFor('AAAA', 'text', 'x')).toThrow('not an X25519 key');
});
