import { describe, expect, it } from 'vitest';
import { formatLineLink, parseLineLink } from './line-link.ts';

describe('a link to lines', () => {
  it.each([
    ['L123', { from: 123, to: 123 }],
    ['#L123', { from: 123, to: 123 }],
    ['L10-L20', { from: 10, to: 20 }],
    ['L20-L10', { from: 10, to: 20 }],
    ['', null],
    ['L0', null],
    ['L', null],
    ['L1-', null],
    ['L99999999999999999999', null],
    ['xL12', null],
  ])('%j', (hash, expected) => {
    expect(parseLineLink(hash)).toEqual(expected);
  });

  it.each(['L1', 'L7-L9'])('%s survives reading and writing', (hash) => {
    const span = parseLineLink(hash);
    expect(span === null ? '' : formatLineLink(span)).toBe(hash);
  });
});
