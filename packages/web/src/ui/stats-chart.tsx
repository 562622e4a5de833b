import type { StatsPoint } from '@signalbox/contract/stats';
import { lazy, Suspense, useMemo } from 'react';
import { t } from '../lib/i18n.ts';
import css from './stats-chart.module.css';
import { StatsLegend } from './stats-legend.tsx';
import { addEnds, countAll, isLongRange, listDays, rateSuccess, sumCounts } from './stats-points.ts';
import { StatsTable } from './stats-table.tsx';
import { formatNumber, formatRate } from './stats-words.ts';

const StatsPlot = lazy(async () => ({ default: (await import('./stats-plot.tsx')).StatsPlot }));

type StatsChartProps = {
  /** Days that have tasks; undefined while they are on their way. */
  points: readonly StatsPoint[] | undefined;
  /** First and last day of the picture, as 2026-01-31. */
  from: string;
  to: string;
  height?: number;
};

/** How tasks ended, day by day: stacked bars with a line for each status, the sums over them and the numbers below. */
export function StatsChart({ points, from, to, height = 280 }: StatsChartProps) {
  const shown = useMemo(() => addEnds(points ?? [], from, to), [points, from, to]);
  const days = useMemo(() => listDays(shown), [shown]);
  const sum = sumCounts(shown);
  const rate = rateSuccess(sum);
  const isLoading = points === undefined;
  return (
    <figure className={css.figure} aria-label={t('stats.chart')} aria-busy={isLoading}>
      <div className={css.sums} data-loading={isLoading || undefined}>
        <StatsLegend counts={sum} />
        <dl className={css.legend}>
          <div className={css.entry}>
            <dt>{t('stats.all')}</dt>
            <dd>{formatNumber(countAll(sum))}</dd>
          </div>
          <div className={css.entry} title={t('stats.rateHint')}>
            <dt>{t('stats.rate')}</dt>
            <dd>{rate === undefined ? '—' : formatRate(rate)}</dd>
          </div>
        </dl>
      </div>
      <div className={css.stage} style={{ minHeight: height }}>
        {isLoading ? null : (
          <Suspense fallback={null}>
            <StatsPlot days={days} height={height} />
          </Suspense>
        )}
        {!isLoading && countAll(sum) === 0 ? <p className={css.none}>{t('stats.none')}</p> : null}
      </div>
      <div className={css.below}>
        {isLoading ? null : (
          <>
            <details className={css.details}>
              <summary>{t('stats.showTable')}</summary>
              <StatsTable points={shown} />
            </details>
            {isLongRange(days) ? <p className={css.hint}>{t('stats.meanHint')}</p> : null}
          </>
        )}
      </div>
    </figure>
  );
}
