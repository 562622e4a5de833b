import type { ParseArgsOptionsConfig } from 'node:util';
import { UserInput } from '@signalbox/contract/users';
import * as z from 'zod/mini';
import { type Called, findLogin, foldName } from './auth/login-names.ts';
import type { Config } from './config.ts';
import type { Database, Db } from './db/database.ts';
import { noActor } from './db/events.ts';
import { stateMigrations } from './db/migrations.ts';
import { rekey } from './db/rekey.ts';
import { takeUpMs } from './db/sealing-key.ts';
import { AppError } from './errors.ts';
import { removeTotp } from './features/totp/totp.ts';
import { changePassword, createUser, removeUser } from './features/users/accounts.ts';
import { findUser, listUsers } from './features/users/queries.ts';

/** Said with the help of the command. */
export class BadUsage extends Error {}

type Options = { login?: string; name?: string; email?: string; admin?: boolean };

/** What a command works with. */
export type Bench = {
  readonly database: Database;
  readonly config: Config;
  readonly options: Options;
  readonly readPassword: () => Promise<string>;
  /** Tells what goes on, besides the result. */
  readonly report: (text: string) => void;
};

export type Command = {
  /** Options as they are shown. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  /** What else the command's own help says. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** Returns what is printed. */
  readonly run: (bench: Bench) => Promise<string>;
};

const text = { type: 'string' } as const;
const passwordHelp = 'The password is asked for, or read as one line from what is piped in; it is never an argument.';

export const commands: Record<string, Command> = {
  'user list': {
    usage: '',
    summary: 'all users',
    help: 'One line a user: login, name, e-mail address and "admin", separated by tabs.',
    options: {},
    run: async ({ database }) => {
      const users = await listUsers(database.read);
      const lines = users
        .toSorted((one, other) => (one.username < other.username ? -1 : 1))
        .map(({ username, name, email, admin }) => [username, name, email, admin ? 'admin' : ''].join('\t').trimEnd());
      return lines.join('\n');
    },
  },
  'user add': {
    usage: '--login L --name N --email E [--admin]',
    summary: 'adds one; asks for the password',
    help: `--login  what the user signs in with
--name   what is shown of him
--email  e-mail address; it signs him in too
--admin  makes him an administrator

${passwordHelp}`,
    options: { login: text, name: text, email: text, admin: { type: 'boolean' } },
    run: async ({ database, options, readPassword }) => {
      const login = foldName(need(options, 'login'));
      const account = { username: login, name: need(options, 'name'), email: need(options, 'email') };
      const input = { ...account, admin: options.admin === true, password: await readPassword() };
      await createUser(database, noActor, readInput(input));
      return `User ${login} created`;
    },
  },
  'user get': {
    usage: '--login L',
    summary: 'what is known of one',
    help: '--login  login or e-mail address',
    options: { login: text },
    run: async ({ database, options }) => {
      const login = await requireLogin(database.read, need(options, 'login'));
      const user = await findUser(database.read, login.id);
      if (user === undefined) throw unknownLogin(login.username);
      const facts = {
        id: String(user.id),
        login: user.username,
        name: user.name,
        email: user.email,
        admin: user.admin ? 'yes' : 'no',
        external: user.external ? 'yes' : 'no',
        'two-step': user.totp === null ? 'off' : 'on',
        created: user.created,
      };
      return Object.entries(facts)
        .map(([name, value]) => `${name.padEnd(10)}${value}`.trimEnd())
        .join('\n');
    },
  },
  'user change-password': {
    usage: '--login L',
    summary: "asks for the new password; ends the user's sessions",
    help: `--login  login or e-mail address\n\n${passwordHelp}`,
    options: { login: text },
    run: async ({ database, options, readPassword }) => {
      const login = need(options, 'login');
      const password = await readPassword();
      const { id } = await requireLogin(database.read, login);
      await changePassword(database, noActor, id, password);
      return `User ${login} has a new password`;
    },
  },
  'user delete': {
    usage: '--login L',
    summary: 'deletes one',
    help: `--login  login or e-mail address

The last administrator and the only owner of a project cannot be deleted.`,
    options: { login: text },
    run: async ({ database, options }) => {
      const login = need(options, 'login');
      const { id } = await requireLogin(database.read, login);
      await removeUser(database, noActor, id);
      return `User ${login} deleted`;
    },
  },
  'user remove-totp': {
    usage: '--login L',
    summary: 'removes the second step of a sign-in, for whoever lost his app and his recovery code',
    help: '--login  login or e-mail address',
    options: { login: text },
    run: async ({ database, options }) => {
      const login = need(options, 'login');
      const { id } = await requireLogin(database.read, login);
      const totp = (await findUser(database.read, id))?.totp;
      if (!totp) throw new AppError('not_found', `User ${login} has no second step`);
      await removeTotp(database, noActor, id, totp.id);
      return `User ${login} signs in without a second step`;
    },
  },
  migrate: {
    usage: '',
    summary: 'brings the database up to date',
    help: `A server does so itself when it starts. On the embedded database an older server must be ended first; on
PostgreSQL servers that start together take turns.`,
    options: {},
    // Whatever opens the database migrates it.
    run: async () => `The database is up to date (schema version ${stateMigrations.length})`,
  },
  rekey: {
    usage: '',
    summary: 'seals all stored secrets with a new encryption key',
    help: `With a key file, a new key is put in front of it. With SIGNALBOX_ENCRYPTION_KEY, put the new key in front first
(new:base64,old:base64), and start all servers with both keys.

Servers may run meanwhile and need no restart. A change that was cut short goes on when the command is given again.
The old key stays in the key file: backups of the database that are older need it.`,
    options: {},
    run: changeKey,
  },
};

async function changeKey({ database, config, report }: Bench): Promise<string> {
  const directory = config.encryptionKey ? undefined : config.dataDir;
  const { key, changed, unreadable } = await rekey(database, directory, async () => {
    report(`Waiting ${takeUpMs / 1000} s for running servers to take the key up`);
    await new Promise((resolve) => setTimeout(resolve, takeUpMs));
  });
  if (unreadable.length > 0) {
    const rows = `${unreadable.slice(0, 10).join(', ')}${unreadable.length > 10 ? ', …' : ''}`;
    throw new AppError('conflict', `${unreadable.length} secrets cannot be read with any known key: ${rows}`);
  }
  return `All secrets are sealed with the key ${key} (${changed} changed)`;
}

function need(options: Options, name: 'login' | 'name' | 'email'): string {
  const value = options[name]?.trim();
  if (!value) throw new BadUsage(`--${name} is required`);
  return value;
}

/** The same rules as for the API. */
function readInput(input: z.input<typeof UserInput>): UserInput {
  const result = z.safeParse(UserInput, input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const option = issue?.path[0] === 'username' ? 'login' : String(issue?.path[0]);
  throw new BadUsage(`--${option} ${issue?.message ?? 'cannot be used'}`);
}

async function requireLogin(db: Db, login: string): Promise<Called> {
  const user = await findLogin(db, login);
  if (user === undefined) throw unknownLogin(login);
  return user;
}

function unknownLogin(login: string): AppError {
  return new AppError('not_found', `There is no user with the login ${login}`);
}
