import { Select } from '@mantine/core';
import { type TaskStatus, taskStatuses } from '@signalbox/contract/task-state';
import { t } from '../../lib/i18n.ts';
import { nameStatus } from '../../ui/status-badge.tsx';
import css from './history.module.css';

type StatusFilterProps = { status: TaskStatus | undefined; onChange: (status: TaskStatus | undefined) => void };

export function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <Select
      className={css.filter}
      aria-label={t('history.statusChoice')}
      data={[
        { value: '', label: t('history.allStatuses') },
        ...taskStatuses.map((value) => ({ value, label: nameStatus(value) })),
      ]}
      value={status ?? ''}
      onChange={(value) => onChange(taskStatuses.find((known) => known === value))}
    />
  );
}
