/** What matchers see of something that is not there, or null; the older product prints it so. */
export const nothing = '<nil>';

/**
 * The value at a path such as `commits.[0].author.name`: names of members and, each in brackets of its own, positions in
 * arrays. A position on something that is no array is passed over. Nothing but the document's own members is ever found.
 */
export function findByPath(document: unknown, path: string): unknown {
  let value = document;
  for (const segment of path.split('.')) {
    const [, position] = /^\[(-?\d+)\]$/.exec(segment) ?? [];
    if (position === undefined) value = readMember(value, segment);
    else if (Array.isArray(value)) value = value[Number(position)];
  }
  return value;
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** A value as text; undefined where there is none. Objects and arrays are JSON. */
export function toText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return String(value);
    case 'number':
      // Whole numbers never have an exponent.
      return Number.isInteger(value) ? BigInt(value).toString() : String(value);
    default:
      return value === undefined || value === null ? undefined : JSON.stringify(value);
  }
}
