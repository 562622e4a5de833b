import { readPlainText } from './ansi.ts';
import type { LineStore } from './line-store.ts';

/** A place in the text of a line: in front of its character number `column`, 0 being the first. */
export type TextPoint = { line: number; column: number };
export type TextRange = { from: TextPoint; to: TextPoint };

/** The range in reading order, whichever way it was drawn. */
export function orderRange(one: TextPoint, other: TextPoint): TextRange {
  const isForward = one.line < other.line || (one.line === other.line && one.column <= other.column);
  return isForward ? { from: one, to: other } : { from: other, to: one };
}

type DescribeGap = (from: number, to: number) => string;

/**
 * What a selection copies: the text as it is shown, without numbers, times and colours. Records of one long line are one
 * line again. Lines that are not held are left out: the caller loads them first.
 */
export function joinText(store: LineStore, range: TextRange, describeGap: DescribeGap): string {
  const parts: string[] = [];
  let line = range.from.line;
  while (line <= range.to.line) {
    const record = store.get(line);
    const end = record?.gap === undefined ? line : record.line + record.gap - 1;
    const isLast = end >= range.to.line;
    parts.push(record?.gap === undefined ? cutLine(record?.output ?? '', line, range) : describeGap(record.line, end));
    if (!isLast && record?.continued !== true) parts.push('\n');
    line = end + 1;
  }
  return parts.join('');
}

function cutLine(output: string, line: number, { from, to }: TextRange): string {
  const text = readPlainText(output);
  return text.slice(line === from.line ? from.column : 0, line === to.line ? to.column : undefined);
}
