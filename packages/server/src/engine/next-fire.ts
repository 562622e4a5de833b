import { type Cron, type CronField, readCron } from '@signalbox/contract/cron';
import { Cron as Clockwork } from 'croner';

/**
 * The first time after `after` (both epoch ms) at which a cron text fires, or undefined where its date never comes. The
 * fields are read in the zone that the text names, else in `zone`.
 *
 * Where clocks change, schedules go by what a person means. One at fixed times fires once a day: at the end of the gap when
 * its time is skipped, at the first pass when its time comes twice. One with a star or a step in its minutes or hours goes
 * by elapsed time: what is skipped does not fire, and it goes on through the hour that comes twice.
 */
export function nextFire(text: string, zone: string, after: number): number | undefined {
  return listFires(text, zone, after, 1)[0];
}

/** The first `count` such times; fewer where there are no more. */
export function listFires(text: string, zone: string, after: number, count: number): number[] {
  const { cron } = requireCron(text);
  if (cron.kind === 'every') return listSteps(cron.seconds * 1000, after, count);
  return createClockwork(cron, zone)
    .nextRuns(count, new Date(after))
    .map((time) => time.getTime());
}

function requireCron(text: string): { cron: Cron } {
  const reading = readCron(text);
  if ('problem' in reading) throw new Error(`The cron text "${text}" cannot be read: ${reading.problem}`);
  return reading;
}

/** The latest time up to `until`, for a schedule that fires at `since`, which is not after that. */
export function latestFire(text: string, zone: string, since: number, until: number): number {
  const { cron } = requireCron(text);
  if (cron.kind === 'every') return until - ((until - since) % (cron.seconds * 1000));
  // What it finds is before the time that it is asked for.
  const [time] = createClockwork(cron, zone).previousRuns(1, new Date(until + 1));
  return Math.max(since, time?.getTime() ?? since);
}

/** How many times there are after one and up to another, at most `most`. */
export function countFires(
  text: string,
  zone: string,
  { after, until }: { after: number; until: number },
  most: number,
): number {
  const { cron } = requireCron(text);
  if (cron.kind === 'every') return Math.min(most, Math.floor((until - after) / (cron.seconds * 1000)));
  return listFires(text, zone, after, most).filter((time) => time <= until).length;
}

function createClockwork(cron: Extract<Cron, { kind: 'fields' }>, zone: string): Clockwork {
  return new Clockwork(cron.fields.map(toPattern).join(' '), {
    mode: '5-part',
    timezone: cron.zone ?? zone,
    fixedTimeRule: 'no-wildcard',
    paused: true,
  });
}

/** Every distance starts at a whole second. */
function listSteps(step: number, after: number, count: number): number[] {
  const start = Math.floor(after / 1000) * 1000;
  return Array.from({ length: count }, (_, index) => start + step * (index + 1));
}

function toPattern(field: CronField): string {
  if (field === 'any') return '*';
  return field
    .map(({ low, high, step }) => {
      // A step that leads out of the range at once leaves one value.
      if (high - low < step) return `${low}`;
      return step === 1 ? `${low}-${high}` : `${low}-${high}/${step}`;
    })
    .join(',');
}
