import type { CSSProperties } from 'react';
import { formatHex, makeReadable, mix, parseHex, type Rgb } from './colors.ts';
import { type Paint, type TerminalColor, trueColor } from './sgr.ts';

export type Scheme = 'light' | 'dark';

type Theme = { surface: Rgb; tints: readonly Rgb[]; text: Rgb; palette: readonly Rgb[]; backgrounds: readonly Rgb[] };

/** `--log` and `--text` of the tokens, as numbers; a test compares them. */
export const logSurface = { light: '#fbfcfd', dark: '#0f1318' } as const;
export const logText = { light: '#161b24', dark: '#e5e9f0' } as const;
/**
 * What the style sheet mixes into the surface of a row, by token: the current hit, the first error, selected lines. Colours are read
 * there too.
 */
export const rowTints = [
  { token: 'confirm', percent: 13, light: '#9a5b00', dark: '#f0b35a' },
  { token: 'failed', percent: 9, light: '#c3272f', dark: '#ff8079' },
  { token: 'accent', percent: 11, light: '#5b4bd6', dark: '#a99bff' },
] as const;

/**
 * The sixteen named colours as text, in the tones of the states: what Ansible prints green is the green of Success. A row
 * is black, red, green, yellow, blue, magenta, cyan, white, then the bright ones.
 */
const palettes = {
  light:
    '#161b24 #c3272f #157a45 #9a5b00 #1d5fd1 #8a35b5 #0b6f85 #586273 #67707f #b3121c #0d6a39 #854d00 #1550b8 #74219f #075d70 #3d4757',
  dark: '#9aa5b5 #ff8079 #57c98a #f0b35a #6fa8ff #d59bff #56c7d9 #d3d9e3 #7f8a9b #ff9d97 #7bdca5 #ffc978 #93bfff #e3b8ff #7ddbe9 #ffffff',
} as const;
/** The same as surfaces, on which the text is then made readable. */
const backgrounds = {
  light:
    '#20262f #c3272f #157a45 #f0c566 #1d5fd1 #8a35b5 #0b6f85 #dfe3ea #67707f #f0898e #7fd0a3 #ffe08a #8fb8f7 #d3a2ec #86cfdd #eef0f4',
  dark: '#2b323d #8c2a2e #1b6b41 #7d5310 #24539f #6b3390 #17616e #aab3c0 #4b5563 #b03a3f #268553 #996a1c #3468bd #8442ae #217a8a #e5e9f0',
} as const;

const themes: Record<Scheme, Theme> = { light: readTheme('light'), dark: readTheme('dark') };

function readTheme(scheme: Scheme): Theme {
  return {
    surface: parseHex(logSurface[scheme]),
    tints: rowTints.map((tint) => mix(parseHex(logSurface[scheme]), parseHex(tint[scheme]), tint.percent / 100)),
    text: parseHex(logText[scheme]),
    palette: palettes[scheme].split(' ').map(parseHex),
    backgrounds: backgrounds[scheme].split(' ').map(parseHex),
  };
}

/** Colours of a style in one scheme. Null = the log's own. Text is readable on its ground, whatever the program chose. */
export function resolveColors(paint: Paint, scheme: Scheme): { color: Rgb | null; background: Rgb | null } {
  const theme = themes[scheme];
  const ownText = paint.fg === null ? theme.text : readColor(paint.fg, theme.palette);
  const ownGround = paint.bg === null ? theme.surface : readColor(paint.bg, theme.backgrounds);
  const ground = paint.inverse ? ownText : ownGround;
  const text = paint.inverse ? ownGround : ownText;
  const isOwnGround = paint.bg === null && !paint.inverse;
  if (paint.fg === null && isOwnGround && !paint.dim) return { color: null, background: null };
  const toned = paint.dim ? mix(text, ground, 0.35) : text;
  const grounds = isOwnGround ? [ground, ...theme.tints] : [ground];
  const color = grounds.reduce(makeReadable, toned);
  return { color, background: isOwnGround ? null : ground };
}

/** The style of a segment, for both schemes at once: the browser picks by the page's colour scheme. */
export function computePaintStyle(paint: Paint): CSSProperties {
  const found = styles.get(paint);
  if (found !== undefined) return found;
  const style = buildStyle(paint);
  styles.set(paint, style);
  return style;
}

const styles = new WeakMap<Paint, CSSProperties>();

function buildStyle(paint: Paint): CSSProperties {
  const style: CSSProperties = {};
  const light = resolveColors(paint, 'light');
  const dark = resolveColors(paint, 'dark');
  if (light.color !== null && dark.color !== null) style.color = formatPair(light.color, dark.color);
  if (light.background !== null && dark.background !== null) {
    style.backgroundColor = formatPair(light.background, dark.background);
  }
  if (paint.bold) style.fontWeight = 700;
  if (paint.italic) style.fontStyle = 'italic';
  const lines = [paint.underline ? 'underline' : '', paint.strike ? 'line-through' : ''].filter((line) => line !== '');
  if (lines.length > 0) style.textDecorationLine = lines.join(' ');
  return style;
}

function formatPair(light: Rgb, dark: Rgb): string {
  return `light-dark(${formatHex(light)}, ${formatHex(dark)})`;
}

function readColor(color: NonNullable<TerminalColor>, named: readonly Rgb[]): Rgb {
  if (color >= trueColor) {
    const rgb = color - trueColor;
    return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
  }
  return named[color] ?? readPaletteColor(color);
}

/** 16 to 231 is a cube of 6 × 6 × 6, 232 to 255 a ramp of greys. */
function readPaletteColor(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}
