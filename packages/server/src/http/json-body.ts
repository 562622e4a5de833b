import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isTooDeep, maxJsonDepth } from '../json-depth.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

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
  if (isTooDeep(bytes)) throw new AppError('bad_json', `The body is nested deeper than ${maxJsonDepth} levels`);
  return JSON.parse(decoder.decode(bytes));
}
