import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { BadUsage, type Command, commands } from './cli-commands.ts';
import { loadConfig } from './config.ts';
import { openDatabase } from './db/open-database.ts';
import { StartRefusal } from './db/start-refusal.ts';
import { AppError } from './errors.ts';
import { readVersion } from './installation.ts';

/*
 * Commands of an operator, on the data of a server that may be running. A password is never an argument: it is asked for,
 * or read as one line from what is piped in.
 */

const place =
  "The data directory and the database are those of the server's settings (SIGNALBOX_DATA, SIGNALBOX_DATABASE_URL).";

/** The help of all commands, or of those of a noun. */
function describeCommands(noun: string): string {
  const lines = [
    ...Object.entries(commands),
    ['version', { usage: '', summary: 'the version of this program' }] as const,
  ]
    .filter(([name]) => noun === '' || name.startsWith(`${noun} `))
    .map(([name, { usage, summary }]) => `  ${`${name} ${usage}`.trim().padEnd(48)}  ${summary}`);
  const title = `Usage: ./signalbox ${noun === '' ? '' : `${noun} `}COMMAND`;
  return [title, '', ...lines, '', 'Each of them explains itself with --help.', place].join('\n');
}

function describeCommand(name: string, { usage, summary, help }: Command): string {
  return [`Usage: ./signalbox ${`${name} ${usage}`.trim()}`, '', `${summary}.`, '', help, '', place].join('\n');
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

const helpOption = { help: { type: 'boolean', short: 'h' } } as const;

/** Returns what is printed. `help` is what is said besides a mistake in the words. */
async function run(words: string[], setHelp: (help: string) => void): Promise<string> {
  const split = words.findIndex((word) => word.startsWith('-'));
  const name = words.slice(0, split < 0 ? undefined : split).join(' ');
  const args = split < 0 ? [] : words.slice(split);
  const command = commands[name];
  if (command !== undefined) return runCommand(name, command, args, setHelp);
  const isGroup = name === '' || Object.keys(commands).some((known) => known.startsWith(`${name} `));
  setHelp(describeCommands(isGroup ? name : ''));
  const { help } = parseArgs({ args, options: helpOption }).values;
  if (isGroup) return describeCommands(name);
  if (name !== 'version') throw new BadUsage(`There is no command "${name}"`);
  return help === true ? 'Usage: ./signalbox version\n\nPrints the version of this program.' : readVersion();
}

async function runCommand(
  name: string,
  command: Command,
  args: string[],
  setHelp: (help: string) => void,
): Promise<string> {
  setHelp(describeCommand(name, command));
  const { help, ...options } = parseArgs({ args, options: { ...command.options, ...helpOption } }).values;
  if (help === true) return describeCommand(name, command);
  const config = loadConfig();
  const { dataDir, databaseUrl: url, encryptionKey } = config;
  const database = await openDatabase({ dataDir, url, encryptionKey });
  try {
    const report = (text: string) => console.error(text);
    return await command.run({ database, config, options, readPassword, report });
  } finally {
    await database.close();
  }
}

let usage = describeCommands('');
try {
  const setHelp = (help: string) => {
    usage = help;
  };
  console.log(await run(process.argv.slice(2), setHelp));
} catch (error) {
  const isUsage = error instanceof BadUsage || (error instanceof TypeError && 'code' in error);
  if (!isUsage && !(error instanceof AppError) && !(error instanceof StartRefusal)) throw error;
  console.error(isUsage ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 1;
}
