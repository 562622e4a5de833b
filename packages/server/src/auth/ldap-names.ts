/** A DN in the one spelling in which two of the same entry are equal: letter case and spaces at its commas say nothing. */
export function toComparableDn(dn: string): string {
  return dn
    .trim()
    .toLowerCase()
    .replaceAll(/\s*(?<!\\)([,=])\s*/g, '$1');
}

export function isSameDn(one: string, other: string): boolean {
  return toComparableDn(one) === toComparableDn(other);
}

/** The entry's own name: `ops` of `cn=ops,ou=groups,dc=example`. None where it has escaped characters. */
export function readDnName(dn: string): string[] {
  const [, name] = /^[A-Za-z][A-Za-z0-9-]*\s*=\s*([^,+\\"]+)(?:,|$)/.exec(dn) ?? [];
  return name === undefined ? [] : [name.trim()];
}
