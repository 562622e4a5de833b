import { Vault } from '@signalbox/contract/templates';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

export type VaultDraft = {
  key: string;
  id: number | undefined;
  /** Empty is the default vault. */
  name: string;
  type: 'password' | 'script';
  keyId: string | null;
  script: string;
};

let lastKey = 0;

export function makeVaultDraft(vault?: Vault): VaultDraft {
  lastKey += 1;
  return {
    key: `vault-${lastKey}`,
    id: vault?.id ?? undefined,
    name: vault?.name ?? '',
    type: vault?.type ?? 'password',
    keyId: vault?.vault_key_id ? String(vault.vault_key_id) : null,
    script: vault?.script ?? '',
  };
}

export function draftVaults(vaults: readonly Vault[]): VaultDraft[] {
  return vaults.map(makeVaultDraft);
}

function toVault(draft: VaultDraft): Vault {
  const name = draft.name.trim().toLowerCase();
  const isPassword = draft.type === 'password';
  return {
    ...(draft.id === undefined ? {} : { id: draft.id }),
    name: name === '' ? null : name,
    type: draft.type,
    vault_key_id: isPassword && draft.keyId !== null ? Number(draft.keyId) : null,
    script: isPassword ? null : draft.script.trim(),
  };
}

export function toVaults(drafts: readonly VaultDraft[]): Vault[] {
  return drafts.map(toVault);
}

/** The first thing that is wrong with the list, as a sentence. */
export function findVaultProblems(drafts: readonly VaultDraft[]): string | undefined {
  const vaults = toVaults(drafts);
  const names = vaults.map(({ name }) => name ?? '');
  if (names.filter((name) => name === '').length > 1) return t('vaults.oneDefault');
  if (new Set(names).size < names.length) return t('vaults.nameTaken');
  for (const vault of vaults) {
    if (vault.type === 'password' && vault.vault_key_id === null)
      return t('field.required', { field: t('vaults.key') });
    if (vault.type === 'script' && vault.script === '') return t('field.required', { field: t('vaults.script') });
    const titles = { name: t('vaults.name'), script: t('vaults.script') };
    const [problem] = Object.values(findProblems(Vault, vault, titles));
    if (problem !== undefined) return problem;
  }
  return undefined;
}
