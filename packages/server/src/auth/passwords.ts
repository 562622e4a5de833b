import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** argon2id, as OWASP recommends it for servers: 19 MiB, two passes. */
const memory = 19_456;
const passes = 2;
const parallelism = 1;
const tagLength = 32;

function derive(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** The hash in PHC form, with its parameters, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await derive({ message: password, nonce, parallelism, tagLength, memory, passes });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(key)}`;
}

/** A hash that no password has: comparing with it costs as much as with a real one. */
const nobody = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether the password is the right one. Where there is no hash the work is the same, so that time tells nothing. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? nobody);
  const [, m, t, p, nonce, key] = parts ?? [];
  if (nonce === undefined || key === undefined) return false;
  const stored = Buffer.from(key, 'base64');
  const found = await derive({
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    parallelism: Number(p),
    tagLength: stored.length,
    memory: Number(m),
    passes: Number(t),
  });
  return timingSafeEqual(stored, found) && hash !== null && hash !== undefined;
}
