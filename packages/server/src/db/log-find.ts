import { decodeLineTable } from '@signalbox/contract/log-frame';
import { dropRecords, scanLineTable, unpackChunk } from './log-chunk.ts';
import type { StoredChunk } from './log-lines.ts';

const lineFeed = '\n';
/** What a terminal does not show: control sequences, operating system commands, and the other escapes. */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of a terminal are control characters
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b\n]*(?:\u001b\\)?|[ -/]*[0-~])/g;

/** Finds lines in a log's chunks, given in order. */
export type LineFinder = (chunk: StoredChunk, from: number, onLine: (line: number) => void) => void;

/**
 * Looks for a text in what a reader sees: without the escapes of a terminal, in any letter case. A line is found once,
 * however often it has the text; one that goes on in further records is found in the record where the text begins.
 */
export function createLineFinder(text: string): LineFinder {
  const needle = text.toLowerCase();
  // One byte is one character then, which is half the work; the bytes of other characters match no ASCII text.
  const encoding = Buffer.byteLength(needle) === needle.length ? 'latin1' : 'utf8';
  const toSeen = (bytes: Uint8Array) => {
    const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding);
    return (read.includes('\u001b') ? read.replace(escapes, '') : read).toLowerCase();
  };
  const findContinued = createContinuedFinder(needle);
  // No line has it; the search below relies on that.
  if (needle === '' || needle.includes(lineFeed)) return () => undefined;

  return (chunk, from, onLine) => {
    if (chunk.gap !== null) {
      findContinued.reset();
      return;
    }
    const { table, text: unpacked } = unpackChunk(chunk.data);
    if (!findContinued.isOpen() && !scanLineTable(table).hasContinued) {
      findInLines(toSeen(unpacked), needle, chunk.first_line, (line) => line >= from && onLine(line));
      return;
    }
    const times = decodeLineTable(table, chunk.time, chunk.line_count);
    const rest = dropRecords({ table: times, text: unpacked }, from - chunk.first_line);
    for (const [index, record] of toSeen(rest.text).split(lineFeed, rest.table.continued.length).entries()) {
      findContinued.find(record, from + index, rest.table.continued[index] === true, onLine);
    }
  };
}

/** Jumps from hit to hit over a whole chunk; lines are counted only up to the last one. */
function findInLines(seen: string, needle: string, firstLine: number, onLine: (line: number) => void): void {
  let line = firstLine;
  let counted = 0;
  for (let hit = seen.indexOf(needle); hit >= 0; hit = seen.indexOf(needle, counted)) {
    for (let end = seen.indexOf(lineFeed, counted); end < hit; end = seen.indexOf(lineFeed, counted)) {
      counted = end + 1;
      line += 1;
    }
    onLine(line);
    const end = seen.indexOf(lineFeed, hit);
    if (end < 0) return;
    counted = end + 1;
    line += 1;
  }
}

/** Also finds what begins in one record and ends in the next. */
function createContinuedFinder(needle: string) {
  const overlap = needle.length - 1;
  let open: { end: string; line: number; found: boolean } | undefined;
  return {
    isOpen: () => open !== undefined,
    reset: () => {
      open = undefined;
    },
    find: (record: string, line: number, isContinued: boolean, onLine: (line: number) => void) => {
      if (open !== undefined && !open.found && (open.end + record.slice(0, overlap)).includes(needle))
        onLine(open.line);
      const found = record.includes(needle);
      if (found) onLine(line);
      open = isContinued ? { end: overlap > 0 ? record.slice(-overlap) : '', line, found } : undefined;
    },
  };
}
