import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { loadConfig } from './config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open-database.ts';
import { StartRefusal } from './db/start-refusal.ts';
import { AppError } from './errors.ts';
import { addAccount, changePassword, removeAccount } from './features/users/accounts.ts';
import { listUsers } from './features/users/queries.ts';
import { readVersion } from './installation.ts';

/*
 * Commands of an operator, on the data of a server that may be running. A password is never an argument: it is asked for,
 * or read as one line from what is piped in.
 */

const usage = `Usage: ./signalbox COMMAND

  user list                                             all users
  user add --login L --name N --email E [--admin]       adds one; asks for the password
  user change-password --login L                        asks for the new password; ends the user's sessions
  user delete --login L                                 deletes one
  version                                               the version of this program

The data directory and the database are those of the server's settings (SIGNALBOX_DATA, SIGNALBOX_DATABASE_URL).`;

class BadUsage extends Error {}

type Options = { login?: string | undefined; name?: string | undefined; email?: string | undefined; admin?: boolean };

function need(options: Options, name: 'login' | 'name' | 'email'): string {
  const value = options[name]?.trim();
  if (!value) throw new BadUsage(`--${name} is required`);
  return value;
}

async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  // What is typed is not shown: the prompt is written by us, and the echo goes nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    if (isTerminal) process.stderr.write('Password: ');
    const { value } = await reader[Symbol.asyncIterator]().next();
    if (isTerminal) process.stderr.write('\n');
    if (typeof value !== 'string' || value === '') throw new BadUsage('A password is required');
    return value;
  } finally {
    reader.close();
  }
}

const userCommands: Record<string, (database: Database, options: Options) => Promise<void>> = {
  list: async (database) => {
    for (const { username, name, email, admin } of await listUsers(database.read)) {
      console.log([username, name, email, admin ? 'admin' : ''].join('\t').trimEnd());
    }
  },
  add: async (database, options) => {
    const account = { login: need(options, 'login'), name: need(options, 'name'), email: need(options, 'email') };
    await addAccount(database, { ...account, admin: options.admin === true, password: await readPassword() });
    console.log(`User ${account.login} created`);
  },
  'change-password': async (database, options) => {
    const login = need(options, 'login');
    await changePassword(database, login, await readPassword());
    console.log(`User ${login} has a new password`);
  },
  delete: async (database, options) => {
    const login = need(options, 'login');
    await removeAccount(database, login);
    console.log(`User ${login} deleted`);
  },
};

async function run(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      login: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      admin: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [noun, verb, ...rest] = positionals;
  if (values.help === true || noun === undefined) return console.log(usage);
  if (noun === 'version' && verb === undefined) return console.log(readVersion());
  const command = noun === 'user' && rest.length === 0 ? userCommands[verb ?? ''] : undefined;
  if (command === undefined) throw new BadUsage(`There is no command "${positionals.join(' ')}"`);
  const { dataDir, databaseUrl: url, encryptionKey } = loadConfig();
  const database = await openDatabase({ dataDir, url, encryptionKey });
  try {
    await command(database, values);
  } finally {
    await database.close();
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof BadUsage || (error instanceof TypeError && 'code' in error);
  if (!isUsage && !(error instanceof AppError) && !(error instanceof StartRefusal)) throw error;
  console.error(isUsage ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
}
