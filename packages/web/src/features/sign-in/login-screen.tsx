import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { Logo } from '../../ui/logo.tsx';
import { loginOptionsQuery, useSignIn } from './data.ts';
import { LoginForm } from './login-form.tsx';
import css from './login-screen.module.css';
import { wordFailure, wordRefusal } from './refusal.ts';

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }));
const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

type LoginScreenProps = {
  /** The password was right, and the second step is open. */
  isUnverified: boolean;
  /** Why a sign-in with a provider has failed just now, as the server's code. */
  failure: string | undefined;
  onSignedIn: () => void;
  /** Ends a half-done sign-in, so that somebody else can sign in. */
  onGiveUp: () => void;
};

export function LoginScreen({ isUnverified, failure, onSignedIn, onGiveUp }: LoginScreenProps) {
  const { data: options, error } = useQuery(loginOptionsQuery);
  const signIn = useSignIn();
  // Undefined until it is first asked for, so that a visitor who knows the way does not load it.
  const [isHelpOpen, setHelpOpen] = useState<boolean>();
  usePage(t(isUnverified ? 'signIn.secondStep' : 'signIn.title'));
  const refusal = signIn.error ?? error;
  const told = failure === undefined ? undefined : wordFailure(failure);
  return (
    <main className={css.screen}>
      <div className={css.column}>
        <h1 className={css.brand}>
          <Logo />
          Signalbox
        </h1>
        <div className={css.card}>
          {isUnverified ? (
            <Suspense>
              <SecondStep
                canRecover={options?.auth_methods.totp?.allow_recovery ?? false}
                onSignedIn={onSignedIn}
                onGiveUp={onGiveUp}
              />
            </Suspense>
          ) : (
            <LoginForm
              providers={options?.oidc_providers ?? []}
              hasPassword={options?.login_with_password ?? true}
              demo={options?.demo}
              isBusy={signIn.isPending}
              error={refusal === null ? told : wordRefusal(refusal, 'signIn.wrong')}
              onSubmit={(credentials) => signIn.mutate(credentials, { onSuccess: onSignedIn })}
            />
          )}
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
