import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RegisteredRunner } from '@signalbox/contract/runner-registrations';
import * as z from 'zod/mini';
import { BadSetting, type Environment } from './config.ts';
import { Refused, ServerLink, Unreachable } from './link/server-link.ts';
import { readSealKeys } from './open-sealed.ts';
import { readPrivateFile, writePrivateFile } from './private-files.ts';
import {
  type Credentials,
  dataDirectoryOf,
  identityFiles,
  readCredentials,
  readNetwork,
  readSecret,
  readServers,
} from './remote-config.ts';
import { nameSetting, type RemoteSettings } from './remote-settings.ts';

const timeoutMs = 20_000;

/** One call to the first server that answers. @throws BadSetting */
async function ask<T>(
  settings: RemoteSettings,
  environment: Environment,
  { token, path, body, schema }: { token: string; path: string; body: unknown; schema: z.ZodMiniType<T> },
): Promise<T> {
  const urls = readServers(settings);
  const link = new ServerLink({ urls }, token, readNetwork(settings, environment));
  const signal = AbortSignal.timeout(timeoutMs * urls.length);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await link.postJson(path, body, schema, { timeoutMs, signal });
      } catch (error) {
        if (!(error instanceof Unreachable) || attempt >= urls.length) throw error;
      }
    }
  } catch (error) {
    if (error instanceof Refused) throw new BadSetting(`The server refuses: ${error.message}`, { cause: error });
    if (!(error instanceof Unreachable)) throw error;
    throw new BadSetting(`No server could be reached at ${urls.join(', ')}: ${error.message}`, { cause: error });
  } finally {
    link.close();
  }
}

/** Spends a registration token. The key pair is made here, and its private half never leaves. @throws BadSetting */
export async function registerRunner(
  settings: RemoteSettings,
  registrationToken: string,
  environment: Environment,
): Promise<Credentials & { name: string }> {
  const privateKey = String(generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const body = {
    registration_token: registrationToken,
    name: settings.name ?? hostname(),
    public_key: readSealKeys(privateKey).publicKey.toString('base64'),
  };
  const call = { token: '', path: '/register', body, schema: RegisteredRunner };
  const { token, name } = await ask(settings, environment, call);
  return { token, privateKey, name };
}

/** @throws BadSetting */
export async function unregisterRunner(
  settings: RemoteSettings,
  token: string,
  environment: Environment,
): Promise<void> {
  await ask(settings, environment, { token, path: '/unregister', body: {}, schema: z.null() });
}

/** Where a runner keeps who it is that has registered itself when it was started. */
export function ownIdentityFiles(settings: RemoteSettings, environment: Environment): { token: string; key: string } {
  return identityFiles(join(dataDirectoryOf(settings, environment), 'identity'));
}

/** Who this runner is: as it was set up, or as it has registered itself. Undefined: nobody yet. @throws BadSetting */
export function findCredentials(settings: RemoteSettings, environment: Environment): Credentials | undefined {
  const given = readCredentials(settings);
  if (given !== undefined) return given;
  const files = ownIdentityFiles(settings, environment);
  if (!existsSync(files.token)) return undefined;
  return {
    token: readPrivateFile(files.token, 'The token of this runner').trim(),
    privateKey: readPrivateFile(files.key, 'The private key of this runner'),
  };
}

/** The same; one that is nobody yet registers itself, when it has a token to do so. @throws BadSetting */
export async function requireCredentials(
  settings: RemoteSettings,
  environment: Environment,
  note: (text: string) => void,
): Promise<Credentials> {
  const found = findCredentials(settings, environment);
  if (found !== undefined) return found;
  const registrationToken = readSecret(settings, 'registration_token');
  if (registrationToken === undefined) {
    throw new BadSetting(
      `${nameSetting('token_file')} is required: this runner is not set up; "signalbox-runner setup" does it`,
    );
  }
  const files = ownIdentityFiles(settings, environment);
  const registered = await registerRunner(settings, registrationToken, environment);
  // The token last: it is what says that both are there.
  writePrivateFile(files.key, registered.privateKey);
  writePrivateFile(files.token, `${registered.token}\n`);
  note(`Registered as ${registered.name}`);
  return registered;
}
