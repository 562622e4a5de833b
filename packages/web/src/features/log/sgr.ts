/** A colour as the terminal named it: 0 to 255 is the palette; `rgb + 0x1000000` is a true colour; null the default. */
export type TerminalColor = number | null;
export const trueColor = 0x1000000;

export type Paint = {
  readonly fg: TerminalColor;
  readonly bg: TerminalColor;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strike: boolean;
};

/** The default style. There is one object of it and of every other style, so that equal styles are the same object. */
export const plainPaint: Paint = Object.freeze({
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
});

const simpleCodes: Record<number, Partial<Paint>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { fg: null },
  49: { bg: null },
};

/** The style after the parameters of one `ESC [ … m`. Unknown codes change nothing. */
export function applySgr(paint: Paint, parameters: string): Paint {
  const draft = { ...paint };
  const codes = parameters.split(';');
  let index = 0;
  while (index < codes.length) index += 1 + applyParameter(draft, codes, index);
  return intern(draft);
}

/** Applies one parameter and returns how many of the following ones belong to it. */
function applyParameter(draft: Draft, codes: string[], index: number): number {
  const parts = (codes[index] ?? '').split(':').map(readNumber);
  const code = parts[0] ?? 0;
  if (code !== 38 && code !== 48 && code !== 58) {
    applyCode(draft, code, parts[1]);
    return 0;
  }
  // A colour is either all in one parameter, with colons, or spread over the following ones.
  const color = parts.length > 1 ? readColonColor(parts) : readSpreadColor(codes, index + 1);
  if (code === 38 && color.value !== undefined) draft.fg = color.value;
  if (code === 48 && color.value !== undefined) draft.bg = color.value;
  return color.used;
}

type Draft = { -readonly [K in keyof Paint]: Paint[K] };

function applyCode(draft: Draft, code: number, detail: number | undefined): void {
  if (code === 0) Object.assign(draft, plainPaint);
  else if (code === 4) draft.underline = detail !== 0;
  else if (code >= 30 && code <= 37) draft.fg = code - 30;
  else if (code >= 40 && code <= 47) draft.bg = code - 40;
  else if (code >= 90 && code <= 97) draft.fg = code - 90 + 8;
  else if (code >= 100 && code <= 107) draft.bg = code - 100 + 8;
  else Object.assign(draft, simpleCodes[code]);
}

type ReadColor = { value: number | undefined; used: number };

/** `38:5:n`, `38:2:r:g:b` and `38:2:space:r:g:b`. */
function readColonColor(parts: number[]): ReadColor {
  if (parts[1] === 5) return { value: toPalette(parts[2]), used: 0 };
  if (parts[1] === 2) return { value: toTrueColor(parts.length > 5 ? parts.slice(3, 6) : parts.slice(2, 5)), used: 0 };
  return { value: undefined, used: 0 };
}

/** `38;5;n` and `38;2;r;g;b`. */
function readSpreadColor(codes: string[], from: number): ReadColor {
  const kind = readNumber(codes[from] ?? '');
  if (kind === 5) return { value: toPalette(readNumber(codes[from + 1] ?? '')), used: 2 };
  if (kind === 2) return { value: toTrueColor(codes.slice(from + 1, from + 4).map(readNumber)), used: 4 };
  return { value: undefined, used: 1 };
}

function toPalette(index: number | undefined): number | undefined {
  return index !== undefined && index <= 255 ? index : undefined;
}

function toTrueColor(parts: number[]): number | undefined {
  const [red, green, blue] = parts;
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  if (red > 255 || green > 255 || blue > 255) return undefined;
  return trueColor + red * 0x10000 + green * 0x100 + blue;
}

/** An empty parameter is 0. A long one is cut: no code is that long. */
function readNumber(text: string): number {
  const value = Number.parseInt(text.slice(0, 5), 10);
  return Number.isNaN(value) ? 0 : value;
}

const known = new Map<string, Paint>();
/** A log with every true colour there is may not keep them all. */
const maxKnown = 10_000;

function intern(paint: Paint): Paint {
  const key = `${paint.fg},${paint.bg},${paint.bold},${paint.dim},${paint.italic},${paint.underline},${paint.inverse},${paint.strike}`;
  if (key === plainKey) return plainPaint;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  known.set(key, paint);
  return paint;
}

const plainKey = 'null,null,false,false,false,false,false,false';
