import * as z from 'zod/mini';
import { Text } from './fields.ts';

/**
 * When a schedule fires: five fields (minute, hour, day of the month, month, weekday), one of the names for common ones,
 * or a distance. Nothing here knows what time it is: the server works out the next time from what is read here.
 */
export type Cron = { readonly zone: string | undefined } & (
  | { readonly kind: 'fields'; readonly fields: readonly CronField[] }
  | { readonly kind: 'every'; readonly seconds: number }
);
/**
 * `any` is a star, also in a list; a star with a step is a list like any other. Of the two day fields only those count that
 * are not `any`; where both count, one of them is enough.
 */
export type CronField = 'any' | readonly CronPart[];
/** From `low` to `high` by `step`. */
type CronPart = { readonly low: number; readonly high: number; readonly step: number };

type Range = { readonly name: string; readonly low: number; readonly high: number; readonly words?: readonly string[] };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const ranges: readonly Range[] = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day of the month', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, words: months },
  { name: 'weekday', low: 0, high: 6, words: weekdays },
];

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** What is wrong with a text, in words that go on after "Cron:". */
class CronProblem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reads a cron text, or says what is wrong with it. */
export function readCron(text: string): { cron: Cron } | { problem: string } {
  try {
    return { cron: parseCron(text.trim()) };
  } catch (error) {
    if (!(error instanceof CronProblem)) throw error;
    return { problem: error.text };
  }
}

function parseCron(text: string): Cron {
  const [, zone, rest = text] = /^(?:CRON_TZ|TZ)=(\S*)\s*(.*)$/s.exec(text) ?? [];
  if (zone !== undefined && !isTimeZone(zone)) throw new CronProblem(`"${zone}" is no time zone`);
  if (rest === '') throw new CronProblem('it is empty');
  if (!rest.startsWith('@')) return { kind: 'fields', zone, fields: parseFields(rest) };
  const [, distance] = /^@every\s+(\S+)$/.exec(rest) ?? [];
  if (distance !== undefined) return { kind: 'every', zone, seconds: parseDistance(distance) };
  const fields = Object.hasOwn(descriptors, rest) ? descriptors[rest] : undefined;
  if (fields === undefined) throw new CronProblem(`"${rest}" is not known`);
  return { kind: 'fields', zone, fields: parseFields(fields) };
}

function parseFields(text: string): CronField[] {
  const parts = text.split(/\s+/);
  if (parts.length !== ranges.length) {
    throw new CronProblem(
      `five fields are needed (minute, hour, day of the month, month, weekday), not ${parts.length}`,
    );
  }
  return ranges.map((range, at) => parseField(parts[at] ?? '', range));
}

function parseField(text: string, range: Range): CronField {
  const parts = text.split(',').map((part) => parsePart(part, range));
  const counted = parts.filter((part) => part !== 'any');
  return counted.length < parts.length ? 'any' : counted;
}

function parsePart(text: string, range: Range): 'any' | CronPart {
  const [, from = '', to, by] = /^([^-/]+)(?:-([^-/]+))?(?:\/([^-/]+))?$/.exec(text) ?? [];
  const step = by === undefined ? 1 : parseNumber(by, 'step');
  if (step === 0) throw new CronProblem(`the step of "${text}" must be at least 1`);
  if ((from === '*' || from === '?') && to === undefined) {
    return step === 1 ? 'any' : { low: range.low, high: range.high, step };
  }
  if (from === '') throw new CronProblem(`"${text}" is no ${range.name}`);
  const low = parseValue(from, range);
  // A single value with a step goes on to the end of the range.
  const last = by === undefined ? low : range.high;
  const high = to === undefined ? last : parseValue(to, range);
  if (high < low) throw new CronProblem(`"${text}" ends before it begins`);
  return { low, high, step };
}

function parseValue(text: string, { name, low, high, words = [] }: Range): number {
  const word = words.indexOf(text.toLowerCase());
  const value = word === -1 ? parseNumber(text, name) : word + low;
  if (value < low || value > high) throw new CronProblem(`"${text}" is no ${name}: ${low} to ${high}`);
  return value;
}

function parseNumber(text: string, name: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new CronProblem(`"${text}" is no ${name}`);
  return Number(text);
}

const units: Readonly<Record<string, number>> = {
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ns: 1e-9,
};
/** What fits into 64 bits of nanoseconds, as the older product counts. */
const longestSeconds = 9_223_372_036;

/** `1h30m`: whole seconds, what is left over is dropped. */
function parseDistance(text: string): number {
  if (!/^(?:\d{1,15}(?:\.\d{0,9})?(?:ms|us|µs|μs|ns|h|m|s))+$/.test(text)) {
    throw new CronProblem(`"${text}" is no distance such as 90s, 5m or 1h30m`);
  }
  let seconds = 0;
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)(ms|us|µs|μs|ns|h|m|s)/g)) {
    seconds += Number(count) * (units[unit] ?? 0);
  }
  // Sums of fractions miss whole numbers by a hair.
  const whole = Math.floor(seconds + 1e-9);
  if (whole < 1) throw new CronProblem('a distance must be at least one second');
  if (whole > longestSeconds) throw new CronProblem(`"${text}" is too long`);
  return whole;
}

/** Whether the text is a zone of the IANA database that this machine knows; offsets such as `+01:00` are none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false; // that it is none is the answer
  }
}

/** A cron text as it is stored: trimmed, otherwise as it was written. */
export const CronText = Text.check(
  z.trim(),
  z.maxLength(500),
  z.check<string>((context) => {
    const reading = readCron(context.value);
    if (!('problem' in reading)) return;
    context.issues.push({ code: 'custom', message: `Cron: ${reading.problem}`, input: context.value });
  }),
);
/** A name of the IANA database, such as `Europe/Berlin`. */
export const TimeZone = Text.check(z.refine(isTimeZone, 'is no time zone such as Europe/Berlin'));
