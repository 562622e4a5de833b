import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import type { SecretType } from '@signalbox/contract/environments';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { SecretDraft } from './environment-draft.ts';
import css from './environments.module.css';
import { makeRow } from './variables-draft.ts';

type SecretsFieldProps = {
  value: SecretDraft[];
  onChange: (value: SecretDraft[]) => void;
  error: ReactNode;
};

/** Secrets by name and type. A stored value is never shown; it can be replaced or removed. */
export function SecretsField({ value, onChange, error }: SecretsFieldProps) {
  const addButton = useRef<HTMLButtonElement>(null);
  const handleSecret = (key: string, change: Partial<SecretDraft>): void =>
    onChange(value.map((secret) => (secret.key === key ? { ...secret, ...change } : secret)));
  const handleAdd = (): void =>
    onChange([...value, { key: `new-${makeRow().key}`, id: undefined, type: 'var', name: '', value: '' }]);
  const handleRemove = (key: string): void => {
    onChange(value.filter((secret) => secret.key !== key));
    // The button that had the focus is gone; without it the keyboard would fall out of the dialog.
    addButton.current?.focus();
  };
  const types = [
    { value: 'var', label: t('environments.secretVar') },
    { value: 'env', label: t('environments.secretEnv') },
  ];
  return (
    <section aria-label={t('environments.secrets')}>
      <div className={css.head}>
        <h3 className={css.label}>{t('environments.secrets')}</h3>
      </div>
      <div className={css.rows}>
        {value.map((secret) => (
          <div key={secret.key} className={css.secret}>
            <TextInput
              aria-label={t('environments.secretName')}
              placeholder={t('environments.secretName')}
              value={secret.name}
              spellCheck={false}
              autoComplete="off"
              autoFocus={secret.id === undefined && secret.name === ''}
              onChange={(event) => handleSecret(secret.key, { name: event.currentTarget.value })}
            />
            <Select
              aria-label={t('environments.secretTypeOf', { name: secret.name })}
              data={types}
              value={secret.type}
              onChange={(type) => handleSecret(secret.key, { type: (type ?? 'var') as SecretType })}
            />
            <IconButton
              label={t('environments.removeSecret', { name: secret.name })}
              onClick={() => handleRemove(secret.key)}
            >
              <IconX size={16} stroke={1.7} />
            </IconButton>
            <PasswordInput
              className={css.value}
              aria-label={t('environments.secretValueOf', { name: secret.name })}
              placeholder={secret.id === undefined ? t('environments.secretValue') : t('environments.secretStored')}
              value={secret.value}
              autoComplete="new-password"
              onChange={(event) => handleSecret(secret.key, { value: event.currentTarget.value })}
            />
          </div>
        ))}
        <Button
          ref={addButton}
          className={css.add}
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.7} />}
          onClick={handleAdd}
        >
          {t('environments.addSecret')}
        </Button>
      </div>
      {error === undefined ? null : <div className={css.error}>{error}</div>}
      <p className={css.description}>{t('environments.secretsHint')}</p>
    </section>
  );
}
