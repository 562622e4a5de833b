import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { computeContrast, mix, parseHex, readableContrast } from './colors.ts';
import { computePaintStyle, logSurface, logText, resolveColors, rowTints, type Scheme } from './paint-style.ts';
import { type Paint, plainPaint, trueColor } from './sgr.ts';

function measure(paint: Partial<Paint>, scheme: Scheme): number {
  const { color, background } = resolveColors({ ...plainPaint, ...paint }, scheme);
  const text = color ?? parseHex(logText[scheme]);
  if (background !== null) return computeContrast(text, background);
  const surface = parseHex(logSurface[scheme]);
  const grounds = [surface, ...rowTints.map((tint) => mix(surface, parseHex(tint[scheme]), tint.percent / 100))];
  return Math.min(...grounds.map((ground) => computeContrast(text, ground)));
}

const everyColor = [...Array.from({ length: 256 }, (_, index) => index), trueColor, trueColor + 0xffffff];
const trueColors = Array.from(
  { length: 512 },
  (_, index) => trueColor + (index % 8) * 0x240000 + ((index >> 3) % 8) * 0x2400 + (index >> 6) * 0x24,
);

describe.each<Scheme>(['light', 'dark'])('colours of a log in the %s scheme', (scheme) => {
  it('can be read as text', () => {
    const worst = Math.min(...[...everyColor, ...trueColors].map((fg) => measure({ fg }, scheme)));
    expect(worst).toBeGreaterThanOrEqual(readableContrast);
  });

  it('can be read as text when dim, and when inverse', () => {
    const worst = Math.min(
      ...everyColor.flatMap((fg) => [measure({ fg, dim: true }, scheme), measure({ fg, inverse: true }, scheme)]),
    );
    expect(worst).toBeGreaterThanOrEqual(readableContrast);
  });

  it('can be read on every background', () => {
    const worst = Math.min(
      ...everyColor.flatMap((bg) =>
        [null, ...everyColor.slice(0, 16), 208, 240].map((fg) => measure({ fg, bg }, scheme)),
      ),
    );
    expect(worst).toBeGreaterThanOrEqual(readableContrast);
  });

  it('draws default text in dim readably', () => {
    expect(measure({ dim: true }, scheme)).toBeGreaterThanOrEqual(readableContrast);
  });
});

describe('the style of a segment', () => {
  it('names both schemes, so that a change of scheme needs no new rows', () => {
    expect(computePaintStyle({ ...plainPaint, fg: 2 })).toEqual({ color: 'light-dark(#157743, #57c98a)' });
  });

  it('joins underline and strike', () => {
    expect(computePaintStyle({ ...plainPaint, underline: true, strike: true })).toEqual({
      textDecorationLine: 'underline line-through',
    });
  });

  it('leaves a bold default its colour', () => {
    expect(computePaintStyle({ ...plainPaint, bold: true })).toEqual({ fontWeight: 700 });
  });
});

it('the log reckons with the surface and the text of the tokens', () => {
  const tokens = readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8');
  const read = (name: string) =>
    [...tokens.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map((found) => found[1]);
  expect(read('log')).toEqual([logSurface.light, logSurface.dark]);
  expect(read('text')).toEqual([logText.light, logText.dark]);
});

it('the log reckons with the tints of the style sheet', () => {
  const css = readFileSync(new URL('./log.module.css', import.meta.url), 'utf8');
  const tokens = readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8');
  for (const { token, percent, light, dark } of rowTints) {
    expect(css).toContain(`color-mix(in srgb, var(--${token}) ${percent}%, var(--log))`);
    const values = [...tokens.matchAll(new RegExp(`--${token}: (#[0-9a-f]{6});`, 'g'))].map((found) => found[1]);
    expect(values).toEqual([light, dark]);
  }
});
