import { Loader } from '@mantine/core';
import { t } from '../lib/i18n.ts';
import css from './pages.module.css';

export function LoadingPage() {
  return (
    <div className={css.middle} role="status" aria-label={t('ui.loading')}>
      <Loader size={26} color="var(--muted)" />
    </div>
  );
}
