import { readFileSync } from 'node:fs';
import { type BlockList, isIP } from 'node:net';
import { delimiter, resolve } from 'node:path';
import { isTimeZone } from '@signalbox/contract/cron';
import { isAliasText } from '@signalbox/contract/integration-aliases';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import { notificationSettings, readNotifications } from './config-notifications.ts';
import { readSignIn, signInSettings } from './config-sign-in.ts';
import { fail, readJsonText, readText, Switch, setting, whole } from './config-values.ts';
import { StartRefusal } from './db/start-refusal.ts';
import { listNetworks } from './outgoing-call.ts';

/*
 * Every setting, once. The key is the name in the file of SIGNALBOX_CONFIG; in the environment it is SIGNALBOX_ and the
 * key in capitals. The environment wins. Values of the environment are text, so each schema takes text too.
 * docs/configuration.md lists them all, and a test compares the two.
 */

/** A list: separated by a character in the environment, an array in the file. */
function readList(value: unknown, separator: string): string[] {
  const items = typeof value === 'string' ? value.split(separator) : value;
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) return fail('must be a list of texts');
  return items.map((item: string) => item.trim()).filter((item) => item !== '');
}

export type Listen = { readonly host: string; readonly port: number };

function readListen(value: unknown): Listen {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(readText(value)) ?? [];
  if (port === undefined || Number(port) > 65_535) return fail('must be host:port, such as 127.0.0.1:3000');
  return { host: bracketed ?? (plain === undefined || plain === '' ? '::' : plain), port: Number(port) };
}

function readWebHost(value: unknown): URL {
  const url = URL.parse(readText(value));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return fail('must be an http or https URL');
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    return fail('must be a URL without a query, a fragment or a user');
  }
  const isPlain = /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(url.pathname);
  return isPlain ? url : fail('must have a path of letters, digits and . _ ~ - only');
}

function readProxies(value: unknown): string[] {
  const named = ['loopback', 'linklocal', 'uniquelocal'];
  const proxies = readList(value, ',');
  const wrong = proxies.find((proxy) => !named.includes(proxy) && !isNetwork(proxy));
  return wrong === undefined ? proxies : fail(`has "${wrong}", which is neither an address nor a network`);
}

/** `none` is an empty list; an empty text would count as not set. */
function readNetworks(value: unknown): BlockList {
  const networks = value === 'none' ? [] : readList(value, ',');
  const wrong = networks.find((network) => !isNetwork(network));
  return wrong === undefined
    ? listNetworks(networks)
    : fail(`has "${wrong}", which is neither an address nor a network`);
}

/** Link-local addresses, and those under which clouds tell a machine its credentials. */
const deniedAtFirst = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'];

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  if (version === 0 || text.split('/').length > 2) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function readEnvVars(value: unknown): Record<string, string> {
  const map = readJsonText(value);
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return fail('must be a JSON object of texts');
  const entries = Object.entries(map);
  const isGood = entries.every(([name, text]) => isVariableName(name) && typeof text === 'string');
  return isGood ? Object.fromEntries(entries) : fail('must be a JSON object of texts under names of variables');
}

function readVariableNames(value: unknown): string[] {
  // A JSON array, or names separated by commas.
  const list = typeof value === 'string' && value.trim().startsWith('[') ? readJsonText(value) : readList(value, ',');
  const isGood = Array.isArray(list) && list.every((name) => typeof name === 'string' && isVariableName(name));
  return isGood ? list : fail('must be a list of names of variables');
}

function readAlias(value: unknown): string {
  const alias = readText(value);
  return isAliasText(alias) ? alias : fail('must be 1 to 50 letters, digits, _ or -');
}

const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

function readTimeZone(value: unknown): string {
  const zone = readText(value);
  return isTimeZone(zone) ? zone : fail('must be a time zone such as Europe/Berlin');
}

function readDirectories(value: unknown): string[] {
  const directories = readList(value, delimiter);
  const wrong = directories.find((directory) => !directory.startsWith('/'));
  return wrong === undefined ? directories : fail(`has "${wrong}", which is not an absolute path`);
}

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(schema);
const years = 366 * 10;

const settings = {
  listen: z._default(setting(readListen), { host: '127.0.0.1', port: 3000 }),
  data: z._default(setting(readText), './data'),
  database_url: optional(setting(readText)),
  web_host: optional(setting(readWebHost)),
  encryption_key: optional(setting(readText)),
  admin: z._default(setting(readText), 'admin'),
  admin_password: optional(setting(readText)),
  demo: z._default(Switch, false),
  demo_mode: z._default(Switch, false),
  demo_login: z._default(setting(readText), 'demo'),
  demo_password: z._default(setting(readText), 'demo'),
  trusted_proxies: z._default(setting(readProxies), []),
  session_idle_days: z._default(whole(1, years), 7),
  session_max_days: z._default(whole(1, years), 30),
  password_login_disabled: z._default(Switch, false),
  totp_enabled: z._default(Switch, true),
  totp_allow_recovery: z._default(Switch, true),
  ...signInSettings,
  non_admin_can_create_project: z._default(Switch, false),
  max_parallel_tasks: z._default(whole(0, 1_000_000), 10),
  confirm_within_hours: z._default(whole(1, 24 * 366), 24),
  max_task_duration_sec: z._default(whole(0, 31_536_000), 0),
  runner: z._default(
    setting<'builtin' | 'external'>((value) =>
      value === 'builtin' || value === 'external' ? value : fail('must be builtin or external'),
    ),
    'builtin',
  ),
  runner_silent_seconds: z._default(whole(5, 3600), 15),
  local_repositories: z._default(setting(readDirectories), []),
  env_vars: z._default(setting(readEnvVars), {}),
  forwarded_env_vars: z._default(setting(readVariableNames), []),
  use_remote_runner: z._default(Switch, true),
  project_runners: z._default(Switch, true),
  terraform_backend: z._default(Switch, true),
  schedule_catch_up_minutes: z._default(whole(1, 7 * 24 * 60), 60),
  max_tasks_per_template: z._default(whole(0, 10_000_000), 0),
  task_history_days: z._default(whole(0, years), 0),
  event_history_days: z._default(whole(0, years), 0),
  schedule_timezone: z._default(setting(readTimeZone), 'UTC'),
  global_integration_alias: optional(setting(readAlias)),
  webhook_calls_per_minute: z._default(whole(0, 1_000_000), 120),
  webhook_deliveries: z._default(whole(1, 10_000), 100),
  webhook_delivery_days: z._default(whole(1, years), 30),
  denied_networks: z._default(setting(readNetworks), listNetworks(deniedAtFirst)),
  ...notificationSettings,
};
const Settings = z.object(settings);

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of all variables that are read, for the document and its test. */
export function listVariables(): string[] {
  return ['SIGNALBOX_CONFIG', ...Object.keys(settings).map(variableOf)];
}

