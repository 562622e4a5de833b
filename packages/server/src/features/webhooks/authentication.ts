import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthMethod } from '@signalbox/contract/integrations';
import type { Call } from './call.ts';

/** How the sender of a call proves himself. */
export type Proof = {
  readonly method: AuthMethod;
  readonly header: string;
  /** Undefined where there is no key, or one without a password. */
  readonly secret: string | undefined;
};
export type ProofVerdict = { readonly accepted: boolean; readonly text: string };

const githubHeader = 'x-hub-signature-256';

/** Whether a call comes from somebody who knows the secret. What is missing on our side refuses. */
export function checkProof({ method, header, secret }: Proof, call: Call): ProofVerdict {
  if (method === '') return { accepted: true, text: 'No authentication is asked for' };
  if (secret === undefined || secret === '') return refuse('The integration has no secret, so nobody is let in');
  const name = (method === 'github' ? githubHeader : header).toLowerCase();
  if (name === '') return refuse('The integration names no header, so nobody is let in');
  const given = Object.hasOwn(call.headers, name) ? call.headers[name] : undefined;
  if (given === undefined || given === '') return refuse(`The header ${name} is missing`);
  switch (method) {
    case 'token':
      return judge(given, secret, 'The token');
    case 'hmac':
      return judge(given, sign(secret, call.body), 'The signature');
    case 'github':
      return judge(given, `sha256=${sign(secret, call.body)}`, 'The signature');
  }
}

/** HMAC-SHA-256 of the bytes that came, in small hexadecimal letters. */
function sign(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function judge(given: string, expected: string, what: string): ProofVerdict {
  return isSame(given, expected) ? { accepted: true, text: `${what} is right` } : refuse(`${what} is wrong`);
}

/** In a time that says nothing of either text: their digests have one length. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function refuse(text: string): ProofVerdict {
  return { accepted: false, text };
}
