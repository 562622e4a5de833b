import { expect, it } from 'vitest';
import { Mask, maskSentence, SecretSearch } from './mask.ts';

function maskInParts(secrets: string[], parts: string[]): string {
  const mask = new Mask(new SecretSearch(secrets));
  return parts.map((part) => mask.push(part)).join('') + mask.end();
}

it('masks a secret wherever a stream is cut', () => {
  const text = 'before s3cret-word after s3cret-wor s3cret-word';
  for (let cut = 0; cut <= text.length; cut += 1) {
    for (let second = cut; second <= text.length; second += 5) {
      const parts = [text.slice(0, cut), text.slice(cut, second), text.slice(second)];
      expect(maskInParts(['s3cret-word'], parts)).toBe('before *** after s3cret-wor ***');
    }
  }
});

it('holds back only what may become a secret', () => {
  const mask = new Mask(new SecretSearch(['password1']));
  expect(mask.push('the pass')).toBe('the ');
  expect(mask.push('ing !')).toBe('passing !');
});

it('leaves no end of a secret that begins inside of another one', () => {
  for (const parts of [['xyzabcdef!'], ['xyzabc', 'def!'], ['xyzab', 'cd', 'ef!'], [...'xyzabcdef!']]) {
    expect(maskInParts(['xyzabc', 'abcdef'], parts)).toBe('***!');
  }
});

it('prefers the longer of two secrets that begin alike, also when the longer one arrives later', () => {
  expect(maskInParts(['abcd', 'abcdefgh'], ['abcdefgh.'])).toBe('***.');
  expect(maskInParts(['abcd', 'abcdefgh'], ['abcdef', 'gh.'])).toBe('***.');
  expect(maskInParts(['abcd', 'abcdefgh'], ['abcdef', 'xx.'])).toBe('***efxx.');
});

it('masks a secret in base64 at each of its three phases, and in base64url', () => {
  const secret = 'p>ss?word~~ÿÿ';
  for (const before of ['', 'a', 'ab', 'abc', 'login:']) {
    for (const after of ['', 'z', 'zz', 'zzz']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${secret}${after}`).toString(encoding);
        const masked = maskInParts([secret], [encoded]);
        expect(masked).toContain('***');
        const left = Buffer.from(masked.replaceAll('***', ''), 'base64').toString();
        for (let at = 0; at + 3 <= secret.length; at += 1) expect(left).not.toContain(secret.slice(at, at + 3));
      }
    }
  }
});

it('masks a secret as JSON and in a URL', () => {
  const secret = 'a"b\\c/d ü\n9';
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
  for (const text of [
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
  ]) {
    expect(maskInParts([secret], [latin1(`<${text}>`)])).toBe('<***>');
  }
});

it.each([
  ['in ASCII JSON', 'pässwört/1', 'p\\u00e4ssw\\u00f6rt/1'],
  ['in ASCII JSON with capital digits', 'pässwört', 'p\\u00E4ssw\\u00F6rt'],
  ['in JSON that is safe in HTML', 'a<b>&c', 'a\\u003cb\\u003e\\u0026c'],
  ['in a URL with every sign escaped', "it's(me)!*", 'it%27s%28me%29%21%2A'],
  ['in a URL with small digits', 'a/b:c#d', 'a%2fb%3ac%23d'],
  ['in a URL with every sign escaped in small digits', "a/b'c", 'a%2fb%27c'],
  ['in the text of a form', 'a b~c!', 'a+b%7Ec%21'],
  ['in a path of a URL', 'a/b:c', 'a/b%3Ac'],
])('masks a secret %s', (_way, secret, text) => {
  expect(maskInParts([secret], [`<${text}>`])).toBe('<***>');
});

it.each([76, 64])('masks each line of a long secret in base64 that is broken at %i columns', (columns) => {
  const secret = Array.from({ length: 40 }, (_value, index) => `part${index}`).join('-');
  const encoded = Buffer.from(`${secret}\n`).toString('base64');
  const masked = maskInParts([secret], [encoded.replaceAll(new RegExp(`.{${columns}}`, 'g'), '$&\n')]);
  expect(masked).toMatch(/^(\*\*\*\n)+\*\*\*[A-Za-z0-9+/=]{0,3}\n?$/);
});

it('masks each line of a secret of several lines, but not the armour of a key', () => {
  const key = '-----BEGIN KEY-----\nAAAAbbbbCCCC\nDDDDeeee\nxy\n-----END KEY-----\n';
  expect(maskInParts([key], ['got AAAAbbbbCCCC and DDDDeeee, xy'])).toBe('got *** and ***, xy');
  expect(maskInParts([key], ['-----BEGIN KEY-----\n'])).toBe('-----BEGIN KEY-----\n');
  expect(maskInParts([key], [`<${key}>`])).toBe('<***>');
});

it('does not mask secrets of fewer than 4 bytes, and counts bytes, not characters', () => {
  expect(maskInParts(['abc'], ['abc'])).toBe('abc');
  expect(maskSentence(new SecretSearch(['üü']), 'say üü now')).toBe('say *** now');
});

it('treats secrets as text, whatever signs they have', () => {
  expect(maskInParts(['a.*+?^$(){}|[]\\/b'], ['x a.*+?^$(){}|[]\\/b y', ' axxb'])).toBe('x *** y axxb');
});

it('gets through a text that is one secret over and over again', () => {
  const masked = maskInParts(
    ['aaaa'],
    Array.from({ length: 20 }, () => 'a'.repeat(65_536)),
  );
  expect(masked).toBe('***');
});
