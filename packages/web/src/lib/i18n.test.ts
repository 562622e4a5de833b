import { readdirSync, readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { afterEach, describe, expect, test } from 'vitest';
import { en } from '../locales/en.ts';
import { chooseLanguage, currentLocale, languages, loadLanguage, t } from './i18n.ts';

const source = new URL('..', import.meta.url);
const program = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /[.]tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(new URL(file, source), 'utf8'))
  .join('\n');

// The tests share the module, and the others read English.
afterEach(async () => (await loadLanguage(languages[0]))());

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
  [['de-DE', 'en-US'], 'de'],
  [['xx', 'pl'], 'pl'],
  [['xx'], 'en'],
  [['en-GB', 'de'], 'en'],
  [['pt-BR'], 'pt_br'],
  [['pt-AO'], 'pt'],
  [['zh'], 'zh_cn'],
  [['zh-HK'], 'zh_tw'],
  [['zh-Hant-CN'], 'zh_tw'],
  [[], 'en'],
])('the languages %j of a browser get a language that has a dictionary', (preferred, id) => {
  expect(chooseLanguage(preferred).id).toBe(id);
});

test.each(languages)('$id is loaded, and the formatters of the browser know its name', async (language) => {
  const { id, title } = language;
  const activate = await loadLanguage(language);
  activate();
  expect(t('ui.deleteTitle', { object: 'key' })).toContain('key');
  expect(t('ui.cancel')).not.toBe('ui.cancel');
  expect(t('ui.cancel') === 'Cancel').toBe(id === 'en');
  const [name] = new Intl.DisplayNames(language.locale, { type: 'language' }).of(language.locale)?.split(/[ （]/) ?? [];
  expect(currentLocale()).toBe(language.locale);
  expect(title.toLowerCase()).toContain(name?.toLowerCase());
});
