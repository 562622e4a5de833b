import { describe, expect, it } from 'vitest';
import { maxSegments, readPlainText, styleLine } from './ansi.ts';
import type { Paint } from './sgr.ts';
import { trueColor } from './sgr.ts';

const E = '\u001b';
const BEL = '\u0007';

/** Segments in short: text, then what differs from the default style. */
function read(line: string): [string, Partial<Paint>?][] {
  return styleLine(line).segments.map((segment) => {
    if (segment.paint === null) return [segment.text];
    const set = Object.entries(segment.paint).filter(([, value]) => value !== null && value !== false);
    return [segment.text, Object.fromEntries(set)];
  });
}

describe('colours and styles', () => {
  it.each<[string, string, [string, Partial<Paint>?][]]>([
    ['a plain line is one segment', 'ok: [web-01]', [['ok: [web-01]']]],
    ['an empty line has no segment', '', []],
    ['a named colour', `${E}[32mok${E}[0m done`, [['ok', { fg: 2 }], [' done']]],
    ['an empty code resets', `${E}[1mbold${E}[m plain`, [['bold', { bold: true }], [' plain']]],
    ['several codes at once', `${E}[1;4;31mx`, [['x', { bold: true, underline: true, fg: 1 }]]],
    ['bright colours', `${E}[90;107mx`, [['x', { fg: 8, bg: 15 }]]],
    ['the palette', `${E}[38;5;208;48;5;17mx`, [['x', { fg: 208, bg: 17 }]]],
    ['true colour', `${E}[38;2;255;128;0mx`, [['x', { fg: trueColor + 0xff8000 }]]],
    ['true colour with colons', `${E}[38:2::255:128:0;1mx`, [['x', { fg: trueColor + 0xff8000, bold: true }]]],
    ['the palette with colons', `${E}[48:5:9mx`, [['x', { bg: 9 }]]],
    ['an underline colour is skipped whole', `${E}[58;2;1;2;3;31mx`, [['x', { fg: 1 }]]],
    [
      'dim, italic, inverse, strike',
      `${E}[2;3;7;9mx`,
      [['x', { dim: true, italic: true, inverse: true, strike: true }]],
    ],
    ['22 ends bold and dim', `${E}[1;2mx${E}[22my`, [['x', { bold: true, dim: true }], ['y']]],
    ['4:0 ends the underline', `${E}[4:3mx${E}[4:0my`, [['x', { underline: true }], ['y']]],
    ['39 and 49 end the colours', `${E}[31;42mx${E}[39;49my`, [['x', { fg: 1, bg: 2 }], ['y']]],
    ['a colour out of range changes nothing', `${E}[38;5;999;1mx`, [['x', { bold: true }]]],
    ['equal neighbours are one segment', `${E}[31ma${E}[31mb${E}[0m${E}[31mc`, [['abc', { fg: 1 }]]],
    ['unknown codes change nothing', `${E}[31;999mx`, [['x', { fg: 1 }]]],
  ])('%s', (_name, line, expected) => {
    expect(read(line)).toEqual(expected);
  });
});

describe('what is not shown', () => {
  it.each([
    ['cursor movement', `a${E}[2Ab${E}[10;20Hc`, 'abc'],
    ['erasing', `a${E}[Kb${E}[2Jc`, 'abc'],
    ['private modes', `${E}[?25lhidden cursor${E}[?25h`, 'hidden cursor'],
    ['a private sequence that ends in m', `${E}[>4;1mx`, 'x'],
    ['a title', `${E}]0;my title${BEL}text`, 'text'],
    ['a link keeps its text', `${E}]8;;https://a.example/${E}\\here${E}]8;;${E}\\ ok`, 'here ok'],
    ['a link to a script is its text alone', `${E}]8;;javascript:alert(1)${E}\\here${E}]8;;${E}\\`, 'here'],
    ['a device control string', `a${E}P1$r0m${E}\\b`, 'ab'],
    ['a character set', `${E}(Bx${E})0y`, 'xy'],
    ['a two-character sequence', `a${E}7b${E}8c${E}=d`, 'abcd'],
    ['a sequence cut by the end of the line', `a${E}[31`, 'a'],
    ['a lone escape at the end', `a${E}`, 'a'],
    ['a sequence broken by a foreign character', `a${E}[31éb`, 'aéb'],
    ['bell and backspace', `a${BEL}b\bc`, 'abc'],
    ['C1 controls', 'a\u0085b\u009bc', 'abc'],
  ])('%s', (_name, line, expected) => {
    expect(readPlainText(line)).toBe(expected);
  });

  it('shows the text behind a string that never ends', () => {
    expect(readPlainText(`a${E}]0;fatal: all is lost`)).toBe('a0;fatal: all is lost');
  });

  it('shows NUL and other odd controls by their picture', () => {
    expect(readPlainText('a\u0000b\u0001c\u007fd')).toBe('a\u2400b\u2401c\u2421d');
  });

  it('keeps tabs', () => {
    expect(readPlainText('a\tb')).toBe('a\tb');
  });

  it('makes no markup of markup', () => {
    expect(read('<img src=x onerror=alert(1)>')).toEqual([['<img src=x onerror=alert(1)>']]);
  });
});

describe('a carriage return', () => {
  it.each([
    ['shows the last segment', '10%\r50%\r100%', '100%'],
    ['at the end leaves the text', '100%\r', '100%'],
    ['at the start changes nothing', '\rtext', 'text'],
    ['followed by codes alone leaves the text', `done\r${E}[K${E}[0m`, 'done'],
    ['twice is one', 'a\r\rb', 'b'],
  ])('%s', (_name, line, expected) => {
    expect(readPlainText(line)).toBe(expected);
  });

  it('keeps the style that is set', () => {
    expect(read(`${E}[32m10%\r20%`)).toEqual([['20%', { fg: 2 }]]);
  });
});

describe('a line made to hurt', () => {
  it('keeps all text of a line with too many colours and says that it was simplified', () => {
    const line = Array.from({ length: 5000 }, (_, index) => `${E}[3${index % 7}mx`).join('');
    const styled = styleLine(line);
    expect(styled.segments).toHaveLength(maxSegments);
    expect(styled.simplified).toBe(true);
    expect(styled.segments.map((segment) => segment.text).join('')).toBe('x'.repeat(5000));
  });

  it('forgets what a carriage return overwrote before it counts', () => {
    const noise = Array.from({ length: 5000 }, (_, index) => `${E}[3${index % 7}mx`).join('');
    expect(styleLine(`${noise}\r${E}[0mdone`)).toEqual({
      segments: [{ text: 'done', paint: null }],
      simplified: false,
    });
  });

  it.each([
    ['a million colours', `${E}[31mx`],
    ['a million resets', `${E}[m`],
    ['a million unfinished strings', `${E}]`],
    ['a million unfinished sequences', `${E}[`],
    ['a million escapes', E],
    ['a million finished strings', `${E}]a${BEL}`],
    ['a million carriage returns', 'x\r'],
    ['one endless parameter list', '1;'],
  ])('reads %s in the time of a few passes', (_name, unit) => {
    const line = unit === '1;' ? `${E}[${unit.repeat(1_000_000)}m` : unit.repeat(1_000_000);
    const start = performance.now();
    styleLine(line);
    // Quadratic time would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