const variableOf = (key: string): string => `SIGNALBOX_${key.toUpperCase()}`;

export type Config = ReturnType<typeof loadConfig>;

/** Reads all settings. @throws StartRefusal with the name of the variable that cannot be used. */
export function loadConfig(env: Environment = process.env) {
  const values = readSettings(env);
  const { web_host: webHost, encryption_key: encryptionKey } = values;
  return {
    listen: values.listen,
    dataDir: resolve(values.data),
    databaseUrl: values.database_url,
    /** Undefined where it is not set: then it follows from the address that is listened on. */
    webHost,
    basePath: webHost === undefined ? '' : webHost.pathname.replace(/\/$/, ''),
    encryptionKey,
    admin: { login: values.admin, password: values.admin_password },
    demo: values.demo,
    demoMode: values.demo_mode,
    demoAccount: { login: values.demo_login, password: values.demo_password },
    trustedProxies: values.trusted_proxies,
    sessionLimits: { idleMs: days(values.session_idle_days), absoluteMs: days(values.session_max_days) },
    passwordLogin: !values.password_login_disabled,
    totp: { enabled: values.totp_enabled, allowRecovery: values.totp_allow_recovery },
    signIn: readSignIn(values),
    nonAdminCanCreateProject: values.non_admin_can_create_project,
    /** 0 = unlimited. */
    maxParallelTasks: values.max_parallel_tasks,
    /** Seconds; 0 = no limit. */
    maxTaskSeconds: values.max_task_duration_sec,
    /** How long a plan waits for a person. */
    confirmMs: values.confirm_within_hours * 3_600_000,
    runner: values.runner,
    /** Silence of a runner after which what it had not started waits again. */
    runnerSilentMs: values.runner_silent_seconds * 1000,
    localRepositories: values.local_repositories,
    /** What every tool gets: the fixed variables, and the forwarded ones that this process has. */
    toolEnv: { ...values.env_vars, ...pick(env, values.forwarded_env_vars) },
    /** What the built-in runner gets of this process: where the tools are, and the locale. */
    runnerEnv: pick(env, ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']),
    /** Of schedules that name none. */
    scheduleTimezone: values.schedule_timezone,
    /** How old a missed tick of a schedule may be to be run all the same. */
    catchUpMs: values.schedule_catch_up_minutes * 60_000,
    /** 0 = everything is kept. */
    retention: {
      tasksPerTemplate: values.max_tasks_per_template,
      taskDays: values.task_history_days,
      eventDays: values.event_history_days,
    },
    useRemoteRunner: values.use_remote_runner,
    webhooks: {
      globalAlias: values.global_integration_alias,
      /** 0 = unlimited. */
      callsPerMinute: values.webhook_calls_per_minute,
      keptDeliveries: values.webhook_deliveries,
      keptDays: values.webhook_delivery_days,
    },
    notifications: { ...readNotifications(values), denied: values.denied_networks },
    /** Where no webhook of a runner is called. */
    deniedNetworks: values.denied_networks,
    premiumFeatures: { project_runners: values.project_runners, terraform_backend: values.terraform_backend },
  };
}

const days = (count: number): number => count * 86_400_000;

function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function readSettings(env: Environment): z.infer<typeof Settings> {
  const values: Record<string, unknown> = readConfigFile(env.SIGNALBOX_CONFIG);
  for (const key of Object.keys(settings)) {
    const text = env[variableOf(key)];
    if (text !== undefined && text !== '') values[key] = text;
  }
  const result = z.safeParse(Settings, values);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const key = String(issue?.path[0]);
  throw new StartRefusal(`${variableOf(key)} ${issue?.message ?? 'cannot be used'}.`);
}

function readConfigFile(file: string | undefined): Record<string, unknown> {
  if (file === undefined || file === '') return {};
  let content: unknown;
  try {
    // JSON is YAML too.
    content = parseYaml(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    throw new StartRefusal(`SIGNALBOX_CONFIG names ${file}, which cannot be read as YAML or JSON.`, { cause: error });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new StartRefusal(`SIGNALBOX_CONFIG names ${file}, which holds no settings.`);
  }
  const unknown = Object.keys(content).find((key) => !Object.hasOwn(settings, key));
  if (unknown !== undefined) throw new StartRefusal(`SIGNALBOX_CONFIG has "${unknown}", which is no setting.`);
  return { ...content };
}
