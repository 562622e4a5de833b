import type { RoleName } from '@signalbox/contract/permissions';
import { MemberInput } from '@signalbox/contract/team';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';

/** Ids are texts here: a list of choices knows no numbers. */
export type MemberDraft = { user_id: string | null; role: RoleName | null };

/** Title of every field that the server may refuse, by its name on the wire. */
export function listMemberTitles(): Record<string, string> {
  return { user_id: t('team.user'), role: t('team.role') };
}

export function toMemberInput({ user_id: userId, role }: MemberDraft): {
  user_id: number | null;
  role: RoleName | null;
} {
  return { user_id: userId === null ? null : Number(userId), role };
}

export function findMemberProblems(draft: MemberDraft): Record<string, string> {
  return findProblems(MemberInput, toMemberInput(draft), listMemberTitles());
}
