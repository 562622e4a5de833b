import { currentLocale } from '../../lib/i18n.ts';

/** One of the next runs, in the words of two zones. */
export type NextTime = {
  /** As it came. */
  time: string;
  inZone: string;
  inViewerZone: string;
  /** Offset in the schedule's zone, such as GMT+2. */
  offset: string;
  /** The clocks of the schedule's zone change between the run before and this one: the offset until then. */
  changedFrom: string | undefined;
};

/** @param from from when on a change of the clocks counts for the first of them, in epoch ms */
export function describeTimes(times: readonly string[], zone: string, viewerZone: string, from: number): NextTime[] {
  let before = offsetOf(from, zone);
  return times.map((time) => {
    const ms = Date.parse(time);
    const offset = offsetOf(ms, zone);
    const changedFrom = offset === before ? undefined : before;
    before = offset;
    return {
      time,
      inZone: formatIn(ms, zone, from),
      inViewerZone: formatFor(ms, viewerZone, zone),
      offset,
      changedFrom,
    };
  });
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** The year only where it is not that of now. */
function formatIn(ms: number, timeZone: string, now: number): string {
  const year = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' });
  const isThisYear = year.format(ms) === year.format(now);
  return format(ms, { timeZone, ...day, ...clock, ...(isThisYear ? {} : { year: 'numeric' }) });
}

/** The day only where it is another one than in the schedule's zone. */
function formatFor(ms: number, timeZone: string, zone: string): string {
  const isSameDay = format(ms, { timeZone, ...day }) === format(ms, { timeZone: zone, ...day });
  return format(ms, { timeZone, ...clock, ...(isSameDay ? {} : day) });
}

function format(ms: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), options).format(ms);
}

function offsetOf(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export function readViewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All zones that this browser knows, with those that are wanted besides. */
export function listZones(...wanted: string[]): string[] {
  return [...new Set(['UTC', ...wanted, ...Intl.supportedValuesOf('timeZone')])];
}
