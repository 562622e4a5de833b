import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import {
  BadSetting,
  defaultLeaveAfterMs,
  defaultSpoolLimit,
  type Environment,
  listHidden,
  type NetworkOptions,
  pickToolEnv,
  type RunnerOptions,
} from './config.ts';
import { readSealKeys, type SealKeys } from './open-sealed.ts';
import { readPrivateFile } from './private-files.ts';
import { defaultDataDirectory, nameSetting, type RemoteSettings } from './remote-settings.ts';

const defaultGiveUpSeconds = 300;
const proxyNames = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

/** Who a runner is to the server, as text. */
export type Credentials = { token: string; privateKey: string };

/** What the settings say of a secret, in itself or by its file; undefined = nothing. @throws BadSetting */
export function readSecret(
  settings: RemoteSettings,
  name: 'token' | 'private_key' | 'registration_token',
): string | undefined {
  const text = settings[name];
  const file = settings[`${name}_file`];
  if (text === undefined && file === undefined) return undefined;
  const secret = (text ?? readPrivateFile(file ?? '', nameSetting(`${name}_file`))).trim();
  if (secret === '') throw new BadSetting(`${nameSetting(text === undefined ? `${name}_file` : name)} is empty`);
  return secret;
}

/** Token and key of a runner that is registered already; undefined = it is not. @throws BadSetting */
export function readCredentials(settings: RemoteSettings): Credentials | undefined {
  const token = readSecret(settings, 'token');
  if (token === undefined) return undefined;
  const privateKey = readSecret(settings, 'private_key');
  if (privateKey === undefined) {
    throw new BadSetting(
      `${nameSetting('private_key_file')} is required: the private key that was shown together with the token`,
    );
  }
  return { token, privateKey };
}

/** Where a runner keeps who it is when nobody else does. */
export function identityFiles(directory: string): { token: string; key: string } {
  return { token: join(directory, 'token'), key: join(directory, 'private-key.pem') };
}

/** @throws BadSetting */
export function readServers(settings: RemoteSettings): string[] {
  const urls = [settings.server ?? []].flat();
  if (urls.length === 0) throw new BadSetting(`${nameSetting('server')} is required: the address of the server`);
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new BadSetting(`${nameSetting('server')}: "${url}" is not an http or https address`);
    }
  }
  return urls;
}

/** @throws BadSetting */
export function readNetwork(settings: RemoteSettings, environment: Environment): NetworkOptions {
  const file = settings.ca_file;
  const proxy = Object.fromEntries(
    proxyNames.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value] as const] : [];
    }),
  );
  return {
    authorities: file === undefined ? null : [...rootCertificates, readCertificates(file)],
    proxy: Object.keys(proxy).length === 0 ? null : proxy,
  };
}

function readCertificates(file: string): string {
  const setting = nameSetting('ca_file');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadSetting(`${setting}: ${file} cannot be read`, { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new BadSetting(`${setting}: ${file} has no certificate in it`);
  return text;
}

function readKeys(pem: string): SealKeys {
  try {
    return readSealKeys(pem);
  } catch (error) {
    throw new BadSetting(`${nameSetting('private_key_file')} is not the private key of a runner`, { cause: error });
  }
}

export function dataDirectoryOf(settings: RemoteSettings, environment: Environment): string {
  return settings.data ?? defaultDataDirectory(environment);
}

/** Settings of a runner on a machine of its own. @throws BadSetting */
export function makeRemoteOptions(
  settings: RemoteSettings,
  { token, privateKey }: Credentials,
  environment: Environment,
): RunnerOptions {
  const forwarded = Object.fromEntries(
    (settings.forwarded_env_vars ?? []).flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return {
    token,
    keys: readKeys(privateKey),
    network: readNetwork(settings, environment),
    server: { urls: readServers(settings) },
    dataDir: dataDirectoryOf(settings, environment),
    localRepositories: settings.local_repositories ?? [],
    toolEnv: pickToolEnv(environment, forwarded),
    hiddenValues: listHidden(forwarded),
    maxParallelTasks: settings.max_parallel_tasks || null,
    spoolLimit: settings.spool_limit || defaultSpoolLimit,
    slotUsers: settings.slot_users ?? null,
    oneOff: settings.one_off ?? false,
    leaveAfterMs: defaultLeaveAfterMs,
    leaves: false,
    giveUpAfterMs: (settings.give_up_seconds ?? defaultGiveUpSeconds) * 1000,
  };
}
