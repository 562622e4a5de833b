import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { BadSetting, type Environment, type RunnerOptions } from './config.ts';
import type { RunnerLock } from './journal/runner-lock.ts';
import { findCredentials, ownIdentityFiles, requireCredentials, unregisterRunner } from './registration.ts';
import { dataDirectoryOf, identityFiles, makeRemoteOptions } from './remote-config.ts';
import { defaultConfigFile, readSettings } from './remote-settings.ts';
import { forgetIdentity, type SetupFlags, setUpRunner } from './setup.ts';

export const usage = `signalbox-runner ${manifest.version}: runs tasks for a Signalbox server.

Usage: signalbox-runner <command> [options]

  start        take tasks until it is told to end (SIGTERM, SIGINT), or to finish what it has and then end (SIGUSR2)
    --config FILE    settings, YAML or JSON        --one-off   take one task, then exit
  setup        write the settings; asks for what is missing when a person is there
    --server URL     may be given several times    --config FILE    where to write them
    --registration-token-stdin | --registration-token-file FILE
                     a token that was made for one registration: name and keys are made here
    --token-stdin | --token-file FILE, and --private-key-file FILE
                     what the console showed when the runner was created there
    --name NAME  --data DIRECTORY  --max-parallel-tasks N  --ca-file FILE  --one-off  --force
  unregister   delete the registration at the server, and the settings here
    --config FILE
  version      print the version
  help         print this text

Settings can also be variables, which win over the file: SIGNALBOX_SERVER, SIGNALBOX_RUNNER_TOKEN_FILE,
SIGNALBOX_RUNNER_PRIVATE_KEY_FILE and others. A secret is never an argument: every user of the machine could read it.`;

const setupOptions = {
  config: { type: 'string' },
  server: { type: 'string', multiple: true },
  data: { type: 'string' },
  name: { type: 'string' },
  'ca-file': { type: 'string' },
  'max-parallel-tasks': { type: 'string' },
  'token-file': { type: 'string' },
  'token-stdin': { type: 'boolean' },
  'private-key-file': { type: 'string' },
  'registration-token-file': { type: 'string' },
  'registration-token-stdin': { type: 'boolean' },
  'one-off': { type: 'boolean' },
  force: { type: 'boolean' },
} as const;
const startOptions = { config: { type: 'string' }, 'one-off': { type: 'boolean' } } as const;
const unregisterOptions = { config: { type: 'string' } } as const;

const secretFlag = /^--(token|private-key|registration-token)(=|$)/;

/** @throws BadSetting; the message never quotes a value, which may be a secret */
function readFlags<T>(args: readonly string[], parse: (args: string[]) => T): T {
  if (args.some((word) => secretFlag.test(word))) {
    throw new BadSetting(
      'A secret is never an argument, for every user of the machine could read it: use a file or stdin',
    );
  }
  try {
    return parse([...args]);
  } catch (error) {
    const option = /'(--?[a-z-]+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const which = option === undefined ? 'An argument is not understood' : `The option ${option} is not understood`;
    throw new BadSetting(`${which}; "signalbox-runner help" lists them`, { cause: error });
  }
}

/** What `start` works with. @throws BadSetting */
export async function readStart(
  args: readonly string[],
  environment: Environment,
  note: (text: string) => void,
): Promise<RunnerOptions> {
  const flags = readFlags(args, (words) => parseArgs({ args: words, options: startOptions }).values);
  const settings = readSettings(environment, flags.config);
  const credentials = await requireCredentials(settings, environment, note);
  const options = makeRemoteOptions(settings, credentials, environment);
  return flags['one-off'] === true ? { ...options, oneOff: true } : options;
}

/** @returns what to tell @throws BadSetting */
export async function runSetup(args: readonly string[], environment: Environment): Promise<string[]> {
  const flags = readFlags(args, (words) => parseArgs({ args: words, options: setupOptions }).values);
  return await setUpRunner(flags as SetupFlags, environment);
}

/** @returns what to tell @throws BadSetting */
export async function runUnregister(
  args: readonly string[],
  environment: Environment,
  takeLock: (dataDir: string) => Pick<RunnerLock, 'release'> | null,
): Promise<string[]> {
  const flags = readFlags(args, (words) => parseArgs({ args: words, options: unregisterOptions }).values);
  const settings = readSettings(environment, flags.config);
  const credentials = findCredentials(settings, environment);
  if (credentials === undefined) throw new BadSetting('This runner is not registered');
  const lock = takeLock(dataDirectoryOf(settings, environment));
  if (lock === null) throw new BadSetting('The runner is working: stop it first');
  try {
    await unregisterRunner(settings, credentials.token, environment);
  } finally {
    lock.release();
  }
  const file = resolve(flags.config ?? (environment.SIGNALBOX_RUNNER_CONFIG || defaultConfigFile(environment)));
  const made = identityFiles(resolve(file, '..'));
  const own = ownIdentityFiles(settings, environment);
  // A file that somebody else has written is his to remove.
  const isOwn = settings.token_file === made.token && settings.private_key_file === made.key;
  const files = [own.token, own.key, ...(isOwn ? [made.token, made.key, file] : [])];
  return ['The runner is unregistered', ...forgetIdentity(...files)];
}
