const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
];

/** What a person calls the browser that such a header comes from; another program is named by its first word. */
export function nameBrowser(userAgent: string): { browser: string; system: string } {
  const find = (list: typeof browsers): string => list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? '';
  return { browser: find(browsers) || (userAgent.split(/[\s/]/)[0] ?? ''), system: find(systems) };
}
