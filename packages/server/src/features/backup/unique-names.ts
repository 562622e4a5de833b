/**
 * Names that are all different, in the same order: the second of a name gets " (2)", the third " (3)". Nobody's own name
 * is taken for that, and none becomes longer than it may be.
 */
export function makeUnique(names: readonly string[], longest: number): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  /** The next number to try, so that ten thousand of one name are not ten thousand times ten thousand looks. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    for (let number = numbers.get(name) ?? 2; ; number += 1) {
      const ending = ` (${number})`;
      const unique = `${cut(name, longest - ending.length)}${ending}`;
      if (taken.has(unique)) continue;
      taken.add(unique);
      numbers.set(name, number + 1);
      return unique;
    }
  });
}

/** Never in the middle of a character, and with no blank at the end. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const short = text.slice(0, length);
  return (/[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short).trimEnd();
}
