/** The database cannot be reached: it is restarted, or the way to it is cut. What was asked may be asked again. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer${describe(cause)}`, { cause });
    this.name = 'DatabaseAway';
  }
}

/** What a network says has a code; what the driver says is a sentence. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return code === '' ? '' : ` (${code})`;
}

/** Busy, read-only, input or output error, full: primary result codes of SQLite. */
const sqliteCodes: readonly unknown[] = [5, 8, 10, 13];
/** Read-only transaction, and insufficient resources (53…): a disk that is full, too many connections. */
const readOnlyCode = '25006';
const resourceClass = '53';

/** Of the databases, in their words. */
const diskFullCodes: readonly unknown[] = [13, '53100'];

function readCode(error: Error): unknown {
  const code = 'errcode' in error ? error.errcode : 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code & 0xff : code;
}

/** Nothing can be stored until somebody makes room; what is stored can be read. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && diskFullCodes.includes(readCode(error));
}

/** Why nothing can be read or stored at the moment, whatever is asked; undefined for every other error. */
export function findOutage(error: unknown): string | undefined {
  if (error instanceof DatabaseAway) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = readCode(error);
  const isStuck =
    typeof code === 'number'
      ? sqliteCodes.includes(code)
      : code === readOnlyCode || String(code).startsWith(resourceClass);
  return isStuck ? `The database does not take anything: ${error.message}` : undefined;
}
