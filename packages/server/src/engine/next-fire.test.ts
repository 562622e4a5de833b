import { describe, expect, test } from 'vitest';
import { listFires, nextFire } from './next-fire.ts';

/** The next times, as text. */
function list(text: string, zone: string, after: string, count: number): string[] {
  return listFires(text, zone, Date.parse(after), count).map((time) =>
    new Date(time).toISOString().replace(/:00\.000Z$/, 'Z'),
  );
}

describe('the next times', () => {
  test.each([
    ['*/15 * * * *', 'UTC', '2026-05-01T00:00:00Z', ['2026-05-01T00:15Z', '2026-05-01T00:30Z']],
    ['50/5 * * * *', 'UTC', '2026-05-01T00:00:00Z', ['2026-05-01T00:50Z', '2026-05-01T00:55Z', '2026-05-01T01:50Z']],
    ['*/90 * * * *', 'UTC', '2026-05-01T00:10:00Z', ['2026-05-01T01:00Z', '2026-05-01T02:00Z']],
    ['0 6 * * *', 'Europe/Berlin', '2026-01-10T12:00:00Z', ['2026-01-11T05:00Z']],
    ['0 6 * * *', 'Asia/Kolkata', '2026-01-10T12:00:00Z', ['2026-01-11T00:30Z']],
    ['CRON_TZ=Asia/Tokyo 0 6 * * *', 'Europe/Berlin', '2026-01-10T12:00:00Z', ['2026-01-10T21:00Z']],
    ['0 0 1 jan *', 'UTC', '2026-01-01T00:00:00Z', ['2027-01-01T00:00Z']],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    ['0 0 31 * *', 'UTC', '2026-01-31T00:00:00Z', ['2026-03-31T00:00Z', '2026-05-31T00:00Z']],
    ['@weekly', 'UTC', '2026-05-01T00:00:00Z', ['2026-05-03T00:00Z', '2026-05-10T00:00Z']],
    ['0 12 * * mon-fri', 'UTC', '2026-05-01T12:00:00Z', ['2026-05-04T12:00Z']],
  ])('of "%s" in %s after %s', (text, zone, after, expected) => {
    expect(list(text, zone, after, expected.length)).toEqual(expected);
  });

  test.each([
    [
      'both day fields count, and one is enough',
      '0 0 13 * 5',
      ['2026-01-02', '2026-01-09', '2026-01-13', '2026-01-16'],
    ],
    ['a star in one leaves the other', '0 0 13 * *', ['2026-01-13', '2026-02-13', '2026-03-13', '2026-04-13']],
    ['a question mark is a star', '0 0 ? * 5', ['2026-01-02', '2026-01-09', '2026-01-16', '2026-01-23']],
    ['a star in a list is a star', '0 0 1,* * 5', ['2026-01-02', '2026-01-09', '2026-01-16', '2026-01-23']],
    ['a star with a step counts as a list', '0 0 */10 * 1', ['2026-01-05', '2026-01-11', '2026-01-12', '2026-01-19']],
    ['a whole range counts as a list', '0 0 1-31 * 1', ['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05']],
    ['a step of 1 is a star', '0 0 */1 * 1', ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26']],
  ])('of days: %s', (_, text, days) => {
    expect(list(text, 'UTC', '2026-01-01T00:00:00Z', 4)).toEqual(days.map((day) => `${day}T00:00Z`));
  });

  test('a date that never comes has none, and looking for it takes no time', () => {
    expect(nextFire('0 0 30 2 *', 'UTC', Date.now())).toBeUndefined();
    expect(nextFire('0 0 31 4,6,9,11 *', 'Europe/Berlin', Date.now())).toBeUndefined();
  });

  test('a time itself is not after itself, the moment before it is', () => {
    const at = Date.parse('2026-05-01T06:00:00Z');
    expect(nextFire('0 6 * * *', 'UTC', at - 1)).toBe(at);
    expect(nextFire('0 6 * * *', 'UTC', at)).toBe(at + 86_400_000);
    expect(nextFire('0 6 * * *', 'UTC', at + 1)).toBe(at + 86_400_000);
  });

  test('a distance goes on from whole seconds', () => {
    const after = Date.parse('2026-05-01T06:00:00.700Z');
    expect(listFires('@every 1m30s', 'UTC', after, 2)).toEqual([
      Date.parse('2026-05-01T06:01:30Z'),
      Date.parse('2026-05-01T06:03:00Z'),
    ]);
  });

  test('what is no cron text is a failure of whoever stored it', () => {
    expect(() => nextFire('* * * *', 'UTC', 0)).toThrow('cannot be read');
  });
});

/** Clocks go from 02:00 to 03:00 on 29 March and from 03:00 to 02:00 on 25 October in Berlin. */
describe('when clocks change', () => {
  test.each([
    [
      'a fixed time that is skipped fires at the end of the gap',
      '30 2 * * *',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    ],
    ['two skipped times fire once', '0,30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:00Z']],
    [
      'a step skips what is skipped',
      '*/30 * * * *',
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
    ],
    [
      'a fixed time that comes twice fires at the first',
      '30 2 * * *',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ],
    [
      'it does not fire at the second for being asked in between',
      '30 2 * * *',
      '2026-10-25T00:45Z',
      ['2026-10-26T01:30Z'],
    ],
    [
      'a step goes on through the hour that comes twice',
      '*/30 * * * *',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
    ],
    [
      'every hour is every hour',
      '15 * * * *',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:15Z', '2026-10-25T01:15Z', '2026-10-25T02:15Z'],
    ],
    ['a distance knows no clocks', '@every 1h', '2026-03-29T00:00Z', ['2026-03-29T01:00Z', '2026-03-29T02:00Z']],
    ['midnight is every day', '@daily', '2026-03-28T12:00Z', ['2026-03-28T23:00Z', '2026-03-29T22:00Z']],
  ])('%s', (_, text, after, expected) => {
    expect(list(text, 'Europe/Berlin', after, expected.length)).toEqual(expected);
  });

  test.each([
    ['midnight is skipped', '@daily', 'Africa/Cairo', '2026-04-23T12:00Z', ['2026-04-23T22:00Z', '2026-04-24T21:00Z']],
    [
      'half an hour is skipped',
      '10 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T12:00Z',
      ['2026-10-03T15:30Z', '2026-10-04T15:10Z'],
    ],
    [
      'half an hour comes twice',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T12:00Z',
      ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
    ],
    [
      'a quarter comes twice',
      '*/15 * * * *',
      'Australia/Lord_Howe',
      '2026-04-04T14:30Z',
      ['2026-04-04T14:45Z', '2026-04-04T15:00Z', '2026-04-04T15:15Z'],
    ],
    [
      'the other half of the year',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
    ],
  ])('%s', (_, text, zone, after, expected) => {
    expect(list(text, zone, after, expected.length)).toEqual(expected);
  });

  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Santiago',
    'Asia/Kolkata',
  ];
  test.each(zones)('a daily time fires once for each day of the year in %s', (zone) => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
    for (const text of ['0 0 * * *', '30 0 * * *', '45 1 * * *', '30 2 * * *', '0 3 * * *']) {
      const times = listFires(text, zone, Date.parse('2026-01-01T14:00:00Z'), 365);
      expect(new Set(times.map((time) => day.format(time))).size).toBe(365);
      for (const [at, time] of times.entries())
        if (at > 0) expect(time).toBeGreaterThan(times[at - 1] ?? Number.POSITIVE_INFINITY);
    }
  });

  test.each(zones)('asked again from each time, the list is the same in %s', (zone) => {
    for (const text of ['*/20 * * * *', '30 2 * * *', '0 */3 * * *', '15,45 0-4 * * *']) {
      for (const start of [
        '2026-03-28T00:00:00Z',
        '2026-10-24T00:00:00Z',
        '2026-04-03T00:00:00Z',
        '2026-04-23T00:00:00Z',
      ]) {
        const times = listFires(text, zone, Date.parse(start), 120);
        let after = Date.parse(start);
        for (const time of times) {
          after = nextFire(text, zone, after) ?? 0;
          expect(after).toBe(time);
        }
      }
    }
  });
});
