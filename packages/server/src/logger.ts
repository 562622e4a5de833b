import { findOutage } from './db/outage.ts';

/** What the server tells its operator: one JSON line per entry. Never a secret, never a user's text as a key. */
export type Logger = {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `cause` is an error; its stack goes into the line. */
  error(message: string, fields?: LogFields & { cause?: unknown }): void;
};
export type LogFields = Record<string, unknown>;

function describeCause(cause: unknown): string {
  // Where it was noticed tells nobody anything, and every part of the server notices it.
  const outage = findOutage(cause);
  if (outage !== undefined) return outage;
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause === undefined ? '' : ` <- ${describeCause(cause.cause)}`;
  return `${cause.stack ?? cause.message}${inner}`;
}

export function createLogger(write: (line: string) => void): Logger {
  const log = (level: string, message: string, fields: LogFields = {}) => {
    const { cause, ...rest } = fields;
    const shown = cause === undefined ? rest : { ...rest, cause: describeCause(cause) };
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...shown })}\n`);
  };
  return {
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
  };
}
