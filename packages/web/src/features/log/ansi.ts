import { applySgr, type Paint, plainPaint } from './sgr.ts';

/** A run of text in one style. `paint` is null for text in the default style. */
export type Segment = { text: string; paint: Paint | null };

export type StyledLine = {
  segments: Segment[];
  /** The line changes its style more often than is drawn: its rest stands in one unstyled segment. */
  simplified: boolean;
};

/**
 * Segments that are drawn for one line. A line that changes colour more often is noise or an attack; its text is kept,
 * its further colours are not.
 */
export const maxSegments = 1000;

const ESC = 0x1b;
const CR = 0x0d;
const TAB = 0x09;
/** Bell, backspace, shift out, shift in: they move or ring, they print nothing. */
const silentControls = new Set([0x07, 0x08, 0x0e, 0x0f]);

/** What is true while a line is read: the runs so far, and the style that the next character gets. */
type Draft = {
  segments: Segment[];
  paint: Paint;
  /** A carriage return was read: the next text takes the place of what stands there. */
  returned: boolean;
  simplified: boolean;
};

/**
 * Reads one line of terminal output. Colours and styles become segments; every other escape sequence is dropped; text
 * after a lone carriage return replaces what stood before it, as on a terminal. Takes time linear in the length, whatever the line holds. Each
 * line starts in the default style: a log is read from anywhere, so a line may not depend on the ones above it.
 */
export function styleLine(line: string): StyledLine {
  const draft: Draft = { segments: [], paint: plainPaint, returned: false, simplified: false };
  let position = 0;
  while (position < line.length) {
    const end = findControl(line, position);
    if (end > position) addText(draft, line.slice(position, end));
    position = end < line.length ? readControl(draft, line, end) : end;
  }
  return { segments: draft.segments, simplified: draft.simplified };
}

/** The text of a line as it is shown, for copying and finding. */
export function readPlainText(line: string): string {
  if (findControl(line, 0) === line.length) return line;
  return styleLine(line)
    .segments.map((segment) => segment.text)
    .join('');
}

/** Index of the next character that is not printed as it is, or the length. */
function findControl(line: string, from: number): number {
  for (let index = from; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if ((code < 0x20 && code !== TAB) || (code >= 0x7f && code <= 0x9f)) return index;
  }
  return line.length;
}

function addText(draft: Draft, text: string): void {
  if (draft.returned) {
    draft.segments = [];
    draft.simplified = false;
    draft.returned = false;
  }
  const last = draft.segments.at(-1);
  const paint = draft.paint === plainPaint ? null : draft.paint;
  if (last !== undefined && (draft.simplified || last.paint === paint)) {
    last.text += text;
    return;
  }
  if (draft.segments.length + 1 === maxSegments) {
    draft.simplified = true;
    draft.segments.push({ text, paint: null });
    return;
  }
  draft.segments.push({ text, paint });
}

/** Acts on the control character at `at` and returns where to go on. */
function readControl(draft: Draft, line: string, at: number): number {
  const code = line.charCodeAt(at);
  if (code === ESC) return readEscape(draft, line, at);
  if (code === CR) draft.returned = draft.segments.length > 0;
  // A NUL and its like are shown by their control picture: output is shown as it is, also where it is odd.
  else if (code < 0x20 && !silentControls.has(code)) addText(draft, String.fromCharCode(0x2400 + code));
  else if (code === 0x7f) addText(draft, '\u2421');
  return at + 1;
}

function readEscape(draft: Draft, line: string, at: number): number {
  const kind = line.charCodeAt(at + 1);
  if (kind === 0x5b) return readControlSequence(draft, line, at + 2);
  if (isStringIntroducer(kind)) return skipString(line, at + 2);
  let position = at + 1;
  while (isBetween(line.charCodeAt(position), 0x20, 0x2f)) position += 1;
  return isBetween(line.charCodeAt(position), 0x30, 0x7e) ? position + 1 : position;
}

/** `ESC [`, parameters, a final byte. Only `m` (colours and styles) has an effect. */
function readControlSequence(draft: Draft, line: string, start: number): number {
  let position = start;
  while (isBetween(line.charCodeAt(position), 0x30, 0x3f)) position += 1;
  const parameters = position;
  while (isBetween(line.charCodeAt(position), 0x20, 0x2f)) position += 1;
  const final = line.charCodeAt(position);
  // Cut short by the end of the line or by a foreign character, which is text again.
  if (!isBetween(final, 0x40, 0x7e)) return position;
  const isPrivate = isBetween(line.charCodeAt(start), 0x3c, 0x3f);
  if (final === 0x6d && position === parameters && !isPrivate) {
    draft.paint = applySgr(draft.paint, line.slice(start, position));
  }
  return position + 1;
}

/** OSC, DCS, SOS, PM and APC carry a string: titles, links, pictures. */
function isStringIntroducer(code: number): boolean {
  return code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f;
}

/**
 * The end of a control string: a bell or `ESC \`. Any other escape ends it too, so each search stops at the next one and all of
 * them together read the line once. A string without an end on its line was no string: what follows is shown.
 */
function skipString(line: string, start: number): number {
  for (let index = start; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code === 0x07 || code === 0x9c) return index + 1;
    if (code === ESC) return line.charCodeAt(index + 1) === 0x5c ? index + 2 : index;
  }
  return start;
}

/** False for NaN, which is what stands behind the end of a line. */
function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
