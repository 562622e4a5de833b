import { formatDuration, formatExact, parseTime } from '../../lib/dates.ts';
import { t } from '../../lib/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import css from './schedules.module.css';

const MINUTE = 60_000;

/** How long until the next run, to the minute; the exact time on hover. */
export function NextTime({ time }: { time: string }) {
  const now = useNow(15_000);
  const ms = parseTime(time);
  const minutes = Math.max(0, Math.ceil((ms - now) / MINUTE));
  return (
    <time dateTime={time} title={formatExact(ms)} className={css.next}>
      {t('schedules.nextIn', {
        distance: minutes < 60 ? t('schedules.inMinutes', { minutes }) : formatDuration(minutes * MINUTE),
      })}
    </time>
  );
}
