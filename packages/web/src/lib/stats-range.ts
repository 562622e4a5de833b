/** How many days each range shows, today included. */
const rangeDays = { week: 7, month: 30, year: 365 } as const;
export type StatsRange = keyof typeof rangeDays;
export const statsRanges: readonly StatsRange[] = ['week', 'month', 'year'];

const DAY_MS = 86_400_000;

export function readRange(text: unknown): StatsRange {
  return statsRanges.find((range) => range === text) ?? 'week';
}

/** The day of the calendar at a place, as 2026-01-31. */
export function findDay(ms: number, zone: string): string {
  // The Swedish way to write a date is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(ms);
}

/** First and last day of a range that ends today. */
export function findBounds(range: StatsRange, today: string): { from: string; to: string } {
  const first = Date.parse(today) - (rangeDays[range] - 1) * DAY_MS;
  return { from: new Date(first).toISOString().slice(0, 10), to: today };
}
