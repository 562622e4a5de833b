import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { stringify } from 'yaml';
import { BadSetting, type Environment } from './config.ts';
import { readFirstLine } from './first-line.ts';
import { readSealKeys } from './open-sealed.ts';
import { readPrivateFile, writePrivateFile } from './private-files.ts';
import { registerRunner } from './registration.ts';
import { identityFiles, readNetwork, readServers } from './remote-config.ts';
import { defaultConfigFile, type RemoteSettings } from './remote-settings.ts';

/** What was said on the command line. */
export type SetupFlags = {
  config?: string;
  server?: string[];
  data?: string;
  name?: string;
  'ca-file'?: string;
  'max-parallel-tasks'?: string;
  'token-file'?: string;
  'token-stdin'?: boolean;
  'private-key-file'?: string;
  'registration-token-file'?: string;
  'registration-token-stdin'?: boolean;
  'one-off'?: boolean;
  force?: boolean;
};

type Secrets = { token?: string; registrationToken?: string; privateKey?: string };

/** Writes the configuration of a runner, and registers it where that is still to be done. @returns what to tell @throws BadSetting */
export async function setUpRunner(flags: SetupFlags, environment: Environment): Promise<string[]> {
  const file = resolve(flags.config ?? (environment.SIGNALBOX_RUNNER_CONFIG || defaultConfigFile(environment)));
  if (existsSync(file) && flags.force !== true) {
    throw new BadSetting(`${file} is there already: use --force to replace it, or "signalbox-runner unregister" first`);
  }
  const answers = await complete(flags);
  const settings = toSettings(answers.flags);
  readServers(settings);
  readNetwork(settings, environment);
  const { token, privateKey, told } = await findIdentity(answers.secrets, settings, environment);
  const identity = identityFiles(dirname(file));
  writePrivateFile(identity.key, privateKey.endsWith('\n') ? privateKey : `${privateKey}\n`);
  writePrivateFile(identity.token, `${token}\n`);
  const stored = { ...settings, token_file: identity.token, private_key_file: identity.key };
  writePrivateFile(file, stringify(stored));
  return [...told, `Written: ${file}`, 'Start the runner with: signalbox-runner start'];
}

function toSettings(flags: SetupFlags): RemoteSettings {
  const limit = flags['max-parallel-tasks'];
  if (limit !== undefined && !/^\d{1,6}$/.test(limit)) {
    throw new BadSetting('--max-parallel-tasks must be a whole number, 0 for no limit');
  }
  return {
    server: flags.server ?? [],
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.data === undefined ? {} : { data: resolve(flags.data) }),
    ...(flags['ca-file'] === undefined ? {} : { ca_file: resolve(flags['ca-file']) }),
    ...(limit === undefined ? {} : { max_parallel_tasks: Number(limit) }),
    ...(flags['one-off'] === true ? { one_off: true } : {}),
  };
}

async function findIdentity(
  { token, registrationToken, privateKey }: Secrets,
  settings: RemoteSettings,
  environment: Environment,
): Promise<{ token: string; privateKey: string; told: string[] }> {
  if (registrationToken !== undefined) {
    const registered = await registerRunner(settings, registrationToken, environment);
    return { ...registered, told: [`Registered as ${registered.name}`] };
  }
  if (!token) throw new BadSetting('A token is required: --token-stdin, --token-file or --registration-token-stdin');
  if (!privateKey) {
    throw new BadSetting('--private-key-file is required: the private key that was shown together with the token');
  }
  try {
    readSealKeys(privateKey);
  } catch (error) {
    throw new BadSetting('--private-key-file: that is not the private key of a runner', { cause: error });
  }
  return { token, privateKey, told: [] };
}

/** Reads the secrets where the flags say that they are; a person at a terminal is asked for what is missing. */
async function complete(flags: SetupFlags): Promise<{ flags: SetupFlags; secrets: Secrets }> {
  const secrets: Secrets = {};
  if (flags['token-stdin'] === true) secrets.token = await readFirstLine();
  else if (flags['registration-token-stdin'] === true) secrets.registrationToken = await readFirstLine();
  if (flags['token-file'] !== undefined) {
    secrets.token = readPrivateFile(flags['token-file'], '--token-file').trim();
  }
  const registrationFile = flags['registration-token-file'];
  if (registrationFile !== undefined) {
    secrets.registrationToken = readPrivateFile(registrationFile, '--registration-token-file').trim();
  }
  const keyFile = flags['private-key-file'];
  if (keyFile !== undefined) secrets.privateKey = readPrivateFile(keyFile, '--private-key-file');
  const isAsked = process.stdin.isTTY && secrets.token === undefined && secrets.registrationToken === undefined;
  return isAsked ? await askPerson(flags, secrets) : { flags, secrets };
}

async function askPerson(flags: SetupFlags, secrets: Secrets): Promise<{ flags: SetupFlags; secrets: Secrets }> {
  const server = flags.server ?? [await askLine('Address of the server: ', false)];
  const keyFile =
    flags['private-key-file'] ??
    (await askLine('File of the private key (empty: register with a registration token): ', false));
  if (keyFile === '') {
    const registrationToken = await askLine('Registration token: ', true);
    return { flags: { ...flags, server }, secrets: { registrationToken } };
  }
  const privateKey = secrets.privateKey ?? readPrivateFile(keyFile, 'The private key');
  const token = await askLine('Token of the runner: ', true);
  return { flags: { ...flags, server }, secrets: { token, privateKey } };
}

async function askLine(question: string, isHidden: boolean): Promise<string> {
  process.stderr.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isHidden ? silence : process.stderr, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
}

/** Removes what `setup`, or a start with a registration token, has written. */
export function forgetIdentity(...files: (string | undefined)[]): string[] {
  const removed = files.filter((file) => file !== undefined && existsSync(file));
  for (const file of removed) if (file !== undefined) rmSync(file);
  return removed.map((file) => `Removed: ${file}`);
}
