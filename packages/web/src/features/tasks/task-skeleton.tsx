import { Skeleton } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import css from './task.module.css';

/** The shape of a task while it is fetched. */
export function TaskSkeleton() {
  return (
    <div className={css.task} role="status" aria-label={t('ui.loading')}>
      <div className={css.header}>
        <Skeleton width={280} height={24} />
      </div>
      <div className={css.columns}>
        <div className={css.log}>
          <Skeleton height="100%" />
        </div>
        <div className={css.facts}>
          <Skeleton height={280} />
        </div>
      </div>
    </div>
  );
}
