import { formatExact, formatMoment, formatShortMoment, parseTime } from '../lib/dates.ts';
import { useNow } from '../lib/use-now.ts';

/** A time on the wire as a person says it, with the exact one on hover. `short` leaves the clock out on the same day. */
export function TimeAgo({ time, short = false }: { time: string; short?: boolean }) {
  const now = useNow(30_000);
  const ms = parseTime(time);
  return (
    <time dateTime={time} title={formatExact(ms)}>
      {short ? formatShortMoment(ms, now) : formatMoment(ms, now)}
    </time>
  );
}
