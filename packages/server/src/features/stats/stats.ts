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

/** Walks through the quarters from day to day: a zone is asked once for each day, not once for each quarter. */
function sumUpDays(quarters: readonly Quarter[], zone: string): StatsPoint[] {
  const points: StatsPoint[] = [];
  let point: StatsPoint | undefined;
  let nextDay = Number.NEGATIVE_INFINITY;
  for (const { bucket, success, error, stopped } of quarters) {
    if (point === undefined || bucket >= nextDay) {
      const day = Temporal.Instant.fromEpochMilliseconds(bucket).toZonedDateTimeISO(zone).toPlainDate();
      nextDay = beginningOf(day.add({ days: 1 }), zone);
      point = { date: day.toString(), count_by_status: { success: 0, error: 0, stopped: 0 } };
      points.push(point);
    }
    point.count_by_status.success += success;
    point.count_by_status.error += error;
    point.count_by_status.stopped += stopped;
  }
  return points;
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
