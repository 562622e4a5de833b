import * as z from 'zod/mini';
import { isClaimSetting } from './auth/claims.ts';
import { fail, parseNested, readJsonText, readNamedFile, Word } from './config-values.ts';

const ClaimSetting = Word.check(z.refine(isClaimSetting, 'is neither a claim nor a template of {{ .claim }}'));
/** Everything that travels to a provider is secret: clear text only where it does not leave the machine. */
const ProviderUrl = Word.check(z.refine(isProviderUrl, 'must be an https URL without a query'));

function isProviderUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.hash !== '' || url.search !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

const Endpoint = z.strictObject({
  issuer: Word,
  auth: ProviderUrl,
  token: ProviderUrl,
  userinfo: z.optional(ProviderUrl),
  jwks: z.optional(ProviderUrl),
  algorithms: z.optional(z.array(Word)),
});

const Provider = z.strictObject({
  enabled: z._default(z.boolean(), true),
  client_id: z.optional(Word),
  client_id_file: z.optional(Word),
  client_secret: z.optional(Word),
  client_secret_file: z.optional(Word),
  redirect_url: z.optional(
    Word.check(z.refine((text) => /^https?:\/\/[^?#]+$/.test(text), 'must be a URL without a query')),
  ),
  scopes: z._default(z.array(Word), ['openid', 'profile', 'email']),
  display_name: z.optional(Word),
  color: z._default(z.string(), ''),
  icon: z._default(z.string(), ''),
  order: z._default(z.number(), 0),
  provider_url: z.optional(ProviderUrl),
  endpoint: z.optional(Endpoint),
  username_claim: z._default(ClaimSetting, 'preferred_username'),
  name_claim: z._default(ClaimSetting, 'preferred_username'),
  email_claim: z._default(ClaimSetting, 'email'),
  groups_claim: z._default(Word, 'groups'),
});
const Providers = z.record(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)), Provider);

export type OidcProviderSettings = {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly icon: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** Where the provider sends people back to; by default our own address. */
  readonly redirectUrl: string | undefined;
  readonly scopes: readonly string[];
  /** Where the provider's addresses are found, or those addresses. */
  readonly source: { readonly discover: string } | { readonly endpoint: z.infer<typeof Endpoint> };
  readonly usernameClaim: string;
  readonly nameClaim: string;
  readonly emailClaim: string;
  readonly groupsClaim: string;
};

/** Those that are switched on, in the order of their buttons. */
export function readProviders(value: unknown): OidcProviderSettings[] {
  const providers = parseNested(Providers, readJsonText(value), 'a JSON object of providers by their ids');
  return Object.entries(providers)
    .filter(([, { enabled }]) => enabled)
    .toSorted(([a, one], [b, other]) => one.order - other.order || (a < b ? -1 : 1))
    .map(([id, provider]) => toProvider(id, provider));
}

function toProvider(id: string, provider: z.infer<typeof Provider>): OidcProviderSettings {
  const { provider_url: discover, endpoint } = provider;
  if ((discover === undefined) === (endpoint === undefined)) {
    return fail(`needs either "provider_url" or "endpoint" in "${id}"`);
  }
  const clientId = readEither(`${id}.client_id`, provider.client_id, provider.client_id_file);
  return {
    id,
    name: provider.display_name ?? id,
    color: provider.color,
    icon: provider.icon,
    clientId: clientId ?? fail(`needs "client_id" in "${id}"`),
    clientSecret: readEither(`${id}.client_secret`, provider.client_secret, provider.client_secret_file),
    redirectUrl: provider.redirect_url,
    scopes: [...new Set(['openid', ...provider.scopes])],
    source: endpoint === undefined ? { discover: discover ?? '' } : { endpoint },
    usernameClaim: provider.username_claim,
    nameClaim: provider.name_claim,
    emailClaim: provider.email_claim,
    groupsClaim: provider.groups_claim,
  };
}

/** A value that may stand in a file of its own. */
function readEither(name: string, value: string | undefined, file: string | undefined): string | undefined {
  if (value !== undefined && file !== undefined) return fail(`has both "${name}" and "${name}_file"`);
  if (file === undefined) return value;
  const text = readNamedFile(file);
  return text === '' ? fail(`names ${file} in "${name}_file", which is empty`) : text;
}
