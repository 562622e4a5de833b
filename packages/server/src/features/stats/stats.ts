/// <reference lib="esnext.temporal" />
import type { StatsPoint } from '@signalbox/contract/stats';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type DayCount, findEdges, listDays, type StatsFilter } from './queries.ts';

/** What is asked for, as it came in the address. */
export type StatsRequest = {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly user_id?: number | undefined;
  readonly tz?: string | undefined;
};

type Place = Pick<StatsFilter, 'projectId' | 'templateId'>;

/**
 * Ended tasks by day. The counts are kept in quarters of an hour, which fall into whole days in every time zone: today's
 * offsets are multiples of 15 minutes.
 */
export async function readStats(db: Db, place: Place, request: StatsRequest): Promise<StatsPoint[]> {
  const zone = readZone(request.tz);
  const start = readDay(request.start, 'start');
  const end = readDay(request.end, 'end');
  if (start !== undefined && end !== undefined && Temporal.PlainDate.compare(end, start) < 0) {
    throw wrong('end', 'must not be before start');
  }
  const filter = {
    ...place,
    userId: request.user_id,
    from: start === undefined ? 0 : beginningOf(start, zone),
    to: end === undefined ? Number.MAX_SAFE_INTEGER : beginningOf(end.add({ days: 1 }), zone),
  };
  const days = new Map<number, DayCount>();
  for (const { from, to, offset } of await listClocks(db, filter, zone)) {
    for (const count of await listDays(db, { ...filter, from, to }, offset)) addCount(days, count);
  }
  return [...days.values()].map(toPoint);
}

/** A day on which clocks change comes in two parts. */
function addCount(days: Map<number, DayCount>, count: DayCount): void {
  const known = days.get(count.day);
  if (known === undefined) days.set(count.day, { ...count });
  else {
    known.success += count.success;
    known.error += count.error;
    known.stopped += count.stopped;
  }
}

const dayMs = 86_400_000;

function toPoint({ day, success, error, stopped }: DayCount): StatsPoint {
  const date = new Date(day * dayMs).toISOString().slice(0, 10);
  return { date, count_by_status: { success, error, stopped } };
}

/** A time in which a zone is ahead of UTC by one offset. */
type Clock = { readonly from: number; readonly to: number; readonly offset: number };

/** The clocks that the zone had while there were tasks; mostly two a year. */
async function listClocks(db: Db, filter: StatsFilter, zone: string): Promise<Clock[]> {
  const edges = await findEdges(db, filter);
  if (edges === undefined) return [];
  const clocks: Clock[] = [];
  let time = Temporal.Instant.fromEpochMilliseconds(edges.first).toZonedDateTimeISO(zone);
  for (;;) {
    const change = time.getTimeZoneTransition('next');
    const isLast = change === null || change.epochMilliseconds > edges.last;
    const to = isLast ? edges.last + 1 : change.epochMilliseconds;
    clocks.push({ from: time.epochMilliseconds, to, offset: time.offsetNanoseconds / 1_000_000 });
    if (isLast) return clocks;
    time = change;
  }
}

/** The first instant of a day; where clocks are put forward at midnight, that is not 0:00. */
function beginningOf(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
}

/** The contract has checked the digits; whether there is such a day is only known here. */
function readDay(text: string | undefined, path: string): Temporal.PlainDate | undefined {
  if (text === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    throw wrong(path, 'is not a day of the calendar'); // what is wrong with it is plain to see
  }
}

function readZone(name: string | undefined): string {
  if (name === undefined || name === '') return 'UTC';
  try {
    // Offsets and whole times are zones too for the engine, but none in which a day is sure to begin with a quarter.
    if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) throw new RangeError('no name of a zone');
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    throw wrong('tz', 'is not a time zone such as Europe/Berlin'); // that it is none is all there is to say
  }
}

function wrong(path: string, message: string): AppError {
  return new AppError('invalid', `${path} ${message}`, [{ path, message }]);
}
