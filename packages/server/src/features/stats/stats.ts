/// <reference lib="esnext.temporal" />
import type { StatsPoint } from '@signalbox/contract/stats';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { listQuarters, type Quarter, type StatsFilter } from './queries.ts';

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
  const quarters = await listQuarters(db, {
    ...place,
    userId: request.user_id,
    from: start === undefined ? 0 : beginningOf(start, zone),
    to: end === undefined ? Number.MAX_SAFE_INTEGER : beginningOf(end.add({ days: 1 }), zone),
  });
  return sumUpDays(quarters, zone);
}

const dayMs = 86_400_000;

/** Days are counted with the offset of the zone, which is asked for anew only where clocks change. */
function sumUpDays(quarters: readonly Quarter[], zone: string): StatsPoint[] {
  const points: StatsPoint[] = [];
  let clock = { offset: 0, until: Number.NEGATIVE_INFINITY };
  let point: StatsPoint | undefined;
  let pointDay = Number.NaN;
  for (const { bucket, success, error, stopped } of quarters) {
    if (bucket >= clock.until) clock = readClock(bucket, zone);
    const day = Math.floor((bucket + clock.offset) / dayMs);
    if (point === undefined || day !== pointDay) {
      point = {
        date: new Date(day * dayMs).toISOString().slice(0, 10),
        count_by_status: { success: 0, error: 0, stopped: 0 },
      };
      pointDay = day;
      points.push(point);
    }
    point.count_by_status.success += success;
    point.count_by_status.error += error;
    point.count_by_status.stopped += stopped;
  }
  return points;
}

/** By how much a zone is ahead of UTC at an instant, and until when. */
function readClock(instant: number, zone: string): { offset: number; until: number } {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const change = time.getTimeZoneTransition('next');
  return {
    offset: time.offsetNanoseconds / 1_000_000,
    until: change === null ? Number.POSITIVE_INFINITY : change.epochMilliseconds,
  };
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
