import type { StatsPoint } from '@signalbox/contract/stats';
import { t } from '../lib/i18n.ts';
import css from './stats-chart.module.css';
import { countAll } from './stats-points.ts';
import { formatNumber, formatWholeDay } from './stats-words.ts';

/** What the picture shows, in numbers, newest first. */
export function StatsTable({ points }: { points: readonly StatsPoint[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no pointer must be able to scroll it
    <section className={css.numbers} aria-label={t('stats.table')} tabIndex={0}>
      <table className={css.table} aria-label={t('stats.table')}>
        <thead>
          <tr>
            <th scope="col">{t('stats.day')}</th>
            <th scope="col">{t('status.success')}</th>
            <th scope="col">{t('status.error')}</th>
            <th scope="col">{t('status.stopped')}</th>
            <th scope="col">{t('stats.all')}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ date, count_by_status: counts }) => (
            <tr key={date}>
              <th scope="row">{formatWholeDay(date)}</th>
              <td>{formatNumber(counts.success)}</td>
              <td>{formatNumber(counts.error)}</td>
              <td>{formatNumber(counts.stopped)}</td>
              <td>{formatNumber(countAll(counts))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
