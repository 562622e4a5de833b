import { describe, expect, it } from 'vitest';
import {
  computeHeight,
  computeRest,
  countRows,
  findLineAt,
  isNearEdge,
  isWindowValid,
  placeWindow,
  rowHeight,
  windowRows,
} from './log-window.ts';

const maxHeight = 30_000_000;
const extents = [0, 1, 30, 999, 1000, 1001, 5000, 1_000_000, 1_363_636, 1_363_637, 5_000_000, 200_000_000];

describe.each(extents)('a log of %i lines', (lines) => {
  const extent = { lines, maxHeight };
  const samples = [1, 2, Math.ceil(lines / 3), Math.ceil(lines / 2), lines - 600, lines - 1, lines].filter(
    (line) => line >= 1 && line <= lines,
  );

  it('is never higher than an element may be', () => {
    expect(computeHeight(extent)).toBeLessThanOrEqual(maxHeight);
  });

  it('has every line in the window around it', () => {
    for (const line of samples) {
      const window = placeWindow(extent, line);
      expect(window.first).toBeLessThanOrEqual(line);
      expect(window.first + countRows(extent) - 1).toBeGreaterThanOrEqual(line);
      expect(isWindowValid(extent, window)).toBe(true);
    }
  });

  it('fills its height: empty above, window, empty below', () => {
    for (const line of samples) {
      const window = placeWindow(extent, line);
      expect(window.top).toBeGreaterThanOrEqual(0);
      const height = window.top + countRows(extent) * rowHeight + computeRest(extent, window);
      expect(height).toBe(Math.max(computeHeight(extent), countRows(extent) * rowHeight));
    }
  });

  it('begins at the top and ends at the bottom', () => {
    if (lines === 0) return;
    expect(placeWindow(extent, 1).top).toBe(0);
    expect(computeRest(extent, placeWindow(extent, lines))).toBe(0);
  });

  it('is read from its first to its last line by the scroll bar', () => {
    if (lines < 100) return;
    const room = computeHeight(extent) - 800;
    expect(findLineAt(extent, 0, 800)).toBe(1);
    expect(findLineAt(extent, room, 800)).toBeGreaterThan(lines - 40);
    expect(Math.abs(findLineAt(extent, room / 2, 800) - lines / 2)).toBeLessThanOrEqual(lines / 1000 + 40);
  });
});

describe('a log that fits', () => {
  const extent = { lines: 1_000_000, maxHeight };

  it('has each line at its own height, so that a window that moves moves nothing', () => {
    for (const line of [1, 40_000, 700_123, 1_000_000]) {
      const window = placeWindow(extent, line);
      expect(window.top).toBe((window.first - 1) * rowHeight);
    }
  });

  it('finds the line at a scroll position exactly', () => {
    expect(findLineAt(extent, 500_000 * rowHeight, 800)).toBe(500_001);
  });
});

describe('the edge of a window', () => {
  const extent = { lines: 10_000, maxHeight };
  const window = placeWindow(extent, 5000);

  it.each([
    ['the middle', { from: 5000, to: 5040 }, false],
    ['near its first line', { from: window.first + 10, to: window.first + 50 }, true],
    ['near its last line', { from: window.first + windowRows - 60, to: window.first + windowRows - 20 }, true],
  ])('%s', (_name, visible, expected) => {
    expect(isNearEdge(extent, window, visible)).toBe(expected);
  });

  it('is none at the ends of the log', () => {
    expect(isNearEdge(extent, placeWindow(extent, 1), { from: 1, to: 40 })).toBe(false);
    expect(isNearEdge(extent, placeWindow(extent, 10_000), { from: 9960, to: 10_000 })).toBe(false);
  });
});
