import { currentLocale, t } from './i18n.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Epoch milliseconds of a time on the wire. */
export function parseTime(time: string): number {
  return Date.parse(time);
}

/** Time of day, HH:mm. */
function formatClock(ms: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms);
}

/** Local date and HH:mm; the year only where it is another one. */
function formatDate(ms: number, now: number): string {
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  const date = new Intl.DateTimeFormat(currentLocale(), {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(ms);
  return `${date} ${formatClock(ms)}`;
}

/** The whole truth, for a hover: date, seconds and zone. */
export function formatExact(ms: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'full', timeStyle: 'long' }).format(ms);
}

/** How long ago, in the largest whole unit up to hours. A time a little ahead of this clock counts as now. */
function formatAgo(ms: number, now: number): string {
  const passed = now - ms;
  if (passed < MINUTE) return t('time.now');
  if (passed < HOUR) return t('time.minutesAgo', { count: Math.floor(passed / MINUTE) });
  return t('time.hoursAgo', { count: Math.floor(passed / HOUR) });
}

/** Relative and HH:mm on the same day, HH:mm alone of what is still to come on it, else local date and HH:mm. */
export function formatMoment(ms: number, now: number): string {
  if (!isSameDay(ms, now)) return formatDate(ms, now);
  return isAhead(ms, now) ? formatClock(ms) : t('time.today', { ago: formatAgo(ms, now), clock: formatClock(ms) });
}

/** The same for a tight place: relative alone on the same day. */
export function formatShortMoment(ms: number, now: number): string {
  if (!isSameDay(ms, now)) return formatDate(ms, now);
  return isAhead(ms, now) ? formatClock(ms) : formatAgo(ms, now);
}

/** By more than the clocks of two machines may differ. */
function isAhead(ms: number, now: number): boolean {
  return ms - now > MINUTE;
}

/** 41 s, 3 m 07 s, 1 h 02 m: two units, the second one with two digits, so that a column of them lines up. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  if (seconds < 60) return t('time.seconds', { seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('time.minutes', { minutes, seconds: pad(seconds % 60) });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('time.hours', { hours, minutes: pad(minutes % 60) });
  return t('time.days', { days: Math.floor(hours / 24), hours: pad(hours % 24) });
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
