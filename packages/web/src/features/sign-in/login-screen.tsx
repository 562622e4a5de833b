import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiError, describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { Logo } from '../../ui/logo.tsx';
import { loginOptionsQuery, useSignIn } from './data.ts';
import { LoginForm } from './login-form.tsx';
import css from './login-screen.module.css';

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }));

/** The words for a refused sign-in; the same for a wrong name and a wrong password. */
function wordRefusal(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return t('signIn.wrong');
  if (error instanceof ApiError && error.status === 429) return t('signIn.tooMany');
  return describeError(error);
}

export function LoginScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const { data: options, error } = useQuery(loginOptionsQuery);
  const signIn = useSignIn();
  // Undefined until it is first asked for, so that a visitor who knows the way does not load it.
  const [isHelpOpen, setHelpOpen] = useState<boolean>();
  usePage(t('signIn.title'));
  const failure = signIn.error ?? error;
  return (
    <main className={css.screen}>
      <div className={css.column}>
        <h1 className={css.brand}>
          <Logo />
          Signalbox
        </h1>
        <div className={css.card}>
          <LoginForm
            providers={options?.oidc_providers ?? []}
            hasPassword={options?.login_with_password ?? true}
            isBusy={signIn.isPending}
            error={failure === null ? undefined : wordRefusal(failure)}
            onSubmit={(credentials) => signIn.mutate(credentials, { onSuccess: onSignedIn })}
          />
        </div>
        <button type="button" className={css.help} onClick={() => setHelpOpen(true)}>
          {t('signIn.help')}
        </button>
      </div>
      {isHelpOpen === undefined ? null : (
        <Suspense>
          <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </main>
  );
}
