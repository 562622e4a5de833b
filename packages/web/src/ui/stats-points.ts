import type { StatsPoint } from '@signalbox/contract/stats';

export type StatsCounts = StatsPoint['count_by_status'];

const DAY_MS = 86_400_000;
const nothing: StatsCounts = { success: 0, error: 0, stopped: 0 };

/** The server names only the days that have tasks; a picture needs its first and its last day too. */
export function addEnds(points: readonly StatsPoint[], from: string, to: string): StatsPoint[] {
  const inside = points.filter(({ date }) => date >= from && date <= to).toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const first = inside[0]?.date === from ? [] : [{ date: from, count_by_status: nothing }];
  const last = to === from || inside.at(-1)?.date === to ? [] : [{ date: to, count_by_status: nothing }];
  return [...first, ...inside, ...last];
}

/** Every day of the calendar from the first point to the last; one without a point has no task. */
export function listDays(points: readonly StatsPoint[]): StatsPoint[] {
  const known = new Map(points.map((point) => [point.date, point]));
  const first = points[0]?.date;
  const last = points.at(-1)?.date;
  if (first === undefined || last === undefined) return [];
  const days: StatsPoint[] = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += DAY_MS) {
    const date = new Date(ms).toISOString().slice(0, 10);
    days.push(known.get(date) ?? { date, count_by_status: nothing });
  }
  return days;
}

export function sumCounts(points: readonly StatsPoint[]): StatsCounts {
  const sum = { ...nothing };
  for (const { count_by_status: counts } of points) {
    sum.success += counts.success;
    sum.error += counts.error;
    sum.stopped += counts.stopped;
  }
  return sum;
}

export function countAll({ success, error, stopped }: StatsCounts): number {
  return success + error + stopped;
}

/** Part of the tasks that came to an end by themselves, 0 to 1; undefined where there is none. */
export function rateSuccess({ success, error }: StatsCounts): number | undefined {
  return success + error === 0 ? undefined : success / (success + error);
}

/** Beyond three months the lines are means of a week: weekends alone would make saws of them. */
const LONG_DAYS = 92;

export function isLongRange(days: readonly StatsPoint[]): boolean {
  return days.length > LONG_DAYS;
}

/** Mean of the last seven days, or of as many as there are. */
export function smoothCounts(counts: readonly number[]): number[] {
  return counts.map((_, day) => {
    const week = counts.slice(Math.max(0, day - 6), day + 1);
    return week.reduce((sum, count) => sum + count, 0) / week.length;
  });
}
