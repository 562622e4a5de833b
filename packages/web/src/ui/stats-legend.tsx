import { IconCircleCheck, IconCircleX, IconSquare } from '@tabler/icons-react';
import { type MessageKey, t } from '../lib/i18n.ts';
import css from './stats-chart.module.css';
import type { StatsCounts } from './stats-points.ts';
import { formatNumber } from './stats-words.ts';

type Entry = { status: keyof StatsCounts; label: MessageKey; colour: string; icon: typeof IconSquare };

const entries: Entry[] = [
  { status: 'success', label: 'status.success', colour: 'success', icon: IconCircleCheck },
  { status: 'error', label: 'status.error', colour: 'failed', icon: IconCircleX },
  { status: 'stopped', label: 'status.stopped', colour: 'stopped', icon: IconSquare },
];

/** How many tasks ended in which way: the colours of the picture with their words. */
export function StatsLegend({ counts }: { counts: StatsCounts }) {
  return (
    <dl className={css.legend}>
      {entries.map(({ status, label, colour, icon: Icon }) => (
        <div key={status} className={css.entry}>
          <dt data-colour={colour}>
            <Icon size={15} stroke={1.8} aria-hidden />
            {t(label)}
          </dt>
          <dd>{formatNumber(counts[status])}</dd>
        </div>
      ))}
    </dl>
  );
}
