import type { Vault } from '@signalbox/contract/templates';
import { t } from '../../lib/i18n.ts';

/** A vault in the form. `key` tells its row apart from the others while it has no id. */
export type VaultDraft = {
  key: string;
  id: number | undefined;
  /** Empty = the default vault. */
  name: string;
  type: 'password' | 'script';
  vaultKeyId: string | null;
  script: string;
};

let made = 0;

export function newVault(): VaultDraft {
  made += 1;
  return { key: `new-${made}`, id: undefined, name: '', type: 'password', vaultKeyId: null, script: '' };
}

export function vaultDraftOf(vault: Vault): VaultDraft {
  return {
    ...newVault(),
    id: vault.id ?? undefined,
    name: vault.name ?? '',
    type: vault.type,
    vaultKeyId: vault.vault_key_id ? String(vault.vault_key_id) : null,
    script: vault.script ?? '',
  };
}

/** Names are lower case on the command line of Ansible, so they are from the start. */
function normalizeName(name: string): string {
  return name.trim().toLowerCase();
}

export function vaultOf(vault: VaultDraft): Vault {
  const isPassword = vault.type === 'password';
  const name = normalizeName(vault.name);
  return {
    ...(vault.id === undefined ? {} : { id: vault.id }),
    name: name === '' ? null : name,
    type: vault.type,
    vault_key_id: isPassword && vault.vaultKeyId !== null ? Number(vault.vaultKeyId) : null,
    script: isPassword ? null : vault.script.trim(),
  };
}

const scriptName = /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))(?:.*\/)?[^/]*-client(?:\.[^./]+)?$/;

/** What is wrong with the vaults, by `vaults.{place}.{field}`. */
export function findVaultProblems(vaults: readonly VaultDraft[]): Record<string, string> {
  const names = vaults.map(({ name }) => normalizeName(name));
  const found = vaults.flatMap((vault, at) => {
    const name = findNameProblem(names, at);
    const key = vault.type === 'password' && vault.vaultKeyId === null;
    const script = vault.type === 'script' ? findScriptProblem(vault.script.trim()) : undefined;
    return [
      [`vaults.${at}.name`, name],
      [`vaults.${at}.vault_key_id`, key ? t('field.required', { field: t('templates.vaultKey') }) : undefined],
      [`vaults.${at}.script`, script],
    ].filter((problem): problem is [string, string] => problem[1] !== undefined);
  });
  return Object.fromEntries(found);
}

function findNameProblem(names: readonly string[], at: number): string | undefined {
  const name = names[at] ?? '';
  if (names.indexOf(name) < at) return t(name === '' ? 'templates.twoDefaults' : 'templates.vaultTwice');
  return /^[a-z0-9_.-]{0,100}$/.test(name) ? undefined : t('templates.vaultName');
}

function findScriptProblem(script: string): string | undefined {
  if (script === '') return t('field.required', { field: t('templates.vaultScript') });
  return scriptName.test(script) ? undefined : t('templates.vaultScriptName');
}
