import * as z from 'zod/mini';

/** Every error code and its HTTP status. One table: the server maps with it, the console words with it. */
export const errorStatus = {
  invalid: 400,
  bad_json: 400,
  unknown_reference: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  TOTP_REQUIRED: 401,
  forbidden: 403,
  foreign_origin: 403,
  read_only_demo: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  in_use: 409,
  not_unique: 409,
  task_final: 409,
  stale_claim: 409,
  log_position: 409,
  too_large: 413,
  unsupported_media_type: 415,
  locked: 423,
  runner_outdated: 426,
  too_many_attempts: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One failed field: where it is in the body or query, and what is wrong with it. */
export const FieldProblem = z.object({ path: z.string(), message: z.string() });
export type FieldProblem = z.infer<typeof FieldProblem>;

/** The one error body. `error` is a sentence for a person, `code` is for programs. */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.string(),
  details: z.optional(z.unknown()),
  inUse: z.optional(z.literal(true)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
