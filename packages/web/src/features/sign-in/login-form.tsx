import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Credentials, type LoginOptions, type OidcProvider } from '@signalbox/contract/auth';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { useOnce } from '../../lib/use-once.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import css from './login-screen.module.css';
import { ProviderButtons } from './provider-buttons.tsx';

type LoginFormProps = {
  providers: OidcProvider[];
  hasPassword: boolean;
  /** The account that a public demo shows to everybody. */
  demo: LoginOptions['demo'];
  isBusy: boolean;
  error: string | undefined;
  onSubmit: (credentials: Credentials) => void;
};

export function LoginForm({ providers, hasPassword, demo, isBusy, error, onSubmit }: LoginFormProps) {
  const [draft, setDraft] = useState<Credentials>({ auth: '', password: '' });
  const [problems, setProblems] = useState<Record<string, string>>({});
  const password = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // A refused password is typed again: it is there, selected, and under the cursor.
    if (error !== undefined && password.current?.value !== '') password.current?.select();
  }, [error]);

  const submit = useOnce(onSubmit);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const found = findProblems(Credentials, draft, { auth: t('signIn.username'), password: t('signIn.password') });
    setProblems(found);
    if (Object.keys(found).length === 0) submit(draft);
  };
  const handleChange = (change: Partial<Credentials>): void => {
    setDraft((before) => ({ ...before, ...change }));
    setProblems({});
  };
  return (
    <>
      {hasPassword ? (
        <form className={css.form} onSubmit={handleSubmit} noValidate>
          <FormBanner>{error}</FormBanner>
          <TextInput
            label={t('signIn.usernameOrEmail')}
            name="auth"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={draft.auth}
            error={problems.auth}
            onChange={(event) => handleChange({ auth: event.currentTarget.value })}
          />
          <PasswordInput
            ref={password}
            label={t('signIn.password')}
            name="password"
            autoComplete="current-password"
            value={draft.password}
            error={problems.password}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword'), tabIndex: 0 }}
            onChange={(event) => handleChange({ password: event.currentTarget.value })}
          />
          <Button type="submit" variant="primary" size="md" fullWidth loading={isBusy}>
            {t('signIn.submit')}
          </Button>
          {demo === undefined ? null : (
            <DemoAccount {...demo} onUse={() => handleChange({ auth: demo.login, password: demo.password })} />
          )}
        </form>
      ) : (
        <FormBanner>{error}</FormBanner>
      )}
      <ProviderButtons providers={providers} hasRule={hasPassword} />
    </>
  );
}

type DemoAccountProps = { login: string; password: string; onUse: () => void };

/** What everybody may sign in with here, and a button that types it. */
function DemoAccount({ login, password, onUse }: DemoAccountProps) {
  return (
    <div className={css.demo} role="note">
      <div>
        <strong>{t('signIn.demo')}</strong>
        <div>
          {t('signIn.username')} <code>{login}</code> · {t('signIn.password')} <code>{password}</code>
        </div>
      </div>
      <Button size="xs" onClick={onUse}>
        {t('signIn.demoUse')}
      </Button>
    </div>
  );
}
