import { expect, test } from 'vitest';
import { maskBytes, maskHeaders, maskText } from './redaction.ts';

const secret = 'pa"ss wörd/1+2';

test('headers that prove something are masked by their names', () => {
  const proving = [
    'authorization',
    'proxy-authorization',
    'cookie',
    'x-hub-signature',
    'x-hub-signature-256',
    'x-gitea-signature',
    'x-gitlab-token',
    'x-api-key',
    'my-own-proof',
  ];
  const headers = Object.fromEntries([...proving, 'x-github-event', 'user-agent'].map((name) => [name, 'value']));
  const masked = maskHeaders(headers, 'My-Own-Proof', []);
  expect(Object.keys(masked).filter((name) => masked[name] === 'value')).toEqual(['x-github-event', 'user-agent']);
});

test('a secret is masked in whatever form it is written', () => {
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString(),
    Buffer.from(secret).toString('base64'),
  ];
  for (const form of forms) {
    const text = `before ${form} after`;
    for (const masked of [maskText(text, [secret]), maskBytes(Buffer.from(text), [secret]).toString()]) {
      expect(masked).toContain('***');
      expect(masked).not.toMatch(/ss|1\+2|1%2B2/);
      expect(masked).toMatch(/^before .* after$/);
    }
  }
  expect(maskHeaders({ 'x-note': `see ${secret}` }, '', [secret])).toEqual({ 'x-note': 'see ***' });
});

test('bytes that are no text stay as they are around a secret', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0]), Buffer.from('hidden'), Buffer.from([0xfe])]);
  expect(maskBytes(bytes, ['hidden'])).toEqual(
    Buffer.concat([Buffer.from([0xff, 0]), Buffer.from('***'), Buffer.from([0xfe])]),
  );
});

test('a short secret is masked where it is the whole text, and does not tear other texts', () => {
  expect(maskText('a', ['a'])).toBe('***');
  expect(maskText('banana', ['a'])).toBe('banana');
});
