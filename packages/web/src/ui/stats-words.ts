import { currentLocale } from '../lib/i18n.ts';

// A day of the calendar has no zone: it is read and written in UTC, so that it stays the same.

function formatDate(date: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), { ...parts, timeZone: 'UTC' }).format(Date.parse(date));
}

export function formatDay(date: string): string {
  return formatDate(date, { day: 'numeric', month: 'short' });
}

export function formatMonth(date: string): string {
  return formatDate(date, date.endsWith('-01-01') ? { month: 'short', year: '2-digit' } : { month: 'short' });
}

export function formatWholeDay(date: string): string {
  return formatDate(date, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(currentLocale()).format(value);
}

/** At most one digit after the point, and never 100 % while something failed. */
export function formatRate(rate: number): string {
  const shown = rate < 1 ? Math.min(rate, 0.999) : rate;
  return new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(shown);
}
