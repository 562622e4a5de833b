import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { currentLocale, type MessageKey, t } from '../../lib/i18n.ts';
import css from './cron.module.css';
import {
  changeTiming,
  chooseTiming,
  listGroups,
  noPicks,
  type PickGroup,
  readPicks,
  type Timing,
  timings,
  writeCron,
} from './cron-text.ts';
import { type Pick, PickGrid } from './pick-grid.tsx';

const timingTitles: Record<Timing, MessageKey> = {
  hourly: 'schedules.hourly',
  daily: 'schedules.daily',
  weekly: 'schedules.weekly',
  monthly: 'schedules.monthly',
  yearly: 'schedules.yearly',
};

const grids: Record<PickGroup, { title: MessageKey; every: MessageKey; columns: number; list: () => Pick[] }> = {
  months: { title: 'schedules.months', every: 'schedules.everyMonths', columns: 6, list: listMonths },
  days: { title: 'schedules.days', every: 'schedules.everyDays', columns: 12, list: () => listNumbers(1, 31) },
  weekdays: { title: 'schedules.weekdays', every: 'schedules.everyWeekdays', columns: 7, list: listWeekdays },
  hours: { title: 'schedules.hours', every: 'schedules.everyHours', columns: 12, list: () => listNumbers(0, 23) },
  minutes: {
    title: 'schedules.minutes',
    every: 'schedules.everyMinutes',
    columns: 12,
    list: () => listNumbers(0, 55, 5),
  },
};

/** The same cron text as months, days, weekdays, hours and minutes. The text is the only truth: what is picked writes it. */
export function CronPickers({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  // A timing stays chosen while its last value is taken away, until the text itself says something else.
  const [wanted, setWanted] = useState<Timing>();
  const picks = readPicks(text);
  const timing = picks === undefined ? undefined : chooseTiming(wanted, picks);
  const handleTiming = (next: string): void => {
    const chosen = timings.find((known) => known === next);
    if (chosen === undefined) return;
    setWanted(chosen);
    onChange(writeCron(changeTiming(picks ?? noPicks, chosen)));
  };
  return (
    <div className={css.pickers}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('schedules.timing')}
        value={timing ?? ''}
        onChange={handleTiming}
        data={timings.toReversed().map((value) => ({ value, label: t(timingTitles[value]) }))}
      />
      {picks === undefined || timing === undefined ? (
        <p className={css.note}>{t('schedules.noPickers')}</p>
      ) : (
        listGroups(picks, timing).map((group) => {
          const { title, every, columns, list } = grids[group];
          return (
            <PickGrid
              key={group}
              label={t(title)}
              everyLabel={t(every)}
              options={addPicked(list(), picks[group])}
              value={picks[group]}
              columns={columns}
              onChange={(values) => {
                setWanted(timing);
                onChange(writeCron({ ...picks, [group]: values }));
              }}
            />
          );
        })
      )}
      {picks !== undefined && picks.days.length > 0 && picks.weekdays.length > 0 ? (
        <p className={css.note}>{t('schedules.eitherDay')}</p>
      ) : null}
    </div>
  );
}

/** Minutes between the steps that the text has stand there too, to be seen and taken away. */
function addPicked(options: Pick[], picked: readonly number[]): Pick[] {
  const missing = picked.filter((value) => !options.some((option) => option.value === value));
  return [...options, ...missing.map((value) => ({ value, label: pad(value) }))].sort((a, b) => a.value - b.value);
}

function listNumbers(low: number, high: number, step = 1): Pick[] {
  const count = Math.floor((high - low) / step) + 1;
  return Array.from({ length: count }, (_, at) => low + at * step).map((value) => ({
    value,
    label: low === 0 ? pad(value) : String(value),
  }));
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function listMonths(): Pick[] {
  return Array.from({ length: 12 }, (_, at) => {
    const date = new Date(Date.UTC(2024, at, 1));
    return { value: at + 1, label: nameOf(date, { month: 'short' }), title: nameOf(date, { month: 'long' }) };
  });
}

/** 0 is Sunday, as in a cron text. */
function listWeekdays(): Pick[] {
  return Array.from({ length: 7 }, (_, at) => {
    // The 7th of January 2024 was a Sunday.
    const date = new Date(Date.UTC(2024, 0, 7 + at));
    return { value: at, label: nameOf(date, { weekday: 'short' }), title: nameOf(date, { weekday: 'long' }) };
  });
}

function nameOf(date: Date, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), { ...format, timeZone: 'UTC' }).format(date);
}
