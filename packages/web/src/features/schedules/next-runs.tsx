import { useQuery } from '@tanstack/react-query';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import css from './cron.module.css';
import { cronPreviewQuery } from './data.ts';
import { describeTimes, readViewerZone } from './next-times.ts';

type NextRunsProps = {
  projectId: number;
  cron: string;
  /** In which the cron text is read. */
  zone: string;
};

/** When the server would start the next five tasks: in the zone of the schedule, in the viewer's, and where clocks change. */
export function NextRuns({ projectId, cron, zone }: NextRunsProps) {
  const { data, error, isPlaceholderData } = useQuery(cronPreviewQuery(projectId, { cron, timezone: zone }));
  const viewerZone = readViewerZone();
  const times = data === undefined ? [] : describeTimes(data.next_runs, zone, viewerZone, Date.now());
  return (
    <section className={css.runs} aria-label={t('schedules.nextRuns')} aria-live="polite">
      <h3 className={css.runsTitle}>
        {t('schedules.nextRuns')} · {zone}
      </h3>
      {error !== null ? <p className={css.note}>{describeError(error)}</p> : null}
      {data?.next_runs.length === 0 ? <p className={css.note}>{t('schedules.neverRuns')}</p> : null}
      {error === null ? (
        <ol className={css.list}>
          {times.map(({ time, inZone, inViewerZone, offset, changedFrom }) => (
            <li key={time} className={css.run} data-stale={isPlaceholderData || undefined}>
              {changedFrom === undefined ? null : (
                <span className={css.change}>{t('schedules.clockChange', { before: changedFrom, after: offset })}</span>
              )}
              <time dateTime={time}>{inZone}</time>
              <span className={css.offset}>{offset}</span>
              {viewerZone === zone ? null : (
                <span className={css.yours}>{t('schedules.yourTime', { time: inViewerZone })}</span>
              )}
            </li>
          ))}
        </ol>
      ) : null}
    </section>
  );
}
