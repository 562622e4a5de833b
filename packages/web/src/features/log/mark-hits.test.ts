import { describe, expect, it } from 'vitest';
import { styleLine } from './ansi.ts';
import { markHits } from './mark-hits.ts';

const E = '\u001b';

/** The parts of a line, hits in brackets. */
const mark = (line: string, query: string) =>
  markHits(styleLine(line).segments, query).map(({ text, isHit }) => (isHit ? `[${text}]` : text));

describe('hits in a line', () => {
  it.each([
    ['none', 'ok: web', 'x', ['ok: web']],
    ['in any letter case', 'Fatal: fatal', 'FATAL', ['[Fatal]', ': ', '[fatal]']],
    ['at both ends', 'aba', 'a', ['[a]', 'b', '[a]']],
    ['the whole line', 'abc', 'abc', ['[abc]']],
    ['over two colours', `${E}[32mchan${E}[33mged: x`, 'anged', ['ch', '[an]', '[ged]', ': x']],
    ['side by side', 'aaaa', 'aa', ['[aa]', '[aa]']],
    ['plain text, no pattern', 'a.c abc (x', '.c', ['a', '[.c]', ' abc (x']],
    ['an opening bracket', 'item=(x', '(', ['item=', '[(]', 'x']],
    ['letters whose small form is longer', 'İİ x', 'x', ['İİ ', '[x]']],
    ['nothing to find', 'abc', '', ['abc']],
  ])('%s', (_name, line, query, expected) => {
    expect(mark(line, query)).toEqual(expected);
  });

  it('are bounded in a line that is one long match', () => {
    const parts = markHits([{ text: 'a'.repeat(60_000), paint: null }], 'a');
    expect(parts.filter(({ isHit }) => isHit)).toHaveLength(500);
    expect(parts.map(({ text }) => text).join('')).toBe('a'.repeat(60_000));
  });
});
