import type { ErrorCode } from '@signalbox/contract/errors';

/** A refusal that the caller is told about. The code decides the HTTP status; the message is a sentence for a person. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
