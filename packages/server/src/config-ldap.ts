import * as z from 'zod/mini';
import { isClaimSetting } from './auth/claims.ts';
import { fail, readNamedFile, readText, refuseSetting, Switch, setting } from './config-values.ts';

const Claim = setting((value) => {
  const text = readText(value);
  return isClaimSetting(text) ? text : fail('must be names of attributes, or templates of {{ .name }}');
});
const Text = setting(readText);

/** The settings of the directory by their keys; see config.ts. */
export const ldapSettings = {
  ldap_enable: z._default(Switch, false),
  ldap_server: z.optional(setting(readServer)),
  ldap_needtls: z._default(Switch, true),
  ldap_starttls: z._default(Switch, false),
  ldap_ca_file: z.optional(setting((value) => readNamedFile(readText(value)))),
  ldap_bind_dn: z.optional(Text),
  ldap_bind_password: z.optional(Text),
  ldap_bind_password_file: z.optional(setting((value) => readNamedFile(readText(value)))),
  ldap_search_dn: z.optional(Text),
  ldap_search_filter: z._default(
    setting((value) => readFilter(value, ['%s'])),
    '(uid=%s)',
  ),
  ldap_group_search_dn: z.optional(Text),
  ldap_group_search_filter: z._default(
    setting((value) => readFilter(value, ['%s', '%d'])),
    '(member=%d)',
  ),
  ldap_mapping_dn: z._default(Text, 'dn'),
  ldap_mapping_mail: z._default(Claim, 'mail'),
  ldap_mapping_uid: z._default(Claim, 'uid'),
  ldap_mapping_cn: z._default(Claim, 'cn'),
  ldap_mapping_groups: z._default(Text, 'memberOf'),
};
type Values = z.infer<z.ZodMiniObject<typeof ldapSettings>>;

/** `host`, `host:port` or `[address]:port`. */
function readServer(value: unknown): { host: string; port: number | undefined } {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(readText(value)) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 1) > 65_535) return fail('must be host:port, such as ldap.example.org:636');
  return { host, port: port === undefined ? undefined : Number(port) };
}

/** A filter with one of the placeholders, whose parentheses match. */
function readFilter(value: unknown, placeholders: readonly string[]): string {
  const text = readText(value).trim();
  const found = placeholders.reduce((count, placeholder) => count + text.split(placeholder).length - 1, 0);
  const isBalanced = text.startsWith('(') && text.split('(').length === text.split(')').length;
  if (found !== 1 || !isBalanced)
    return fail(`must be a filter with one ${placeholders.join(' or ')}, such as (uid=%s)`);
  return text;
}

export type DirectorySettings = {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  /** PEM; undefined: what the system trusts. */
  readonly ca: string | undefined;
  /** Undefined: searches are anonymous. */
  readonly bind: { readonly dn: string; readonly password: string } | undefined;
  readonly searchDn: string;
  readonly searchFilter: string;
  readonly groupSearch: { readonly dn: string; readonly filter: string } | undefined;
  /** Which attribute is what. `id` tells an entry from every other, for good. */
  readonly mapping: {
    readonly id: string;
    readonly email: string;
    readonly username: string;
    readonly name: string;
    readonly groups: string;
  };
};

/** Undefined where no directory is asked. @throws StartRefusal with the name of the variable that is missing. */
export function readDirectory(values: Values): DirectorySettings | undefined {
  if (!values.ldap_enable) return undefined;
  const { ldap_server: server, ldap_search_dn: searchDn, ldap_bind_dn: bindDn } = values;
  if (server === undefined) throw refuseSetting('ldap_server', 'is needed by SIGNALBOX_LDAP_ENABLE');
  if (searchDn === undefined) throw refuseSetting('ldap_search_dn', 'is needed by SIGNALBOX_LDAP_ENABLE');
  const password = values.ldap_bind_password ?? values.ldap_bind_password_file;
  if (bindDn !== undefined && (password === undefined || password === '')) {
    throw refuseSetting('ldap_bind_password', 'is needed by SIGNALBOX_LDAP_BIND_DN');
  }
  const security = values.ldap_starttls ? 'starttls' : values.ldap_needtls ? 'tls' : 'none';
  return {
    host: server.host,
    port: server.port ?? (security === 'tls' ? 636 : 389),
    security,
    ca: values.ldap_ca_file,
    bind: bindDn === undefined ? undefined : { dn: bindDn, password: password ?? '' },
    searchDn,
    searchFilter: values.ldap_search_filter,
    groupSearch:
      values.ldap_group_search_dn === undefined
        ? undefined
        : { dn: values.ldap_group_search_dn, filter: values.ldap_group_search_filter },
    mapping: readMapping(values),
  };
}

function readMapping(values: Values): DirectorySettings['mapping'] {
  return {
    id: values.ldap_mapping_dn.toLowerCase() === 'dn' ? 'dn' : values.ldap_mapping_dn,
    email: values.ldap_mapping_mail,
    username: values.ldap_mapping_uid,
    name: values.ldap_mapping_cn,
    groups: values.ldap_mapping_groups,
  };
}
