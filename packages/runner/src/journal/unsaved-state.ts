import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { isInside } from '../prepare/paths.ts';

const StateAccess = z.object({ path: z.string(), username: z.string(), password: z.string() });
/** Where the server keeps the state of one claim, and the password that is good for it alone. */
export type StateAccess = z.infer<typeof StateAccess>;

const Notes = z.object({
  access: StateAccess,
  /** Where the tool works, and leaves a state that it could not bring anywhere. */
  workplace: z.string(),
  /** The time of such a state that the code came with: it says nothing of this task. */
  foreign: z.nullable(z.number()),
  /** The lock under which the state is written. */
  lock: z.nullable(z.string()),
});
type Notes = z.infer<typeof Notes>;

const notesName = 'state-access.json';
const bodyName = 'unsaved.tfstate';
/** What Terraform and OpenTofu call a state that nobody took. */
const erroredName = 'errored.tfstate';
/** Below the data directory: states that the server did not take at all. */
const keptName = 'unsaved-states';

/** A state that has not reached the server. */
export type UnsavedState = { readonly access: StateAccess; readonly lock: string | null; readonly body: Buffer };

/**
 * The state that a task is bringing to the server, on disk until the server has it: whoever is killed meanwhile, the next runner
 * brings it. The files hold what the state itself holds, secrets too, and are gone with the task.
 */
export class StateJournal {
  readonly #directory: string;
  #notes: Notes;

  constructor(directory: string, access: StateAccess, workplace: string) {
    this.#directory = directory;
    this.#notes = { access, workplace, foreign: readTime(join(workplace, erroredName)), lock: null };
    this.#writeNotes();
  }

  noteLock(lock: string | null): void {
    this.#notes = { ...this.#notes, lock };
    this.#writeNotes();
  }

  noteUnsaved(body: Uint8Array): void {
    replaceFile(join(this.#directory, bodyName), body);
  }

  noteSaved(): void {
    rmSync(join(this.#directory, bodyName), { force: true });
  }

  #writeNotes(): void {
    replaceFile(join(this.#directory, notesName), Buffer.from(JSON.stringify(this.#notes)));
  }
}

/** Whole or not at all, also when this process is killed. */
function replaceFile(path: string, content: Uint8Array): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** What a task of an earlier runner has left to be brought to the server; null when there is nothing. */
export function findUnsavedState(directory: string): UnsavedState | null {
  const path = join(directory, notesName);
  if (!existsSync(path)) return null;
  const notes = z.parse(Notes, JSON.parse(readFileSync(path, 'utf8')));
  const handedIn = join(directory, bodyName);
  // The tool's own file is the younger one: it tries for minutes before it writes it.
  const body = readErrored(directory, notes) ?? (existsSync(handedIn) ? readFileSync(handedIn) : null);
  return body === null ? null : { access: notes.access, lock: notes.lock, body };
}

/** The tree is the task's: a link there may lead to what only this runner may read. */
function readErrored(directory: string, { workplace, foreign }: Notes): Buffer | null {
  const path = join(workplace, erroredName);
  const time = readTime(path);
  if (time === null || time === foreign) return null;
  return isInside(realpathSync(directory), realpathSync(path)) ? readFileSync(path) : null;
}

/** When a file was written; null where there is none. */
function readTime(path: string): number | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.mtimeMs : null;
}

/** Keeps a state that the server does not have where a person finds it. @returns its path */
export function keepRefusedState(dataDir: string, directory: string, body: Uint8Array): string {
  mkdirSync(join(dataDir, keptName), { recursive: true, mode: 0o700 });
  const path = join(dataDir, keptName, `${basename(directory)}.tfstate`);
  replaceFile(path, body);
  return path;
}
