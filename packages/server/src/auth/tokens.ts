import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes as text for a cookie or a header. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token: whoever reads the database cannot use it. Tokens are random, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
