import type { LineSpan } from './line-store.ts';

/** Reads `L12` and `L12-L20` of an address. */
export function parseLineLink(hash: string): LineSpan | null {
  const found = /^#?L(\d{1,12})(?:-L(\d{1,12}))?$/.exec(hash);
  if (found === null) return null;
  const one = Number(found[1]);
  const other = Number(found[2] ?? found[1]);
  const from = Math.min(one, other);
  return from < 1 ? null : { from, to: Math.max(one, other) };
}

/** The part of an address that links to lines, without the `#`. */
export function formatLineLink(span: LineSpan): string {
  return span.from === span.to ? `L${span.from}` : `L${span.from}-L${span.to}`;
}
