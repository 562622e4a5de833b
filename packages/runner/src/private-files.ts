import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BadSetting } from './config.ts';

/** What nobody but the owner of a file may do with it. */
const others = 0o077;

/** Reads a file that has a secret in it. @throws BadSetting, also when others can read it */
export function readPrivateFile(path: string, setting: string): string {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadSetting(`${setting}: ${path} cannot be read (${codeOf(error)})`, { cause: error });
  }
  if ((mode & others) !== 0) {
    throw new BadSetting(`${setting}: ${path} has a secret in it and is open to other users; chmod 600 it first`);
  }
  return text;
}

/** Replaces a file as a whole, readable for its owner alone. @throws BadSetting */
export function writePrivateFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const next = `${path}.next`;
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    throw new BadSetting(`${path} cannot be written (${codeOf(error)})`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no reason given';
}
