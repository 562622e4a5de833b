import type { Schedule } from '@signalbox/contract/schedules';
import { describe, expect, it } from 'vitest';
import { commitCheckOf, listIntervals, planCheck } from './commit-check.ts';

const stored: Schedule = {
  id: 7,
  project_id: 1,
  template_id: 2,
  tpl_name: 'Deploy',
  name: 'Check for new commits',
  cron_format: '*/5 * * * *',
  timezone: 'UTC',
  active: true,
  repository_id: 3,
  params: null,
  next_run: null,
  last_run: null,
  problem: null,
};

describe('the option to check for new commits', () => {
  it('is off, and every minute once it is switched on', () => {
    expect(commitCheckOf(undefined)).toEqual({ isOn: false, repositoryId: null, cron: '* * * * *' });
  });

  it('offers 1 minute, 5 minutes, 10 minutes, 1 hour and 24 hours, and keeps what was written elsewhere', () => {
    expect(listIntervals('* * * * *').map(({ label }) => label)).toEqual([
      '1 minute',
      '5 minutes',
      '10 minutes',
      '1 hour',
      '24 hours',
    ]);
    expect(listIntervals('0 6 * * 1').at(-1)).toEqual({ value: '0 6 * * 1', label: '0 6 * * 1' });
  });

  it('is taken from the stored schedule', () => {
    expect(commitCheckOf(stored)).toEqual({ isOn: true, repositoryId: '3', cron: '*/5 * * * *' });
  });

  it('creates, updates or deletes the schedule, and leaves alone what matches', () => {
    const on = { isOn: true, repositoryId: '3', cron: '*/5 * * * *' };
    expect(planCheck(on, undefined)).toEqual({ kind: 'create', cron: '*/5 * * * *', repositoryId: 3 });
    expect(planCheck(on, stored)).toEqual({ kind: 'nothing' });
    expect(planCheck({ ...on, cron: '0 * * * *' }, stored)).toEqual({
      kind: 'update',
      id: 7,
      cron: '0 * * * *',
      repositoryId: 3,
    });
    expect(planCheck({ ...on, repositoryId: '4' }, stored)).toMatchObject({ kind: 'update', repositoryId: 4 });
    expect(planCheck({ ...on, isOn: false }, stored)).toEqual({ kind: 'remove', id: 7 });
    expect(planCheck({ ...on, isOn: false }, undefined)).toEqual({ kind: 'nothing' });
  });
});
