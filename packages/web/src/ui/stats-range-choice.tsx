import { SegmentedControl } from '@mantine/core';
import { type MessageKey, t } from '../lib/i18n.ts';
import { readRange, type StatsRange, statsRanges } from '../lib/stats-range.ts';

const words: Record<StatsRange, MessageKey> = { week: 'stats.week', month: 'stats.month', year: 'stats.year' };

type StatsRangeChoiceProps = { value: StatsRange; onChange: (range: StatsRange) => void };

/** How far back statistics go. */
export function StatsRangeChoice({ value, onChange }: StatsRangeChoiceProps) {
  return (
    <SegmentedControl
      aria-label={t('stats.range')}
      data={statsRanges.map((range) => ({ value: range, label: t(words[range]) }))}
      value={value}
      onChange={(range) => onChange(readRange(range))}
    />
  );
}
