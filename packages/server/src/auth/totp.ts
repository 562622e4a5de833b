import { createHash, randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';

/** Codes by RFC 6238: SHA-1, six digits, 30 seconds. One step to either side allows for clocks that differ. */
const stepSeconds = 30;

/** 160 bits, as the RFC recommends, in the letters that apps take. */
export function createTotpSecret(): string {
  return generateSecret();
}

/** What the authenticator app reads from the QR image. */
export function describeTotp(secret: string, username: string, host: string): string {
  return generateURI({ issuer: 'Signalbox', label: `${username}@${host}`, secret });
}

/** The time step that a code belongs to; undefined for a wrong code. */
export function findTimeStep(secret: string, passcode: string, now: number): number | undefined {
  const epoch = Math.floor(now / 1000);
  const result = verifySync({ secret, token: passcode, epoch, epochTolerance: stepSeconds });
  return result.valid ? Math.floor(epoch / stepSeconds) + result.delta : undefined;
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 24 letters without those that look like others: 120 bits, in groups that can be read aloud. */
export function createRecoveryCode(): string {
  const text = [...randomBytes(24)].map((byte) => letters.charAt(byte % letters.length)).join('');
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** What is stored of a recovery code. It is random, so a plain hash is enough. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex');
}
