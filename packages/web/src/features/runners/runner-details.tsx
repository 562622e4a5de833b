import type { StrayMode } from '@signalbox/contract/runner-protocol';
import type { Runner } from '@signalbox/contract/runners';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { KeyValueCard } from '../../ui/key-value-card.tsx';
import { Tag } from '../../ui/tag.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './runners.module.css';

const isolation: Record<StrayMode, MessageKey> = {
  cgroup: 'runners.cgroup',
  uid: 'runners.uid',
  scan: 'runners.scan',
};

/** What a runner's newest process says of itself, under its row. */
export function RunnerDetails({ runner, span }: { runner: Runner; span: number }) {
  const { tools, stray_mode: mode, hostname, version, last_seen: lastSeen } = runner;
  return (
    <tr className={css.details}>
      <td colSpan={span}>
        <KeyValueCard
          facts={[
            {
              label: t('runners.lastSeen'),
              value: lastSeen === null ? t('runners.neverSeen') : <TimeAgo time={lastSeen} />,
            },
            { label: t('runners.hostname'), value: hostname, mono: true },
            { label: t('runners.version'), value: version, mono: true },
            { label: t('runners.isolation'), value: mode === null ? null : t(isolation[mode]) },
            { label: t('runners.tools'), value: tools.length === 0 ? null : <Tools runner={runner} /> },
            { label: t('runners.since'), value: <TimeAgo time={runner.created} /> },
          ]}
        />
      </td>
    </tr>
  );
}

function Tools({ runner }: { runner: Runner }) {
  return (
    <span className={css.tools}>
      {runner.tools.map(({ name, version, path }) => (
        <span key={name} title={`${path}\n${version}`}>
          <Tag>{name}</Tag>
        </span>
      ))}
    </span>
  );
}
