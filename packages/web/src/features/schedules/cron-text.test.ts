import { describe, expect, test } from 'vitest';
import {
  type CronPicks,
  changeTiming,
  chooseTiming,
  everyMinute,
  listGroups,
  noPicks,
  pickGroups,
  readPicks,
  readTiming,
  writeCron,
} from './cron-text.ts';

const read = (text: string): CronPicks => {
  const picks = readPicks(text);
  if (picks === undefined) throw new Error(`${text} has no picks`);
  return picks;
};

describe('a cron text and its picks', () => {
  test.each([
    ['* * * * *', 'hourly'],
    ['*/5 * * * *', 'hourly'],
    ['@hourly', 'hourly'],
    ['0 3 * * *', 'daily'],
    ['30 9-17 * * *', 'daily'],
    ['0 9 * * 1-5', 'weekly'],
    ['0 9 * * mon,fri', 'weekly'],
    ['0 0 1,15 * *', 'monthly'],
    ['0 0 1 * 1', 'monthly'],
    ['@yearly', 'yearly'],
    ['0 0 1 jan *', 'yearly'],
    ['CRON_TZ=Europe/Berlin 0 3 * * *', 'daily'],
  ])('%s is read as %s', (text, timing) => {
    expect(readTiming(read(text))).toBe(timing);
  });

  test.each(['', 'nonsense', '* * * *', '61 * * * *', '@every 5m'])('"%s" has no picks', (text) => {
    expect(readPicks(text)).toBeUndefined();
  });

  test.each([
    [{}, '* * * * *'],
    [{ minutes: [0] }, '0 * * * *'],
    [{ minutes: [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55] }, '*/5 * * * *'],
    [{ minutes: [0, 30] }, '*/30 * * * *'],
    [{ minutes: [0, 30], hours: [3] }, '0,30 3 * * *'],
    [{ minutes: [5, 35], hours: [9, 10, 11, 17] }, '5,35 9-11,17 * * *'],
    [{ minutes: [0], hours: [0, 12] }, '0 0,12 * * *'],
    [{ minutes: [0], hours: [6], weekdays: [0, 6] }, '0 6 * * 0,6'],
    [{ minutes: [55], hours: [23], days: [31], months: [1, 12] }, '55 23 31 1,12 *'],
    [{ zone: 'Europe/Berlin', minutes: [0] }, 'CRON_TZ=Europe/Berlin 0 * * * *'],
  ])('%o is written as %s', (picks, text) => {
    expect(writeCron({ ...noPicks, ...picks })).toBe(text);
  });

  test('whatever is picked is read back from the text', () => {
    const high = { months: 12, days: 31, weekdays: 6, hours: 23, minutes: 59 };
    const low = { months: 1, days: 1, weekdays: 0, hours: 0, minutes: 0 };
    let seed = 42;
    const draw = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    for (let round = 0; round < 2000; round += 1) {
      const share = draw();
      const entries = pickGroups.map((group) => {
        const all = Array.from({ length: high[group] - low[group] + 1 }, (_, at) => at + low[group]);
        return [group, draw() < 0.3 ? [] : all.filter(() => draw() < share)];
      });
      const picks: CronPicks = { ...noPicks, ...Object.fromEntries(entries) };
      expect(readPicks(writeCron(picks)), writeCron(picks)).toEqual(picks);
    }
  });

  test('a new schedule is one of every minute', () => {
    expect(read(everyMinute)).toEqual(noPicks);
  });
});

describe('another timing', () => {
  test.each([
    ['* * * * *', 'hourly', '0 * * * *'],
    ['* * * * *', 'daily', '0 0 * * *'],
    ['* * * * *', 'weekly', '0 0 * * 1'],
    ['* * * * *', 'monthly', '0 0 1 * *'],
    ['* * * * *', 'yearly', '0 0 1 1 *'],
    ['30 6 * * 1-5', 'monthly', '30 6 1 * *'],
    ['30 6 1 3 *', 'daily', '30 6 * * *'],
    ['CRON_TZ=UTC 30 6 1 3 *', 'hourly', 'CRON_TZ=UTC 30 * * * *'],
  ] as const)('%s becomes %s as %s', (text, timing, expected) => {
    expect(writeCron(changeTiming(read(text), timing))).toBe(expected);
  });

  test('a field whose last value was taken away stays in sight', () => {
    expect(chooseTiming('yearly', read('0 0 1 * *'))).toBe('yearly');
    expect(listGroups(read('0 0 1 * *'), 'yearly')).toContain('months');
  });

  test('a text that is narrower than the timing that was chosen wins', () => {
    expect(chooseTiming('daily', read('0 0 1 1 *'))).toBe('yearly');
  });

  test('a field that is restricted besides the timing is shown too', () => {
    expect(listGroups(read('0 0 1 * 1'), 'monthly')).toEqual(['days', 'weekdays', 'hours', 'minutes']);
  });
});
