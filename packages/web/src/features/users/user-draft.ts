import { type User, UserChange, UserInput } from '@signalbox/contract/users';
import { type FieldTitles, findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import type { UserSave } from './data.ts';

export type UserDraft = {
  name: string;
  username: string;
  email: string;
  password: string;
  admin: boolean;
  external: boolean;
  alert: boolean;
};

export function draftOf(user: User | undefined): UserDraft {
  const { name = '', username = '', email = '', admin = false, external = false, alert = false } = user ?? {};
  return { name, username, email, password: '', admin, external, alert };
}

/** What may be changed: of an external user neither what comes from elsewhere nor a password. */
export function listLocked(user: User | undefined, draft: UserDraft): { identity: boolean; password: boolean } {
  return { identity: user?.external === true, password: draft.external };
}

export function toUserSave(user: User | undefined, draft: UserDraft, canSetAdmin: boolean): UserSave {
  const { name, username, email, password, admin, external, alert } = draft;
  if (user === undefined) {
    const secret = external ? {} : { password };
    return { id: undefined, input: { name, username, email, admin, external, alert, ...secret } };
  }
  return {
    id: user.id,
    input: {
      name,
      alert,
      ...(user.external ? {} : { username, email }),
      // Nobody sends a flag that he may not change.
      ...(canSetAdmin && admin !== user.admin ? { admin } : {}),
    },
  };
}

export function listTitles(): FieldTitles {
  return {
    name: t('users.name'),
    username: t('users.username'),
    email: t('users.email'),
    password: t('users.password'),
    admin: t('users.admin'),
  };
}

export function findUserProblems(user: User | undefined, draft: UserDraft): Record<string, string> {
  const { input } = toUserSave(user, draft, false);
  const problems = findProblems(user === undefined ? UserInput : UserChange, input, listTitles());
  // An account may have none, as the first administrator's; whoever has one cannot take it away.
  const mayBeEmpty = user !== undefined && (user.external || user.email === '');
  if (draft.email.trim() === '' && !mayBeEmpty) problems.email = t('field.required', { field: t('users.email') });
  if (user === undefined && !draft.external && draft.password.trim() === '') {
    problems.password = t('field.required', { field: t('users.password') });
  }
  return problems;
}
