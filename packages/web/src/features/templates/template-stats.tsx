import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { findBounds, findDay, readRange, type StatsRange } from '../../lib/stats-range.ts';
import { useNow } from '../../lib/use-now.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { StatsChart } from '../../ui/stats-chart.tsx';
import { StatsRangeChoice } from '../../ui/stats-range-choice.tsx';
import { templateStatsQuery } from './data.ts';
import css from './templates.module.css';

const MINUTE = 60_000;

/** How the tasks of a template ended, day by day; the range is kept in the address. */
export function TemplateStats({ template }: { template: Template }) {
  const { range: given } = useSearch({ strict: false });
  const navigate = useNavigate();
  const range = readRange(given);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { from, to } = findBounds(range, findDay(useNow(MINUTE), zone));
  const stats = useQuery(templateStatsQuery(template, from, zone));
  const handleChange = (value: StatsRange): void =>
    void navigate({
      to: '.',
      replace: true,
      resetScroll: false,
      search: (before: Record<string, unknown>) => ({ ...before, range: value === 'week' ? undefined : value }),
    });
  return (
    <section className={css.stats} aria-label={t('templates.stats')}>
      <header className={css.statsHead}>
        <h2>{t('templates.stats')}</h2>
        <StatsRangeChoice value={range} onChange={handleChange} />
      </header>
      {stats.error === null || stats.data !== undefined ? (
        <StatsChart points={stats.data} from={from} to={to} height={220} />
      ) : (
        <ErrorState error={stats.error} onRetry={() => void stats.refetch()} />
      )}
    </section>
  );
}
