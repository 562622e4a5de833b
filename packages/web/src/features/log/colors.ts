/** WCAG arithmetic on 24-bit colours: what makes any colour of a terminal readable on any surface. */
export type Rgb = readonly [red: number, green: number, blue: number];

export function parseHex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

export function formatHex(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const blend = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [blend(0), blend(1), blend(2)];
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function computeContrast(one: Rgb, other: Rgb): number {
  const a = computeLuminance(one);
  const b = computeLuminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** WCAG AA for text. */
export const readableContrast = 4.5;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** The colour itself if it can be read on the surface, else the nearest shade or tint of it that can. */
export function makeReadable(color: Rgb, surface: Rgb): Rgb {
  if (computeContrast(color, surface) >= readableContrast) return color;
  const target = computeContrast(black, surface) > computeContrast(white, surface) ? black : white;
  let low = 0;
  let high = 1;
  for (let step = 0; step < 8; step += 1) {
    const middle = (low + high) / 2;
    if (computeContrast(mix(color, target, middle), surface) >= readableContrast) high = middle;
    else low = middle;
  }
  return mix(color, target, high);
}

function computeLuminance(color: Rgb): number {
  return 0.2126 * toLinear(color[0]) + 0.7152 * toLinear(color[1]) + 0.0722 * toLinear(color[2]);
}

function toLinear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
