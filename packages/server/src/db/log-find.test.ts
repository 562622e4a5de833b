import { expect, test } from 'vitest';
import { packRecords } from './log-chunk.ts';
import { createLineFinder } from './log-find.ts';
import type { StoredChunk } from './log-lines.ts';

/** A text that ends in `…` goes on in the next record. */
function toChunk(first_line: number, texts: readonly string[]): StoredChunk {
  const times = texts.map(() => 5);
  const continued = texts.map((text) => text.endsWith('…'));
  const text = Buffer.from(texts.map((record) => `${record.replace(/…$/, '')}\n`).join(''));
  return { first_line, line_count: texts.length, gap: null, ...packRecords({ table: { times, continued }, text }) };
}

function find(needle: string, ...chunks: (readonly string[] | 'gap')[]): number[] {
  const findLines = createLineFinder(needle);
  const found: number[] = [];
  let next = 1;
  for (const texts of chunks) {
    const gap = { first_line: next, line_count: 1, time: 0, gap: 'lost', data: new Uint8Array() };
    const chunk = texts === 'gap' ? gap : toChunk(next, texts);
    findLines(chunk, chunk.first_line, (line) => found.push(line));
    next += chunk.line_count;
  }
  return found;
}

test('a line is found once, in any letter case', () => {
  expect(find('err', ['Error: ERR err', '', 'fine', 'error'], ['xerr', 'e', 'rr'])).toEqual([1, 4, 5]);
  expect(find('ÄRGER', ['kein ärger', 'Ärger', 'arger'])).toEqual([1, 2]);
  expect(find('a', ['a', 'b', 'A'])).toEqual([1, 3]);
});

test('a text of signs is no pattern', () => {
  expect(find('.*[a', ['x', '.*[a]', 'a'])).toEqual([2]);
});

test('what a terminal does not show is not in the way, and is not found', () => {
  const lines = [
    '\u001b[1;31mfa\u001b[0mtal\u001b[K',
    '\u001b]8;;http://x/fatal\u0007link\u001b]8;;\u0007',
    '\u001b(Bfa\u001b[38:2::1:2:3mtal',
    'fa tal',
    '[31mfatal',
  ];
  expect(find('fatal', lines)).toEqual([1, 3, 5]);
  expect(find('31m', lines)).toEqual([5]);
});

test('a text never reaches from one line into the next', () => {
  expect(find('ab', ['a', 'b'], ['b'])).toEqual([]);
  expect(find('a\nb', ['a', 'b'])).toEqual([]);
});

test('a long line is searched as one, and found where the text begins', () => {
  expect(find('hello', ['…', 'hel…', 'lo…', 'x'])).toEqual([2]);
  expect(find('hello', ['he…'], ['llo hello…'], ['x'])).toEqual([1, 2]);
  expect(find('hello', ['hello he…', 'llo'])).toEqual([1]);
  expect(find('hello', ['he…'], 'gap', ['llo', 'hello'])).toEqual([4]);
  expect(find('o', ['o…', 'x…', 'o'])).toEqual([1, 3]);
});

test('the lines that were read already are left out', () => {
  const findLines = createLineFinder('a');
  const found: number[] = [];
  findLines(toChunk(11, ['a', 'a', 'a']), 12, (line) => found.push(line));
  findLines(toChunk(14, ['a…', 'b', 'a']), 15, (line) => found.push(line));
  expect(found).toEqual([12, 13, 16]);
});
