import { Button, Select, TextInput } from '@mantine/core';
import type { Key } from '@signalbox/contract/keys';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import css from './form.module.css';
import { newVault, type VaultDraft } from './vault-draft.ts';

type VaultsEditorProps = {
  value: VaultDraft[];
  keys: readonly Key[];
  errors: Record<string, string>;
  onChange: (value: VaultDraft[]) => void;
};

/** The vaults that Ansible opens for this template: one without a name, and any number with one. */
export function VaultsEditor({ value, keys, errors, onChange }: VaultsEditorProps) {
  const passwords = keys.filter(({ type }) => type === 'login_password');
  const addButton = useRef<HTMLButtonElement>(null);
  const change = (at: number, next: Partial<VaultDraft>): void =>
    onChange(value.map((old, other) => (other === at ? { ...old, ...next } : old)));
  const handleRemove = (at: number): void => {
    onChange(value.filter((_, other) => other !== at));
    // The button that had the focus is gone; without it the keyboard would fall out of the form.
    addButton.current?.focus();
  };
  return (
    <div>
      {value.map((vault, at) => (
        <div key={vault.key} className={css.vault}>
          <TextInput
            label={t('templates.vaultNameLabel')}
            placeholder={t('templates.vaultDefault')}
            value={vault.name}
            error={errors[`vaults.${at}.name`]}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <Select
            label={t('templates.vaultType')}
            data={[
              { value: 'password', label: t('templates.vaultPassword') },
              { value: 'script', label: t('templates.vaultScript') },
            ]}
            value={vault.type}
            onChange={(type) => change(at, { type: type === 'script' ? 'script' : 'password' })}
          />
          {vault.type === 'password' ? (
            <Select
              label={t('templates.vaultKey')}
              withAsterisk
              placeholder={t('templates.choose')}
              nothingFoundMessage={t('templates.noPasswordKey')}
              description={passwords.length === 0 ? t('templates.noPasswordKey') : undefined}
              data={passwords.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={vault.vaultKeyId}
              error={errors[`vaults.${at}.vault_key_id`]}
              onChange={(vaultKeyId) => change(at, { vaultKeyId })}
            />
          ) : (
            <TextInput
              label={t('templates.vaultScript')}
              withAsterisk
              placeholder="vault/open-client.sh"
              value={vault.script}
              error={errors[`vaults.${at}.script`]}
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => change(at, { script: event.currentTarget.value })}
            />
          )}
          <div className={css.vaultRemove}>
            <IconButton
              label={t('templates.removeVault', { name: vault.name || t('templates.vaultDefault') })}
              onClick={() => handleRemove(at)}
            >
              <IconTrash size={16} stroke={1.7} />
            </IconButton>
          </div>
        </div>
      ))}
      {errors.vaults === undefined ? null : <p className={css.error}>{errors.vaults}</p>}
      <Button
        ref={addButton}
        leftSection={<IconPlus size={16} stroke={1.7} />}
        onClick={() => onChange([...value, newVault()])}
      >
        {t('templates.addVault')}
      </Button>
    </div>
  );
}
