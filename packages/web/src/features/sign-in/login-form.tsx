import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Credentials, type OidcProvider } from '@signalbox/contract/auth';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import css from './login-screen.module.css';
import { ProviderButtons } from './provider-buttons.tsx';

type LoginFormProps = {
  providers: OidcProvider[];
  hasPassword: boolean;
  isBusy: boolean;
  error: string | undefined;
  onSubmit: (credentials: Credentials) => void;
};

export function LoginForm({ providers, hasPassword, isBusy, error, onSubmit }: LoginFormProps) {
  const [draft, setDraft] = useState<Credentials>({ auth: '', password: '' });
  const [problems, setProblems] = useState<Record<string, string>>({});
  const password = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // A refused password is typed again: it is there, selected, and under the cursor.
    if (error !== undefined) password.current?.select();
  }, [error]);

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const found = findProblems(Credentials, draft, { auth: t('signIn.username'), password: t('signIn.password') });
    setProblems(found);
    if (Object.keys(found).length === 0) onSubmit(draft);
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
        </form>
      ) : (
        <FormBanner>{error}</FormBanner>
      )}
      <ProviderButtons providers={providers} hasRule={hasPassword} />
    </>
  );
}
