import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { StartRefusal } from './db/start-refusal.ts';

/*
 * How the values of settings are read. Those of the environment are text, those of a file may be anything, so each
 * reader takes both.
 */

/** Thrown inside a transform; becomes the message of the setting. */
class BadValue {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** @param message what stands behind the name of the setting: "must be …", "has …" */
export function fail(message: string): never {
  throw new BadValue(message);
}

/** A text that says something. */
export const Word = z.string().check(z.minLength(1, 'is empty'), z.maxLength(2048, 'is too long'));

/** A schema from a function that reads the value or calls `fail`. */
export function setting<T>(read: (value: unknown) => T) {
  return z.pipe(
    z.unknown(),
    z.transform((value: unknown, context): T => {
      try {
        return read(value);
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        context.issues.push({ code: 'custom', message: error.message, input: value });
        return z.NEVER;
      }
    }),
  );
}

export const readText = (value: unknown): string => (typeof value === 'string' ? value : fail('must be a text'));

/** A whole number between two others, in digits or as a number. */
export function whole(minimum: number, maximum: number) {
  return setting((value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= minimum && number <= maximum
      ? number
      : fail(`must be a whole number from ${minimum} to ${maximum}`);
  });
}

function readSwitch(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(text)) return true;
  return ['0', 'false', 'no', 'off'].includes(text) ? false : fail('must be 1 or 0');
}

export const Switch = setting(readSwitch);

export function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return fail('must be JSON'); // what the parser says has no name of the setting in it
  }
}

/** What a file holds that a setting names. */
export function readNamedFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return fail(`names ${file}, which cannot be read`); // why is a matter of the file system, and told by its tools
  }
}

/** Parses what stands inside of one setting. The message names the place in it, never its value: that may be a secret. */
export function parseNested<S extends z.ZodMiniType>(schema: S, value: unknown, form: string): z.output<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = (issue?.path ?? []).map(String);
  if (issue?.code === 'unrecognized_keys') {
    return fail(`has "${[...path, issue.keys[0]].join('.')}", which is no setting`);
  }
  if (issue === undefined || path.length === 0) return fail(`must be ${form}`);
  const problem = issue.message === 'Invalid input' ? 'has a wrong value' : issue.message;
  return fail(`has "${path.join('.')}", which ${problem}`);
}

/** For what only several settings together tell. */
export function refuseSetting(key: string, problem: string): StartRefusal {
  return new StartRefusal(`SIGNALBOX_${key.toUpperCase()} ${problem}.`);
}
