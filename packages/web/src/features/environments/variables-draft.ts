import { readObject } from '../../lib/json-text.ts';

/** `values`: any flat JSON value. `texts`: what a process environment holds, strings alone. */
export type VariablesKind = 'values' | 'texts';
export type VariableRow = { key: number; name: string; value: string };
/** An object being edited: as rows or as JSON text, whichever the person has chosen. */
export type VariablesDraft = { mode: 'table' | 'json'; rows: VariableRow[]; text: string };
export type VariablesProblem = 'bad_json' | 'nested' | 'name_missing' | 'name_twice' | 'not_text';

let lastKey = 0;

export function makeRow(name = '', value = ''): VariableRow {
  lastKey += 1;
  return { key: lastKey, name, value };
}

/** Starts from stored JSON: as a table where all values are flat, otherwise as JSON. */
export function draftFromText(text: string, kind: VariablesKind): VariablesDraft {
  const found = readRows(text, kind);
  if (typeof found === 'string') return { mode: 'json', rows: [], text: indent(text) };
  return { mode: 'table', rows: found, text: '' };
}

/** From JSON to rows; a problem where there is no way. */
export function switchToTable(draft: VariablesDraft, kind: VariablesKind): VariablesDraft | VariablesProblem {
  const found = readRows(draft.text, kind);
  return typeof found === 'string' ? found : { mode: 'table', rows: found, text: '' };
}

/** From rows to JSON. Rows without a name and a value are left behind. */
export function switchToJson(draft: VariablesDraft, kind: VariablesKind): VariablesDraft {
  return { mode: 'json', rows: [], text: writeRows(draft.rows, kind, 2) };
}

/** JSON text for the wire, or what is wrong with the draft. */
export function readDraft(draft: VariablesDraft, kind: VariablesKind): { text: string } | VariablesProblem {
  if (draft.mode === 'table') {
    const rows = draft.rows.filter(({ name, value }) => name !== '' || value !== '');
    const names = rows.map(({ name }) => name.trim());
    if (names.includes('')) return 'name_missing';
    if (new Set(names).size < names.length) return 'name_twice';
    return { text: writeRows(rows, kind, 0) };
  }
  const object = readVariables(draft.text);
  if (object === undefined) return 'bad_json';
  if (kind === 'texts' && Object.values(object).some((value) => typeof value !== 'string')) return 'not_text';
  return { text: draft.text.trim() === '' ? '{}' : draft.text };
}

/** A field that was left empty holds no variables. */
function readVariables(text: string): Record<string, unknown> | undefined {
  return text.trim() === '' ? {} : readObject(text);
}

function readRows(text: string, kind: VariablesKind): VariableRow[] | VariablesProblem {
  const object = readVariables(text);
  if (object === undefined) return 'bad_json';
  const values = Object.values(object);
  if (values.some((value) => (typeof value === 'object' && value !== null) || isInexact(value))) return 'nested';
  if (kind === 'texts' && values.some((value) => typeof value !== 'string')) return 'not_text';
  if (kind === 'texts' && values.some((value) => hasLines(String(value)))) return 'nested';
  return Object.entries(object).map(([name, value]) =>
    makeRow(name, kind === 'texts' ? String(value) : showValue(value)),
  );
}

function writeRows(rows: readonly VariableRow[], kind: VariablesKind, indentation: number): string {
  const entries = rows
    .filter(({ name, value }) => name !== '' || value !== '')
    .map(({ name, value }) => [name.trim(), kind === 'texts' ? value : parseValue(value)]);
  return JSON.stringify(Object.fromEntries(entries), null, indentation);
}

/** A field of one line would lose where the lines end. */
function hasLines(text: string): boolean {
  return /[\n\r]/.test(text);
}

function isPlainText(text: string): boolean {
  return typeof parseValue(text) === 'string' && !text.startsWith('"') && !hasLines(text);
}

/** A text stands as it is; where it would be read as something else, in quotes. The rest is shown as JSON. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return isPlainText(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

/** Numbers, true, false, null and quoted texts are read as JSON; everything else is a text. */
function parseValue(text: string): unknown {
  if (!/^(-?\d|"|true$|false$|null$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // 1.10 and 007 are versions and codes: a number that JSON would write differently stays a text.
    return typeof value === 'number' && JSON.stringify(value) !== text ? text : value;
  } catch {
    return text; // begins like JSON but is none
  }
}

/** A number with more digits than JavaScript keeps: only the text itself holds it. */
function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function indent(text: string): string {
  const object = readVariables(text);
  return object === undefined || /\d{16}/.test(text) ? text : JSON.stringify(object, null, 2);
}
