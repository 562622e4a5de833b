import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function readTokens(selectorEnd: string): Map<string, string> {
  const start = css.indexOf(selectorEnd);
  const block = css.slice(css.indexOf('{', start), css.indexOf('}', start));
  return new Map(
    [...block.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ['page', 'surface', 'raised', 'hover', 'log'];
const states = ['success', 'failed', 'running', 'confirm', 'waiting', 'stopped'];
const pairs: [string, string][] = [
  ...['text', 'muted', 'faint', 'accent', ...states].flatMap((ink) =>
    grounds.map((ground): [string, string] => [ink, ground]),
  ),
  ...['text', 'muted', 'faint', 'accent'].map((ink): [string, string] => [ink, 'selected']),
  ...states.map((state): [string, string] => [state, `${state}-tint`]),
  ...['red', 'blue', 'orange', 'green'].map((colour): [string, string] => ['on-avatar', `avatar-${colour}`]),
  ['on-ink', 'ink'],
  ['on-ink', 'ink-hover'],
  ['on-accent', 'accent'],
];

describe.each([
  ['light', ':root[data-mantine-color-scheme="light"]'],
  ['dark', ':root[data-mantine-color-scheme="dark"]'],
])('colours in %s', (_, selector) => {
  const tokens = readTokens(selector);

  test.each(pairs)('%s on %s can be read: at least 4.5:1', (ink, ground) => {
    expect(contrast(tokens.get(ink) ?? '', tokens.get(ground) ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['page', 'surface', 'raised'])('the edge of a switch can be seen on %s: at least 3:1', (ground) => {
    expect(contrast(tokens.get('control') ?? '', tokens.get(ground) ?? '')).toBeGreaterThanOrEqual(3);
  });
});
