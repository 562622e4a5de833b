import { Anchor, Menu } from '@mantine/core';
import type { TaskItem } from '@signalbox/contract/tasks';
import { IconChevronDown, IconHistory } from '@tabler/icons-react';
import { describeStarter } from '../../lib/describe-starter.ts';
import { t } from '../../lib/i18n.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './launch.module.css';

type EarlierTasksProps = { tasks: readonly TaskItem[]; onChoose: (task: TaskItem) => void };

/** Fills the form with the values of the last task, or of one shortly before it. */
export function EarlierTasks({ tasks, onChoose }: EarlierTasksProps) {
  const [last, ...older] = tasks;
  if (last === undefined) return null;
  return (
    <span className={css.reuse}>
      <IconHistory size={17} stroke={1.7} aria-hidden />
      <span>
        {t('launch.useValuesOf')}{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          fw={570}
          aria-label={`${t('launch.useValuesOf')} #${last.id}`}
          onClick={() => onChoose(last)}
        >
          #{last.id}
        </Anchor>
      </span>
      {older.length === 0 ? null : (
        <Menu position="top-start">
          <Menu.Target>
            <button type="button" className={css.older} aria-label={t('launch.olderTasks')}>
              <IconChevronDown size={15} stroke={1.8} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t('launch.useValuesOf')}</Menu.Label>
            {older.map((task) => (
              <Menu.Item
                key={task.id}
                rightSection={<StatusBadge status={task.status} />}
                onClick={() => onChoose(task)}
              >
                #{task.id} · {describeStarter(task)} · <TimeAgo time={task.start ?? task.created} short />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}
