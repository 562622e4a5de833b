import { expect, test } from 'vitest';
import { describeTimes, listZones } from './next-times.ts';

const from = Date.parse('2026-03-27T12:00:00.000Z');
const times = ['2026-03-28T08:00:00.000Z', '2026-03-29T07:00:00.000Z', '2026-03-30T07:00:00.000Z'];

test('a time is told in the zone of the schedule and in that of the viewer', () => {
  const [first] = describeTimes(times, 'Europe/Berlin', 'America/New_York', from);
  expect(first?.inZone).toContain('09:00');
  expect(first?.inViewerZone).toContain('04:00');
  expect(first?.offset).toBe('GMT+1');
});

test('the viewer reads the day only where it is another one, and the year where it is not this one', () => {
  const [same] = describeTimes(times, 'Europe/Berlin', 'America/New_York', from);
  expect(same?.inViewerZone).toBe('04:00');
  expect(same?.inZone).not.toContain('2026');
  const [other] = describeTimes(['2027-01-01T02:00:00.000Z'], 'UTC', 'America/New_York', from);
  expect(other?.inViewerZone).toMatch(/Thu.*31.*21:00/);
  expect(other?.inZone).toContain('2027');
});

test('the first run after the clocks have changed says from which offset', () => {
  const described = describeTimes(times, 'Europe/Berlin', 'UTC', from);
  expect(described.map(({ changedFrom }) => changedFrom)).toEqual([undefined, 'GMT+1', undefined]);
});

test('a change before the first run is marked at the first run', () => {
  const [first] = describeTimes(times.slice(1), 'Europe/Berlin', 'UTC', from);
  expect(first?.changedFrom).toBe('GMT+1');
});

test('a zone without summer time has no change', () => {
  expect(describeTimes(times, 'UTC', 'UTC', from).every(({ changedFrom }) => changedFrom === undefined)).toBe(true);
});

test('the zones are offered once each, those that are wanted too', () => {
  const zones = listZones('Europe/Berlin', 'UTC');
  expect(zones).toEqual([...new Set(zones)]);
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin', 'America/New_York']));
});
