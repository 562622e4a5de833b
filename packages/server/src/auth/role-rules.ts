import { type RoleName, roles } from '@signalbox/contract/permissions';
import type { SignInRule } from '../config-sign-in.ts';
import { type Claims, readClaimValues } from './claims.ts';

/** What rules look at. */
export type Evidence = {
  /** Id of the provider, or the name of the directory. */
  readonly provider: string;
  readonly claims: Claims;
  readonly groups: readonly string[];
  /** Directories name groups by DNs, in any spelling. */
  readonly isSameGroup: (one: string, other: string) => boolean;
};

export type Grants = {
  readonly admin: boolean;
  /** By project, as the rules name it: id or name. */
  readonly roles: ReadonlyMap<number | string, RoleName>;
};

/** What the rules give to somebody. Of several roles in one project the highest holds. */
export function chooseGrants(rules: readonly SignInRule[], evidence: Evidence): Grants {
  const matching = rules.filter((rule) => matches(rule, evidence));
  const chosen = new Map<number | string, RoleName>();
  for (const { member } of matching) {
    if (member === undefined) continue;
    chosen.set(member.project, higherRole(chosen.get(member.project), member.role));
  }
  return { admin: matching.some(({ admin }) => admin), roles: chosen };
}

/** The claims that rules for one provider look at. */
export function listAskedClaims(rules: readonly SignInRule[], provider: string, groupsClaim: string): string[] {
  return rules
    .filter((rule) => rule.provider === undefined || rule.provider === provider)
    .map(({ condition }) => ('group' in condition ? groupsClaim : condition.claim));
}

function matches({ provider, condition }: SignInRule, evidence: Evidence): boolean {
  if (provider !== undefined && provider !== evidence.provider) return false;
  if ('group' in condition) return evidence.groups.some((group) => evidence.isSameGroup(group, condition.group));
  return readClaimValues(condition.claim, evidence.claims).includes(condition.value);
}

/** The list of roles begins with the highest. */
export function higherRole(one: RoleName | undefined, other: RoleName): RoleName {
  return one !== undefined && roles.indexOf(one) < roles.indexOf(other) ? one : other;
}
