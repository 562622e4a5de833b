import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const maxDepth = 100;
const decoder = new TextDecoder('utf-8', { fatal: true });
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

type Done = (error: Error | null, body?: unknown) => void;

/** Parses a JSON body. An empty one is `undefined`, so that routes without a body take it and others say what is missing. */
export function readJson(_request: FastifyRequest, body: string | Buffer, done: Done): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  try {
    done(null, bytes.length === 0 ? undefined : parseJson(bytes));
  } catch (error) {
    done(error instanceof AppError ? error : new AppError('bad_json', 'The body is not valid JSON'));
  }
}

function parseJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new AppError('bad_json', `The body is nested deeper than ${maxDepth} levels`);
  return JSON.parse(decoder.decode(bytes));
}

/** Counts brackets outside of strings, before the recursive parser sees them. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openBracket || byte === openBrace) depth++;
    else if (byte === closeBracket || byte === closeBrace) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends; behind the last byte if it never does. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
