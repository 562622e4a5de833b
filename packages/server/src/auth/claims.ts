/** What a provider says about somebody: the claims of OpenID Connect, or the attributes of an entry in a directory. */
export type Claims = Readonly<Record<string, unknown>>;

const placeholder = /\{\{\s*\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Whether a text says which claim to take: names and templates, separated by `|`. */
export function isClaimSetting(text: string): boolean {
  return listAlternatives(text).every((alternative) => {
    const rest = alternative.replaceAll(placeholder, '');
    return alternative !== '' && !rest.includes('{{') && !rest.includes('}}');
  });
}

/**
 * The first alternative that yields something. A name counts only where the claim is a text; a template such as
 * `{{ .given_name }} {{ .family_name }}` ends the search, also when it comes out empty.
 */
export function readClaim(setting: string, claims: Claims): string | undefined {
  for (const alternative of listAlternatives(setting)) {
    if (alternative.includes('{{')) {
      const text = fillTemplate(alternative, claims);
      return text === '' ? undefined : text;
    }
    const value = readOwn(claims, alternative);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * All texts of a claim, for rules and groups. A name that is no claim itself may lead into nested ones by dots:
 * `realm_access.roles`.
 */
export function readClaimValues(name: string, claims: Claims): string[] {
  const value = findValue(name, claims);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map(toText).filter((text) => text !== '');
}

/** Whether a provider says anything under this name, be it an empty list. */
export function hasClaim(name: string, claims: Claims): boolean {
  return findValue(name, claims) !== undefined;
}

function listAlternatives(setting: string): string[] {
  return setting.split('|').map((alternative) => alternative.trim());
}

function fillTemplate(template: string, claims: Claims): string {
  return template.replaceAll(placeholder, (_match, name: string) => toText(readOwn(claims, name)));
}

function findValue(name: string, claims: Claims): unknown {
  const value = readOwn(claims, name);
  if (value !== undefined || !name.includes('.')) return value;
  return name.split('.').reduce<unknown>((inner, part) => readOwn(inner, part), claims);
}

/** Never what an object inherits: the name is the operator's, the object the provider's. */
function readOwn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Claims)[name];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  // Ids are whole numbers, and are written as such: 12345678901234567890123 and not 1.2e+22.
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return typeof value === 'boolean' ? String(value) : '';
}
