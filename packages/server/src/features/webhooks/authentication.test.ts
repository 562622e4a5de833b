import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signBody } from '../../test/webhook-calls.ts';
import { checkProof, type Proof } from './authentication.ts';

const secret = 'the-agreed-secret';
const body = Buffer.from('{"a": 1}');
const signature = signBody(secret, body);

function check(proof: Partial<Proof>, headers: Record<string, string> = {}, sent: Buffer = body) {
  const whole = { method: 'hmac', header: 'X-Sign', secret, ...proof } as const;
  return checkProof(whole, { method: 'POST', headers, body: sent });
}

test('no method lets everybody in', () => {
  expect(check({ method: '', secret: undefined }).accepted).toBe(true);
});

describe.each([
  ['github', 'x-hub-signature-256', `sha256=${signature}`],
  ['hmac', 'x-sign', signature],
  ['token', 'x-sign', secret],
] as const)('%s', (method, header, good) => {
  test('lets in who knows the secret', () => {
    expect(check({ method }, { [header]: good })).toMatchObject({ accepted: true });
  });

  test.each([
    ['nothing', {}],
    ['an empty text', { [header]: '' }],
    ['the header in another place', { [`${header}-2`]: good }],
    ['capital letters', { [header]: good.toUpperCase() }],
    ['a part', { [header]: good.slice(0, -1) }],
    ['more', { [header]: `${good}0` }],
    ['a blank before', { [header]: ` ${good}` }],
    ['it twice', { [header]: `${good}, ${good}` }],
    ['with Bearer', { [header]: `Bearer ${good}` }],
    ['what an empty key makes', { [header]: signBody('', body) }],
    ['what an empty key makes, as GitHub writes it', { [header]: `sha256=${signBody('', body)}` }],
  ])('refuses %s', (_, headers: Record<string, string>) => {
    expect(check({ method }, headers).accepted).toBe(false);
  });

  test.each([undefined, ''])('refuses everybody where the secret is %j', (missing) => {
    for (const text of ['', signBody('', body), `sha256=${signBody('', body)}`]) {
      expect(check({ method, secret: missing }, { [header]: text }).accepted).toBe(false);
    }
  });

  test('says no more than what is wrong, and never the secret', () => {
    expect(check({ method }, { [header]: 'x' }).text).toMatch(/ is wrong$/);
    expect(check({ method }, { [header]: 'x' }).text).not.toContain(secret);
  });
});

test('a signature is of the very bytes that came', () => {
  expect(check({}, { 'x-sign': signature }, Buffer.from('{"a":1}')).accepted).toBe(false);
  const bytes = Buffer.from([0xff, 0x00, 0xfe]);
  expect(check({}, { 'x-sign': signBody(secret, bytes) }, bytes).accepted).toBe(true);
});

test('a header without a name lets nobody in', () => {
  expect(check({ method: 'token', header: '' }, { '': secret }).accepted).toBe(false);
});

test('a header that only every object has is not there', () => {
  expect(check({ method: 'token', header: 'constructor' }).accepted).toBe(false);
  expect(check({ method: 'token', header: '__proto__' }).accepted).toBe(false);
});

test('secrets are compared in constant time and nowhere else', () => {
  const source = readFileSync(new URL('./authentication.ts', import.meta.url), 'utf8');
  expect(source.match(/timingSafeEqual\(/g)).toHaveLength(1);
  expect(source).not.toMatch(/(given|expected|secret) === (?!undefined|'')/);
});
