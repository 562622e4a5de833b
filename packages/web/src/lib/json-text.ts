// JSON that is kept as a text. The server has checked what it takes today; what an older product wrote may be anything.

/** What a text says, or undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller knows what that means
  }
}

/** Members of an object, or undefined where the text is anything else. */
export function readObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Arguments of a command, each by itself; none where the text is no list. */
export function readArguments(text: string | null | undefined): string[] {
  const value = parseJson(text ?? '');
  return Array.isArray(value) ? value.map(String) : [];
}

/** JSON as people read it; anything else as it came. */
export function indentJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
