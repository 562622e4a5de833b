import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { membersQuery } from '../../lib/project-lists.ts';
import { findBounds, findDay, readRange, type StatsRange } from '../../lib/stats-range.ts';
import { useDashboardRights } from '../../lib/use-dashboard-rights.ts';
import { useNow } from '../../lib/use-now.ts';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { StatsChart } from '../../ui/stats-chart.tsx';
import { StatsRangeChoice } from '../../ui/stats-range-choice.tsx';
import { statsQuery } from './data.ts';
import css from './stats.module.css';

const MINUTE = 60_000;

export function StatsScreen() {
  const projectId = useProjectId();
  const [{ range, userId }, choose] = useStatsSearch();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // A picture that stays open over midnight gets a new last day.
  const { from, to } = findBounds(range, findDay(useNow(MINUTE), zone));
  const stats = useQuery(statsQuery(projectId, { start: from, userId, zone }));
  usePage(t('dashboard.stats'));
  return (
    <>
      <DashboardHeader tab="stats" {...useDashboardRights(projectId)} />
      <div className={css.choices}>
        <StatsRangeChoice value={range} onChange={(next) => choose({ range: next, userId })} />
        <UserChoice projectId={projectId} userId={userId} onChange={(id) => choose({ range, userId: id })} />
      </div>
      {stats.error === null || stats.data !== undefined ? (
        <StatsChart points={stats.data} from={from} to={to} height={320} />
      ) : (
        <ErrorState error={stats.error} onRetry={() => void stats.refetch()} />
      )}
    </>
  );
}

type UserChoiceProps = {
  projectId: number;
  userId: number | undefined;
  onChange: (userId: number | undefined) => void;
};

function UserChoice({ projectId, userId, onChange }: UserChoiceProps) {
  const { data: members = [] } = useQuery(membersQuery(projectId));
  const everybody = { value: '', label: t('stats.allUsers') };
  const people = members.map(({ id, name, username }) => ({ value: String(id), label: `${name} (${username})` }));
  const isKnown = userId === undefined || members.some(({ id }) => id === userId);
  // A link may name somebody who has left the team: what he launched still counts.
  const former = isKnown ? [] : [{ value: String(userId), label: t('stats.userNumber', { id: userId }) }];
  return (
    <Select
      className={css.user}
      aria-label={t('stats.user')}
      data={[everybody, ...people, ...former]}
      value={userId === undefined ? '' : String(userId)}
      searchable
      onChange={(value) => onChange(value === null || value === '' ? undefined : Number(value))}
    />
  );
}

type StatsSearch = { range: StatsRange; userId: number | undefined };

/** Range and user, kept in the address; what is the default leaves no trace there. */
function useStatsSearch(): [StatsSearch, (next: StatsSearch) => void] {
  const { range, user }: { range?: unknown; user?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const id = Number(user);
  const choose = (next: StatsSearch): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({
        ...before,
        range: next.range === 'week' ? undefined : next.range,
        user: next.userId,
      }),
    });
  return [{ range: readRange(range), userId: Number.isInteger(id) && id > 0 ? id : undefined }, choose];
}
