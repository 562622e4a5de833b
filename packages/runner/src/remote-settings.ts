import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { BadSetting, type Environment } from './config.ts';

const Count = z.int('must be a whole number').check(z.minimum(0, 'must be 0 or more'), z.maximum(1e15, 'is too large'));
const List = z.array(z.string().check(z.minLength(1)));

/** The members of the file. Each of them has a variable, which wins over it; relative paths are those of the file. */
export const FileSettings = z.strictObject({
  /** Addresses of the servers, asked in turn. */
  server: z.optional(z.union([z.string(), List])),
  token: z.optional(z.string()),
  token_file: z.optional(z.string()),
  private_key: z.optional(z.string()),
  private_key_file: z.optional(z.string()),
  registration_token: z.optional(z.string()),
  registration_token_file: z.optional(z.string()),
  /** What it is called in the console when it registers itself. */
  name: z.optional(z.string()),
  data: z.optional(z.string()),
  max_parallel_tasks: z.optional(Count),
  spool_limit: z.optional(Count),
  give_up_seconds: z.optional(Count),
  local_repositories: z.optional(List),
  forwarded_env_vars: z.optional(List),
  slot_users: z.optional(List),
  ca_file: z.optional(z.string()),
  one_off: z.optional(z.boolean()),
});
export type RemoteSettings = z.infer<typeof FileSettings>;

const variables: Record<keyof RemoteSettings, string> = {
  server: 'SIGNALBOX_SERVER',
  token: 'SIGNALBOX_RUNNER_TOKEN',
  token_file: 'SIGNALBOX_RUNNER_TOKEN_FILE',
  private_key: 'SIGNALBOX_RUNNER_PRIVATE_KEY',
  private_key_file: 'SIGNALBOX_RUNNER_PRIVATE_KEY_FILE',
  registration_token: 'SIGNALBOX_RUNNER_REGISTRATION_TOKEN',
  registration_token_file: 'SIGNALBOX_RUNNER_REGISTRATION_TOKEN_FILE',
  name: 'SIGNALBOX_RUNNER_NAME',
  data: 'SIGNALBOX_RUNNER_DATA',
  max_parallel_tasks: 'SIGNALBOX_RUNNER_MAX_PARALLEL_TASKS',
  spool_limit: 'SIGNALBOX_RUNNER_SPOOL_LIMIT',
  give_up_seconds: 'SIGNALBOX_RUNNER_GIVE_UP_SECONDS',
  local_repositories: 'SIGNALBOX_LOCAL_REPOSITORIES',
  forwarded_env_vars: 'SIGNALBOX_FORWARDED_ENV_VARS',
  slot_users: 'SIGNALBOX_SLOT_USERS',
  ca_file: 'SIGNALBOX_RUNNER_CA_FILE',
  one_off: 'SIGNALBOX_RUNNER_ONE_OFF',
};
/** Said in one of these ways, a thing is not looked for in the others. */
const alternatives: (keyof RemoteSettings)[][] = [
  ['token', 'token_file'],
  ['private_key', 'private_key_file'],
  ['registration_token', 'registration_token_file'],
];
const paths = ['token_file', 'private_key_file', 'registration_token_file', 'data', 'ca_file'] as const;
const numbers: readonly string[] = ['max_parallel_tasks', 'spool_limit', 'give_up_seconds'];
const lists: readonly string[] = ['server', 'local_repositories', 'forwarded_env_vars', 'slot_users'];

const isRoot = (): boolean => process.getuid?.() === 0;

/** Where `setup` writes the settings, and `start` finds them. */
export function defaultConfigFile(environment: Environment): string {
  if (isRoot()) return '/etc/signalbox-runner/config.yaml';
  return join(
    environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config'),
    'signalbox-runner/config.yaml',
  );
}

export function defaultDataDirectory(environment: Environment): string {
  if (isRoot()) return '/var/lib/signalbox-runner';
  return join(environment.XDG_STATE_HOME || join(environment.HOME || homedir(), '.local/state'), 'signalbox-runner');
}

/**
 * What the operator has said, in the file and in the environment.
 * @param named a file that must be there; else the usual one, if it is
 * @throws BadSetting
 */
export function readSettings(environment: Environment, named?: string): RemoteSettings {
  const asked = named ?? environment.SIGNALBOX_RUNNER_CONFIG;
  const file = resolve(asked || defaultConfigFile(environment));
  const stored = asked || existsSync(file) ? readSettingsFile(file) : {};
  const said = readVariables(environment);
  for (const group of alternatives) {
    if (group.some((name) => said[name] !== undefined)) for (const name of group) delete stored[name];
  }
  return { ...stored, ...said };
}

function readSettingsFile(file: string): RemoteSettings {
  let value: unknown;
  let isOpen: boolean;
  try {
    isOpen = (statSync(file).mode & 0o077) !== 0;
    // JSON is YAML.
    value = parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    // A parser would quote the text, and a token may be in it.
    const what = error instanceof Error && 'linePos' in error ? 'is neither YAML nor JSON' : 'cannot be read';
    throw new BadSetting(`The configuration file ${file} ${what}`, { cause: error });
  }
  const parsed = z.safeParse(FileSettings, value);
  if (!parsed.success)
    throw new BadSetting(`The configuration file ${file} is wrong${describe(parsed.error.issues[0])}`);
  const settings = parsed.data;
  const hasSecret = [settings.token, settings.private_key, settings.registration_token].some((it) => it !== undefined);
  if (hasSecret && isOpen) {
    throw new BadSetting(
      `The configuration file ${file} has a secret in it and is open to other users; chmod 600 it first`,
    );
  }
  for (const name of paths) {
    const path = settings[name];
    if (path !== undefined) settings[name] = resolve(dirname(file), path);
  }
  return settings;
}

type Issue = { code?: string; path: PropertyKey[]; message: string; keys?: string[] };

function describe(issue: Issue | undefined): string {
  if (issue === undefined) return '';
  if (issue.code === 'unrecognized_keys') return `: it has no setting "${issue.keys?.join('", "')}"`;
  const where = issue.path.map(String).join('.');
  return where === '' ? ': it must be a mapping of settings' : ` at "${where}": ${issue.message}`;
}

function readVariables(environment: Environment): RemoteSettings {
  const said: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const text = environment[variable];
    if (text) said[name] = readVariable(name, variable, text);
  }
  // Each value was read as what its setting is.
  return said as RemoteSettings;
}

function readVariable(name: string, variable: string, text: string): unknown {
  if (numbers.includes(name)) {
    if (!/^\d{1,15}$/.test(text)) throw new BadSetting(`${variable} must be a whole number, 0 or more`);
    return Number(text);
  }
  if (lists.includes(name)) {
    const parts = text.split(name === 'local_repositories' ? ':' : ',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }
  if (name === 'one_off') {
    if (!/^(0|1|true|false)$/.test(text)) throw new BadSetting(`${variable} must be 0 or 1`);
    return text === '1' || text === 'true';
  }
  return (paths as readonly string[]).includes(name) ? resolve(text) : text;
}

/** How a setting is named in a message. */
export function nameSetting(name: keyof RemoteSettings): string {
  return `${variables[name]} (${name} in the configuration file)`;
}
