import { type ErrorBody, type ErrorCode, errorStatus } from '@signalbox/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isReferenceViolation } from '../db/constraint.ts';
import { findOutage, isDiskFull } from '../db/outage.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** Errors that the framework raises itself, by its codes. */
const frameworkCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The content type cannot be read'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'The body has another length than it says'],
  FST_ERR_BAD_URL: ['invalid', 'The address is not a valid URL'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing under this address'],
};

/** The one place where a failure becomes an answer. What nobody expected is logged once and told as `internal`. */
export function answerError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof AppError ? error : (readFrameworkError(error) ?? readRace(error));
  if (known !== undefined) return sendError(reply, known);
  const outage = findOutage(error);
  if (outage !== undefined) {
    tellOutage(log, outage);
    return sendError(reply, refuseInOutage(error));
  }
  // Without the query: it may hold what somebody looks for in a log.
  const [path] = request.url.split('?', 1);
  log.error('A request failed', { request: request.id, method: request.method, path, cause: error });
  return sendError(reply, new AppError('internal', `Something went wrong here; the log has it under ${request.id}`));
}

/** A caller who asks again soon is served when the database is back. */
export function refuseInOutage(error: unknown): AppError {
  const reason = isDiskFull(error)
    ? 'The disk of the server is full: nothing can be stored until there is room'
    : 'The database does not answer at the moment: try again';
  return new AppError('unavailable', reason, { retry_after: 2 });
}

const tellEveryMs = 10_000;
const lastTold = new WeakMap<Logger, number>();

/** Every request fails then, and one line now and then says so. */
function tellOutage(log: Logger, reason: string): void {
  const now = performance.now();
  if (now - (lastTold.get(log) ?? Number.NEGATIVE_INFINITY) < tellEveryMs) return;
  lastTold.set(log, now);
  log.error('Requests are answered with 503', { reason });
}

function readFrameworkError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const known = 'code' in error ? frameworkCodes[String(error.code)] : undefined;
  if (known !== undefined) return new AppError(...known);
  const status = Number(error.statusCode);
  // The console's files say "forbidden" of a path that is none.
  if (status === 403 || status === 404) return new AppError('not_found', 'There is nothing under this address');
  return status >= 400 && status < 500 ? new AppError('invalid', 'The request cannot be read') : undefined;
}

/** Rules look before they write; what another request deletes in between is found by the database. */
function readRace(error: unknown): AppError | undefined {
  if (!isReferenceViolation(error)) return undefined;
  return new AppError('conflict', 'Something that this refers to was changed at the same time: look again');
}

function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  // Terraform looks for the members of the lock at the top of the answer.
  const lock = error.code === 'locked' && typeof error.details === 'object' ? error.details : {};
  const body: ErrorBody = { ...lock, error: error.message, code: error.code };
  if (error.details !== undefined) body.details = error.details;
  if (error.code === 'in_use') body.inUse = true;
  const wait = retryAfter(error);
  if (wait !== undefined) void reply.header('retry-after', String(wait));
  return reply.code(errorStatus[error.code]).type('application/json; charset=utf-8').send(body);
}

function retryAfter(error: AppError): number | undefined {
  const { details } = error;
  if (typeof details !== 'object' || details === null || !('retry_after' in details)) return undefined;
  return Number(details.retry_after);
}
