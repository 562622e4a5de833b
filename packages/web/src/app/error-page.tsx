import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { describeError } from '../lib/failure.ts';
import { t } from '../lib/i18n.ts';
import { Logo } from '../ui/logo.tsx';
import css from './pages.module.css';
import { signOut } from './sign-out.ts';

/** The start failed, or a screen broke: what happened, and the two ways out. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <div className={`${css.middle} ${css.full}`} role="alert">
      <Logo size={36} />
      <h1 className={css.title}>{t('app.error')}</h1>
      <p className={css.text}>{describeError(error)}</p>
      <div className={css.actions}>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('app.refreshPage')}
        </Button>
        <Button onClick={() => void signOut()}>{t('app.reLogin')}</Button>
      </div>
    </div>
  );
}
