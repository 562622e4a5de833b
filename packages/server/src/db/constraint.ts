/** Codes of both databases: SQLite's extended result codes, PostgreSQL's SQLSTATE. */
const uniqueCodes: readonly unknown[] = [2067, 1555, '23505'];
const referenceCodes: readonly unknown[] = [787, '23503'];

/** Whether a statement failed because a value that must be unique exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return uniqueCodes.includes(readCode(error));
}

/** Whether a statement failed because a row is still referred to, or refers to nothing. */
export function isReferenceViolation(error: unknown): boolean {
  return referenceCodes.includes(readCode(error));
}

function readCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) return error.errcode;
  return 'code' in error ? error.code : undefined;
}
