import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Cron, CronText, isTimeZone, readCron, TimeZone } from './cron.ts';

function parse(text: string): Cron {
  const reading = readCron(text);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.cron;
}
/** The values of each field, as a reader would write them. */
function spell(text: string): string {
  const cron = parse(text);
  if (cron.kind === 'every') return `every ${cron.seconds} s`;
  return cron.fields
    .map((field) =>
      field === 'any'
        ? '*'
        : field.map(({ low, high, step }) => (low === high ? low : `${low}-${high}/${step}`)).join(','),
    )
    .join(' ');
}

describe('what can be said', () => {
  test.each([
    ['* * * * *', '* * * * *'],
    ['? ? ? ? ?', '* * * * *'],
    ['  5\t4  3 2 1 ', '5 4 3 2 1'],
    ['05 04 03 02 01', '5 4 3 2 1'],
    ['0,30 9-17 * * 1-5', '0,30 9-17/1 * * 1-5/1'],
    ['*/15 8-18/2 */10 1/3 *', '0-59/15 8-18/2 1-31/10 1-12/3 *'],
    ['50/5 * * * *', '50-59/5 * * * *'],
    ['*/1 * * * *', '* * * * *'],
    ['5,* * * * *', '* * * * *'],
    ['0 0 1 jan sun', '0 0 1 1 0'],
    ['0 0 * FEB-Apr Mon-FRI/2', '0 0 * 2-4/1 1-5/2'],
    ['0 0 31 DEC SAT', '0 0 31 12 6'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
    ['@every 90s', 'every 90 s'],
    ['@every 1h30m', 'every 5400 s'],
    ['@every 1.5h', 'every 5400 s'],
    ['@every 2m3.9s', 'every 123 s'],
    ['@every 1000ms', 'every 1 s'],
    ['@every 2562047h', 'every 9223369200 s'],
  ])('"%s" is %s', (text, meaning) => {
    expect(spell(text)).toBe(meaning);
    expect(parse(text).zone).toBeUndefined();
  });

  test.each([
    ['CRON_TZ=Europe/Berlin 0 6 * * *', 'Europe/Berlin', '0 6 * * *'],
    ['TZ=UTC @daily', 'UTC', '0 0 * * *'],
    ['TZ=America/Argentina/Buenos_Aires @every 1m', 'America/Argentina/Buenos_Aires', 'every 60 s'],
  ])('"%s" names the zone %s', (text, zone, meaning) => {
    expect([parse(text).zone, spell(text)]).toEqual([zone, meaning]);
  });
});

test.each([
  [''],
  [' '],
  ['*'],
  ['* * * *'],
  ['* * * * * *'],
  ['0 0 0 * * * 2030'],
  ['60 * * * *'],
  ['* 24 * * *'],
  ['* * 0 * *'],
  ['* * 32 * *'],
  ['* * * 0 *'],
  ['* * * 13 *'],
  ['* * * * 7'],
  ['* * * * -1'],
  ['+5 * * * *'],
  ['1e1 * * * *'],
  ['1.5 * * * *'],
  ['30-10 * * * *'],
  ['* * * * fri-mon'],
  ['*/0 * * * *'],
  ['*/-5 * * * *'],
  ['*/x * * * *'],
  ['1//2 * * * *'],
  ['1-2-3 * * * *'],
  ['*-5 * * * *'],
  [', * * * *'],
  ['1, * * * *'],
  ['jan * * * *'],
  ['* * * mon *'],
  ['* * * january *'],
  ['* * L * *'],
  ['* * 15W * *'],
  ['* * * * 5#2'],
  ['* * * * +1'],
  ['0 99999999999999999999 * * *'],
  ['@reboot'],
  ['@Daily'],
  ['@daily 5'],
  ['@constructor'],
  ['@every'],
  ['@every '],
  ['@every 5'],
  ['@every -5m'],
  ['@every 5 m'],
  ['@every 0s'],
  ['@every 999ms'],
  ['@every 1d'],
  ['@every 9999999h'],
  ['CRON_TZ=UTC'],
  ['CRON_TZ=UTC '],
  ['TZ= * * * * *'],
  ['TZ=Mars/Olympus * * * * *'],
  ['TZ=+01:00 * * * * *'],
  ['TZ=../../etc/passwd * * * * *'],
  ['TZ=UTC TZ=UTC * * * * *'],
  ['★ * * * *'],
])('"%s" is refused in words that begin with "Cron:"', (text) => {
  const result = z.safeParse(CronText, text);
  expect(result.error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(/^Cron: ./)]);
});

test('a text that is as long as it may be is read at once', () => {
  const text = `${'0,'.repeat(245)}0 * * * *`;
  expect(z.parse(CronText, text)).toBe(text);
  expect(z.safeParse(CronText, `0,${text}`).success).toBe(false);
});

test('a zone is a name of the IANA database', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/North_Dakota/Center', 'Etc/GMT+5']) {
    expect(z.parse(TimeZone, zone)).toBe(zone);
  }
  for (const none of ['', 'Berlin', '+01:00', '-05', 'Europe/Berlin ', 'Local', 'x'.repeat(100), 'Europe\\Berlin']) {
    expect(isTimeZone(none)).toBe(false);
  }
});
