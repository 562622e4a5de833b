import { readdirSync, readFileSync } from 'node:fs';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';

type Dictionary = Record<string, string>;

const folder = new URL('.', import.meta.url);
const areas = readdirSync(new URL('en/', folder));
const translated = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'en')
  .map((entry) => entry.name);

const read = (language: string, area: string): Dictionary =>
  JSON.parse(readFileSync(new URL(`${language}/${area}`, folder), 'utf8')) as Dictionary;

/** The values that a message is filled with, each with its kind, as `count:plural`, in the order of the alphabet. */
function listArguments(message: CompiledMessage): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [name, kind, forms] = part as [string, string?, Record<string, unknown>?];
    found.add(`${name}:${kind ?? 'text'}`);
    if (typeof forms === 'object') for (const form of Object.values(forms)) [form].flat().forEach(visit);
  };
  [message].flat().forEach(visit);
  return [...found].sort();
}

/** The forms of each plural of a message. */
function listPlurals(message: CompiledMessage): string[][] {
  return [message]
    .flat()
    .flatMap((part) => (Array.isArray(part) && part[1] === 'plural' ? [Object.keys(part[2] as object)] : []));
}

/** The plural forms that the numbers of everyday life need in a language. */
function listForms(language: string): string[] {
  const rules = new Intl.PluralRules(language.replace('_', '-'));
  return [...new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number)))].sort();
}

describe.each(translated)('the dictionary of %s', (language) => {
  test('has the areas and the keys of English, in the same order', () => {
    expect(readdirSync(new URL(`${language}/`, folder))).toEqual(areas);
    for (const area of areas)
      expect([area, ...Object.keys(read(language, area))]).toEqual([area, ...Object.keys(read('en', area))]);
  });

  test('fills each message with the values of the English one', () => {
    for (const area of areas) {
      const english = read('en', area);
      for (const [key, message] of Object.entries(read(language, area)))
        expect([key, ...listArguments(compileMessageOrThrow(message))]).toEqual([
          key,
          ...listArguments(compileMessageOrThrow(english[key] ?? '')),
        ]);
    }
  });

  test('has a text for every number', () => {
    const forms = listForms(language);
    for (const area of areas)
      for (const [key, message] of Object.entries(read(language, area)))
        for (const plural of listPlurals(compileMessageOrThrow(message)))
          expect([key, ...plural]).toEqual(expect.arrayContaining([key, ...forms]));
  });

  test('is a translation: few messages are those of English', () => {
    const pairs = areas.flatMap((area) => {
      const english = read('en', area);
      return Object.entries(read(language, area)).map(([key, message]) => [message, english[key]]);
    });
    expect(pairs.every(([message]) => message !== '')).toBe(true);
    expect(pairs.filter(([message, english]) => message === english).length / pairs.length).toBeLessThan(0.15);
  });
});
