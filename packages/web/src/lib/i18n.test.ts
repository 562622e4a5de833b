import { readdirSync, readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { en } from '../locales/en.ts';
import { availableLanguages, chooseLanguage, t } from './i18n.ts';

const source = new URL('..', import.meta.url);
const program = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /[.]tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(new URL(file, source), 'utf8'))
  .join('\n');

describe('the English dictionary', () => {
  test.each(Object.entries(en))('has a message that compiles for %s', (_, message) => {
    expect(() => compileMessageOrThrow(message)).not.toThrow();
  });

  test('holds no message that nothing shows', () => {
    const unused = Object.keys(en).filter((key) => !program.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  test('names each key once: no area takes the key of another', () => {
    const folder = new URL('../locales/en/', import.meta.url);
    const keys = readdirSync(folder).flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('a text has its values filled in and keeps its apostrophe', () => {
  expect(t('references.title', { object: 'key' })).toBe("Can't delete the key");
});

test.each([
  [['de-DE', 'en-US'], 'en'],
  [['xx'], 'en'],
  [['en-GB'], 'en'],
])('the languages %j of a browser get a language that has a dictionary', (preferred, id) => {
  expect(chooseLanguage(preferred)).toBe(id);
  expect(availableLanguages.map((language) => language.id)).toContain(id);
});
