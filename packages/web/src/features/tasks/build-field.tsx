import { Select } from '@mantine/core';
import type { TaskItem } from '@signalbox/contract/tasks';
import { formatShortMoment, parseTime } from '../../lib/dates.ts';
import { t } from '../../lib/i18n.ts';
import { useNow } from '../../lib/use-now.ts';

type BuildFieldProps = {
  /** Undefined while they are fetched. */
  builds: readonly TaskItem[] | undefined;
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

/** Which of the successful builds is deployed. */
export function BuildField({ builds, value, error, onChange }: BuildFieldProps) {
  const now = useNow(60_000);
  return (
    <Select
      label={t('launch.build')}
      withAsterisk
      allowDeselect={false}
      data={(builds ?? []).map((build) => ({ value: String(build.id), label: describeBuild(build, now) }))}
      value={value}
      error={error}
      searchable={(builds?.length ?? 0) > 8}
      placeholder={t(builds === undefined ? 'ui.loading' : 'launch.choose')}
      description={builds?.length === 0 ? t('launch.noBuilds') : undefined}
      onChange={onChange}
    />
  );
}

/** 2.14.7 · built 21 m ago · Fix the login */
function describeBuild({ id, version, end, message }: TaskItem, now: number): string {
  const built = end === null ? '' : t('launch.built', { when: formatShortMoment(parseTime(end), now) });
  return [version ?? `#${id}`, built, message].filter((part) => part !== '').join(' · ');
}
