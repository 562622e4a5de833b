import { type RoleName, roles } from '@signalbox/contract/permissions';
import * as z from 'zod/mini';
import { ldapSettings, readDirectory } from './config-ldap.ts';
import { readProviders } from './config-oidc.ts';
import { fail, parseNested, readJsonText, refuseSetting, setting, Word } from './config-values.ts';

/** What rules and `user_identity` call the directory; providers have ids of their own. */
export const directoryName = 'ldap';

const Rule = z.strictObject({
  provider: z.optional(Word),
  group: z.optional(Word),
  claim: z.optional(Word),
  value: z.optional(Word),
  admin: z.optional(z.literal(true)),
  project: z.optional(z.union([z.int().check(z.positive()), Word])),
  role: z.optional(z.enum(roles)),
});

/** Who has the group, or the value in the claim, gets the flag, the role, or both. */
export type SignInRule = {
  /** Undefined where there is only one way to sign in from outside. */
  readonly provider: string | undefined;
  readonly condition: { readonly group: string } | { readonly claim: string; readonly value: string };
  readonly admin: boolean;
  /** An id, or a name. */
  readonly member: { readonly project: number | string; readonly role: RoleName } | undefined;
};

function readRules(value: unknown): SignInRule[] {
  return parseNested(z.array(Rule), readJsonText(value), 'a JSON array of rules').map(toRule);
}

function toRule({ provider, group, claim, value, admin, project, role }: z.infer<typeof Rule>, at: number): SignInRule {
  const place = `in rule ${at + 1}`;
  if ((group === undefined) === (claim === undefined)) return fail(`needs either "group" or "claim" ${place}`);
  if ((claim === undefined) !== (value === undefined)) return fail(`needs "value" beside "claim" ${place}`);
  if ((project === undefined) !== (role === undefined)) return fail(`needs "project" and "role" together ${place}`);
  if (admin === undefined && role === undefined) return fail(`gives nothing ${place}`);
  const condition = group === undefined ? { claim: claim ?? '', value: value ?? '' } : { group };
  const member = project === undefined || role === undefined ? undefined : { project, role };
  return { provider, condition, admin: admin === true, member };
}

/** Settings of the ways to sign in that lie outside, and of what those give, by their keys; see config.ts. */
export const signInSettings = {
  oidc_providers: z._default(setting(readProviders), []),
  ...ldapSettings,
  sign_in_rules: z._default(setting(readRules), []),
};
type Values = z.infer<z.ZodMiniObject<typeof signInSettings>>;

/** @throws StartRefusal with the name of the variable that is missing or contradicts another. */
export function readSignIn(values: Values) {
  const { oidc_providers: providers, sign_in_rules: rules } = values;
  const directory = readDirectory(values);
  if (providers.some(({ id }) => id === directoryName)) {
    throw refuseSetting('oidc_providers', `has "${directoryName}", which is what the directory is called`);
  }
  const sources = [...providers.map(({ id }) => id), ...(directory ? [directoryName] : [])];
  for (const [at, { provider }] of rules.entries()) {
    // Who controls one provider must not hand out the groups of another.
    if (provider === undefined && sources.length > 1) {
      throw refuseSetting('sign_in_rules', `must name a provider in rule ${at + 1}: there are ${sources.join(', ')}`);
    }
  }
  return { providers, directory, rules };
}
