import { type Key, KeyInput, type KeyType } from '@signalbox/contract/keys';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

/** What the form holds: the members of both kinds of secret side by side, so that changing the type loses nothing. */
export type KeyDraft = {
  name: string;
  type: KeyType | null;
  login: string;
  password: string;
  passphrase: string;
  privateKey: string;
  overrideSecret: boolean;
};

export function draftOf(key: Key | undefined): KeyDraft {
  return {
    name: key?.name ?? '',
    type: key?.type ?? null,
    login: '',
    password: '',
    passphrase: '',
    privateKey: '',
    overrideSecret: false,
  };
}

/** The secret of a stored key is changed only on purpose. */
export function isSecretEditable(draft: KeyDraft, isNew: boolean): boolean {
  return isNew || draft.overrideSecret;
}

export function toKeyInput(draft: KeyDraft, isNew: boolean): KeyInput {
  const { name, type, login, password, passphrase, privateKey } = draft;
  const input: KeyInput = { name: name.trim(), type: type ?? 'none' };
  if (!isSecretEditable(draft, isNew)) return input;
  if (type === 'login_password') return { ...input, login_password: { login, password } };
  // A key file ends with a line feed; one that was lost while it was copied makes ssh refuse the key.
  if (type === 'ssh') return { ...input, ssh: { login, passphrase, private_key: `${privateKey.trim()}\n` } };
  return input;
}

/** Problems by field of the draft. */
export function findKeyProblems(draft: KeyDraft, isNew: boolean): Partial<Record<keyof KeyDraft, string>> {
  const problems: Partial<Record<keyof KeyDraft, string>> = findProblems(KeyInput, toKeyInput(draft, isNew), {
    name: t('keys.name'),
  });
  if (!isSecretEditable(draft, isNew)) return problems;
  if (draft.type === null) problems.type = t('field.required', { field: t('keys.type') });
  if (draft.type === 'login_password' && draft.password === '') {
    problems.password = t('field.required', { field: t('keys.password') });
  }
  if (draft.type === 'ssh' && draft.privateKey.trim() === '') {
    problems.privateKey = t('field.required', { field: t('keys.privateKey') });
  }
  return problems;
}
