import type { Segment } from './ansi.ts';

export type MarkedSegment = Segment & { isHit: boolean };

/** Matches that are drawn in one line; a line with more of them is one long match to the eye anyway. */
const maxHits = 500;

let last: { query: string; pattern: RegExp } | undefined;

function compile(query: string): RegExp {
  if (last?.query !== query) last = { query, pattern: new RegExp(RegExp.escape(query), 'giu') };
  return last.pattern;
}

/** Cuts segments where the text matches, in any letter case. A match may begin in one colour and end in another. */
export function markHits(segments: readonly Segment[], query: string): MarkedSegment[] {
  const hits = query === '' ? [] : findHits(segments.map(({ text }) => text).join(''), query);
  if (hits.length === 0) return segments.map((segment) => ({ ...segment, isHit: false }));
  const marked: MarkedSegment[] = [];
  let next = 0;
  let offset = 0;
  for (const { text, paint } of segments) {
    const end = offset + text.length;
    let at = offset;
    while (at < end) {
      const hit = hits[next] ?? { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
      const isHit = at >= hit.start;
      const until = Math.min(end, isHit ? hit.end : hit.start);
      marked.push({ text: text.slice(at - offset, until - offset), paint, isHit });
      if (until === hit.end) next += 1;
      at = until;
    }
    offset = end;
  }
  return marked;
}

function findHits(text: string, query: string): { start: number; end: number }[] {
  const hits: { start: number; end: number }[] = [];
  for (const match of text.matchAll(compile(query))) {
    hits.push({ start: match.index, end: match.index + match[0].length });
    if (hits.length === maxHits) break;
  }
  return hits;
}
