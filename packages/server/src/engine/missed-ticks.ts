import { countFires, latestFire, nextFire } from './next-fire.ts';

/** When a schedule fires, as it is stored. */
export type Timing = { readonly cron_format: string; readonly timezone: string };

/** What is to be done about a schedule whose time has come. */
export type Verdict = {
  /** The tick that is run; undefined where all are too long ago. */
  readonly run: number | undefined;
  /** Ticks that are not made up for, counted up to `mostCounted`. */
  readonly skipped: number;
  readonly next: number | null;
};

/** Nobody asks for the exact number of what was missed in a month, and counting takes its time. */
export const mostCounted = 100;

/**
 * Of all the ticks that came while nobody looked, the latest is run once where it is not too long ago; the others are not
 * made up for.
 *
 * @param nominal the tick that was next; not after `now`
 * @param latest how old a tick may be to be run
 */
export function judgeTicks({ cron_format, timezone }: Timing, nominal: number, now: number, latest: number): Verdict {
  const after = nextFire(cron_format, timezone, nominal);
  const isLate = after !== undefined && after <= now;
  const last = isLate ? latestFire(cron_format, timezone, nominal, now) : nominal;
  const missed = isLate ? countFires(cron_format, timezone, { after: nominal, until: now }, mostCounted) : 0;
  const isYoung = now - last <= latest;
  return {
    run: isYoung ? last : undefined,
    skipped: Math.min(isYoung ? missed : missed + 1, mostCounted),
    next: (isLate ? nextFire(cron_format, timezone, last) : after) ?? null,
  };
}
