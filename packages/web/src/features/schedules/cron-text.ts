import { type CronField, readCron } from '@signalbox/contract/cron';

/** From the most to the least frequent. */
export const timings = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type Timing = (typeof timings)[number];

/** The fields of a cron text in the order in which they are picked. */
export const pickGroups = ['months', 'days', 'weekdays', 'hours', 'minutes'] as const;
export type PickGroup = (typeof pickGroups)[number];

/** What is picked of each field, ascending; an empty one is every month, day, hour and so on. */
export type CronPicks = Record<PickGroup, readonly number[]> & {
  /** Of a `CRON_TZ=` in front. */
  readonly zone: string | undefined;
};

/** Every minute, as in a new schedule. */
export const noPicks: CronPicks = { zone: undefined, months: [], days: [], weekdays: [], hours: [], minutes: [] };
export const everyMinute = '* * * * *';

/** The picks that a text stands for; undefined where it is no cron text, or a distance such as `@every 5m`. */
export function readPicks(text: string): CronPicks | undefined {
  const reading = readCron(text);
  if (!('cron' in reading) || reading.cron.kind !== 'fields') return undefined;
  const [minutes, hours, days, months, weekdays] = reading.cron.fields.map(listValues);
  return {
    zone: reading.cron.zone,
    months: months ?? [],
    days: days ?? [],
    weekdays: weekdays ?? [],
    hours: hours ?? [],
    minutes: minutes ?? [],
  };
}

function listValues(field: CronField): number[] {
  if (field === 'any') return [];
  const values = new Set<number>();
  for (const { low, high, step } of field) {
    for (let value = low; value <= high; value += step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

export function writeCron({ zone, minutes, hours, days, months, weekdays }: CronPicks): string {
  // With fixed hours a list is a time of the day, which survives a change of the clocks; a step only counts what passes.
  const minute = hours.length === 0 ? writeMinutes(minutes) : writeField(minutes);
  const fields = [minute, ...[hours, days, months, weekdays].map(writeField)].join(' ');
  return zone === undefined ? fields : `CRON_TZ=${zone} ${fields}`;
}

/** 0, 5, 10, …, 55 is what people write as a step. */
function writeMinutes(minutes: readonly number[]): string {
  const [first, second = 0] = minutes;
  const isStep =
    first === 0 && second > 1 && 60 % second === 0 && minutes.length === 60 / second && minutes.at(-1) === 60 - second;
  return isStep && minutes.every((minute, at) => minute === at * second) ? `*/${second}` : writeField(minutes);
}

/** Three in a row and more are a range. */
function writeField(values: readonly number[]): string {
  if (values.length === 0) return '*';
  const parts: string[] = [];
  let begin = 0;
  for (let at = 1; at <= values.length; at += 1) {
    const previous = values[at - 1] ?? 0;
    if (values[at] === previous + 1) continue;
    const run = values.slice(begin, at);
    parts.push(...(run.length < 3 ? run.map(String) : [`${run[0]}-${previous}`]));
    begin = at;
  }
  return parts.join(',');
}

/** How often a schedule runs, told from the field that narrows it most. */
export function readTiming({ months, days, weekdays, hours }: CronPicks): Timing {
  if (months.length > 0) return 'yearly';
  if (days.length > 0) return 'monthly';
  if (weekdays.length > 0) return 'weekly';
  return hours.length > 0 ? 'daily' : 'hourly';
}

const groupsOf: Record<Timing, readonly PickGroup[]> = {
  hourly: ['minutes'],
  daily: ['hours', 'minutes'],
  weekly: ['weekdays', 'hours', 'minutes'],
  monthly: ['days', 'hours', 'minutes'],
  yearly: ['months', 'days', 'hours', 'minutes'],
};
const firstOf: Record<PickGroup, number> = { months: 1, days: 1, weekdays: 1, hours: 0, minutes: 0 };

/** Fields that are picked for a timing, and those that the text restricts besides. */
export function listGroups(picks: CronPicks, timing: Timing): PickGroup[] {
  return pickGroups.filter((group) => groupsOf[timing].includes(group) || picks[group].length > 0);
}

/** Another timing: what belongs to it is kept, and begins with one value, so that "daily" is once a day. */
export function changeTiming(picks: CronPicks, timing: Timing): CronPicks {
  const entries = pickGroups.map((group): [PickGroup, readonly number[]] => {
    if (!groupsOf[timing].includes(group)) return [group, []];
    return [group, picks[group].length === 0 ? [firstOf[group]] : picks[group]];
  });
  return { ...noPicks, zone: picks.zone, ...Object.fromEntries(entries) };
}

/** The less frequent of two timings: a field whose last value was just taken away stays in sight. */
export function chooseTiming(wanted: Timing | undefined, picks: CronPicks): Timing {
  const read = readTiming(picks);
  return wanted !== undefined && timings.indexOf(wanted) > timings.indexOf(read) ? wanted : read;
}
