import { generateKeyPairSync } from 'node:crypto';
import { createToken, hashToken } from '../../auth/tokens.ts';

/** How a runner proves who it is, and what of that is stored. */
export type RunnerProof = {
  readonly shown: { readonly token: string; readonly private_key: string };
  readonly stored: { readonly token_hash: string; readonly public_key: string };
};

/** A token for its calls, and a key pair so that whoever has stolen the token alone can open no task. */
export function createProof(): RunnerProof {
  const token = createToken();
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  return {
    shown: { token, private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) },
    stored: { token_hash: hashToken(token), public_key: raw.toString('base64') },
  };
}
