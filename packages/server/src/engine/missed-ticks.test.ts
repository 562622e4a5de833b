import { describe, expect, test } from 'vitest';
import { judgeTicks, mostCounted } from './missed-ticks.ts';
import { latestFire, listFires } from './next-fire.ts';

const hour = 3_600_000;
const at = (text: string) => Date.parse(text);
const nightly = { cron_format: '0 3 * * *', timezone: 'UTC' };
const often = { cron_format: '*/10 * * * *', timezone: 'UTC' };

describe('of the ticks that have come', () => {
  test.each([
    ['one in time is run', nightly, '2027-01-10T03:00:00Z', '2027-01-10T03:00:00.020Z', '2027-01-10T03:00:00Z', 0],
    ['one a little late is run', nightly, '2027-01-10T03:00:00Z', '2027-01-10T04:00:00Z', '2027-01-10T03:00:00Z', 0],
    ['one too late is skipped', nightly, '2027-01-10T03:00:00Z', '2027-01-10T04:00:01Z', undefined, 1],
    ['the latest of several is run', often, '2027-01-10T03:00:00Z', '2027-01-10T03:59:59Z', '2027-01-10T03:50:00Z', 5],
    [
      'the latest may be of this moment',
      often,
      '2027-01-10T03:00:00Z',
      '2027-01-10T03:10:00Z',
      '2027-01-10T03:10:00Z',
      1,
    ],
    ['none is run where the latest is too old', nightly, '2027-01-10T03:00:00Z', '2027-01-12T12:00:00Z', undefined, 3],
  ])('%s', (_, timing, nominal, now, ...expected) => {
    const verdict = judgeTicks(timing, at(nominal), at(now), hour);
    const { run, skipped } = verdict;
    expect([run === undefined ? run : new Date(run).toISOString().replace('.000', ''), skipped]).toEqual(expected);
    expect(verdict.next).toBeGreaterThan(at(now));
  });

  test('no more are counted than anybody wants to know', () => {
    const verdict = judgeTicks({ cron_format: '@every 1s', timezone: 'UTC' }, 0, 365 * 24 * hour, hour);
    expect(verdict).toEqual({ run: 365 * 24 * hour, skipped: mostCounted, next: 365 * 24 * hour + 1000 });
  });

  test('a date that never comes again has no next time', () => {
    const leap = { cron_format: '0 0 30 2 *', timezone: 'UTC' };
    expect(judgeTicks(leap, at('2027-01-10T03:00:00Z'), at('2027-01-10T03:00:00Z'), hour).next).toBeNull();
  });
});

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata'];
test.each(zones)('the latest time is the last one of the list, also where clocks change, in %s', (zone) => {
  for (const text of ['*/20 * * * *', '30 2 * * *', '0 0 * * *', '15,45 0-4 * * *', '@hourly']) {
    for (const start of ['2027-03-26', '2027-10-29', '2027-04-02', '2027-04-22', '2027-11-05']) {
      const times = listFires(text, zone, at(`${start}T00:00:00Z`), 40);
      const [since = 0] = times;
      for (const [index, time] of times.entries()) {
        const next = times[index + 1];
        for (const until of [time, time + 1, time + 999, time + 1000, (next ?? time + 2) - 1]) {
          expect(latestFire(text, zone, since, until)).toBe(time);
        }
      }
    }
  }
});
