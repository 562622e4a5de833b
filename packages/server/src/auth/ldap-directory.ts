import { type Client, type Entry, Filter, ResultCodeError } from 'ldapts';
import type { DirectorySettings } from '../config-ldap.ts';
import { directoryName } from '../config-sign-in.ts';
import type { Logger } from '../logger.ts';
import { type Claims, readClaim } from './claims.ts';
import type { ProvedPerson } from './external-sign-in.ts';
import { withDirectory } from './ldap-connection.ts';
import { isSameDn, readDnName, toComparableDn } from './ldap-names.ts';

export type DirectoryVerdict =
  /** Not in the directory: he may be a user of our own. */
  | { readonly kind: 'unknown' }
  /** In the directory, and this is not his password; or it is not clear who is meant. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'proved'; readonly proved: ProvedPerson };

export type DirectoryQuestion = {
  readonly login: string;
  readonly password: string;
  /** Attributes that rules look at. */
  readonly asked: readonly string[];
  /** Told whose password is about to be tried; may refuse. */
  readonly beforePassword: (dn: string) => Promise<void>;
};

/**
 * Asks the directory who somebody is: finds his one entry, reads it, and signs in with his password.
 *
 * @throws where the directory does not answer as it should: it says nothing about the person then
 */
export async function askDirectory(
  settings: DirectorySettings,
  log: Logger,
  { login, password, asked, beforePassword }: DirectoryQuestion,
): Promise<DirectoryVerdict> {
  // With an empty password a directory lets everybody in, as nobody; some end the text at a NUL.
  if (password === '' || password.includes('\0') || login.includes('\0')) return { kind: 'refused' };
  return withDirectory(settings, async (client) => {
    if (settings.bind !== undefined) await client.bind(settings.bind.dn, settings.bind.password);
    const attributes = listAttributes(settings, asked);
    const entries = await findEntries(client, settings, login, attributes);
    const [entry] = entries;
    if (entry === undefined) return { kind: 'unknown' };
    if (entries.length > 1 || entry.dn === '') {
      log.warn('The directory has more than one entry for a login; the search filter must find one');
      return { kind: 'refused' };
    }
    const groups = await findGroups(client, settings, { dn: entry.dn, login });
    await beforePassword(toComparableDn(entry.dn));
    if (!(await isRightPassword(client, entry.dn, password))) return { kind: 'refused' };
    return { kind: 'proved', proved: toPerson(settings, entry, attributes, groups) };
  });
}

/** A text of a user, as it may stand in a filter. */
function fillFilter(filter: string, values: Readonly<Record<string, string>>): string {
  return filter.replaceAll(/%[sd]/g, (placeholder) => Filter.escape(values[placeholder] ?? ''));
}

/** All attributes that settings and rules name, as they spell them. */
function listAttributes({ mapping }: DirectorySettings, asked: readonly string[]): string[] {
  const named = [mapping.email, mapping.username, mapping.name].flatMap((setting) =>
    setting.split('|').flatMap((alternative) => {
      const placed = [...alternative.matchAll(/\{\{\s*\.(\w+)\s*\}\}/g)].map(([, name]) => name ?? '');
      return alternative.includes('{{') ? placed : [alternative.trim()];
    }),
  );
  return [...new Set([...named, mapping.id, mapping.groups, ...asked])].filter((name) => name !== 'dn');
}

async function findEntries(
  client: Client,
  { searchDn, searchFilter, mapping }: DirectorySettings,
  login: string,
  attributes: string[],
): Promise<Entry[]> {
  const { searchEntries } = await client.search(searchDn, {
    scope: 'sub',
    filter: fillFilter(searchFilter, { '%s': login }),
    attributes,
    // Active Directory's id is bytes; the library knows its attributes by their exact spelling.
    explicitBufferAttributes: [mapping.id, 'objectGUID'],
    sizeLimit: 2,
  });
  return searchEntries;
}

/** Groups that have him as a member, found under a base that the operator chose: so their plain names count as well. */
async function findGroups(
  client: Client,
  { groupSearch }: DirectorySettings,
  { dn, login }: { dn: string; login: string },
): Promise<string[]> {
  if (groupSearch === undefined) return [];
  const { searchEntries } = await client.search(groupSearch.dn, {
    scope: 'sub',
    filter: fillFilter(groupSearch.filter, { '%d': dn, '%s': login }),
    attributes: ['1.1'],
  });
  return searchEntries.flatMap((group) => [group.dn, ...readDnName(group.dn)]);
}

/** What directories answer to a wrong password, and to a right one that they do not take (locked, expired). */
const refusals: readonly number[] = [49, 53, 19, 48, 50, 32];

async function isRightPassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && refusals.includes(error.code)) return false;
    throw error;
  }
}

function toPerson({ mapping }: DirectorySettings, entry: Entry, names: string[], found: string[]): ProvedPerson {
  const claims = Object.fromEntries(names.map((name) => [name, readAttribute(entry, name)]));
  const first: Claims = Object.fromEntries(Object.entries(claims).map(([name, [value]]) => [name, value]));
  const subject = mapping.id === 'dn' ? toComparableDn(entry.dn) : first[mapping.id];
  if (typeof subject !== 'string') throw new Error(`An entry of the directory has no ${mapping.id}`);
  return {
    person: {
      issuer: directoryName,
      subject,
      username: readClaim(mapping.username, first),
      name: readClaim(mapping.name, first),
      email: readClaim(mapping.email, first),
      isEmailRefuted: false,
    },
    evidence: {
      provider: directoryName,
      claims,
      groups: [...(claims[mapping.groups] ?? []), ...found],
      isSameGroup: isSameDn,
    },
    via: 'LDAP',
  };
}

/** All values of an attribute; its name counts in any letter case. */
function readAttribute(entry: Entry, name: string): string[] {
  const key = Object.keys(entry).find((known) => known.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? [] : (entry[key] ?? []);
  const values: (string | Buffer)[] = Array.isArray(value) ? value : [value];
  return values.map((item) => (typeof item === 'string' ? item : toText(item))).filter((text) => text !== '');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are text are that text, others are written in hexadecimal. */
function toText(bytes: Buffer): string {
  try {
    const text = decoder.decode(bytes);
    return /\p{Cc}/u.test(text) ? bytes.toString('hex') : text;
  } catch {
    return bytes.toString('hex'); // no UTF-8, so no text
  }
}
