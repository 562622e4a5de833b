import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { en } from '../locales/en.ts';

export type MessageKey = Extract<keyof typeof en, string>;
type Values = Record<string, string | number>;

/** Every language of the interface, in the order of the menu. `locale` is its name for the browser's formatters. */
export const languages = [
  { id: 'en', locale: 'en', title: 'English' },
  { id: 'es', locale: 'es', title: 'Español' },
  { id: 'ru', locale: 'ru', title: 'Русский' },
  { id: 'de', locale: 'de', title: 'Deutsch' },
  { id: 'nl', locale: 'nl', title: 'Nederlands' },
  { id: 'zh_cn', locale: 'zh-CN', title: '中文 (大陆)' },
  { id: 'zh_tw', locale: 'zh-TW', title: '中文 (台灣)' },
  { id: 'fr', locale: 'fr', title: 'Français' },
  { id: 'it', locale: 'it', title: 'Italiano' },
  { id: 'pl', locale: 'pl', title: 'Polski' },
  { id: 'pt', locale: 'pt-PT', title: 'Português' },
  { id: 'pt_br', locale: 'pt-BR', title: 'Português (Brasil)' },
] as const;
export type Language = (typeof languages)[number];
type LanguageId = Language['id'];

type Dictionary = Record<string, string>;

/** English is in the first load, the others are chunks of their own. Each is complete: a test compares their keys. */
const dictionaries: Record<LanguageId, () => Promise<Dictionary>> = {
  en: async () => en,
  es: async () => (await import('../locales/es.ts')).es,
  ru: async () => (await import('../locales/ru.ts')).ru,
  de: async () => (await import('../locales/de.ts')).de,
  nl: async () => (await import('../locales/nl.ts')).nl,
  zh_cn: async () => (await import('../locales/zh-cn.ts')).zhCn,
  zh_tw: async () => (await import('../locales/zh-tw.ts')).zhTw,
  fr: async () => (await import('../locales/fr.ts')).fr,
  it: async () => (await import('../locales/it.ts')).it,
  pl: async () => (await import('../locales/pl.ts')).pl,
  pt: async () => (await import('../locales/pt.ts')).pt,
  pt_br: async () => (await import('../locales/pt-br.ts')).ptBr,
};

const i18n = setupI18n({ locale: 'en', messages: { en } });

/** What was read of a message is kept: lists say the same ones in every row. */
const compiled = new Map<string, ReturnType<typeof compileMessage>>();
i18n.setMessagesCompiler((message) => {
  const known = compiled.get(message);
  if (known !== undefined) return known;
  const read = compileMessage(message);
  compiled.set(message, read);
  return read;
});

/** The text of a key in the current language, with its values filled in. */
export function t(key: MessageKey, values?: Values): string {
  return i18n._(key, values);
}

/** The language as the browser's own formatters, and the document, name it. */
export function currentLocale(): string {
  return i18n.locale;
}

/** The language that 'system default' stands for here: the browser's first one that has a dictionary. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = new Map<string, Language>(languages.map((language) => [language.id, language]));
  for (const tag of preferred) {
    const { language, script } = new Intl.Locale(tag).maximize();
    // Chinese is told apart by its script, and the browser may name only the place.
    const own = language === 'zh' ? `zh_${script === 'Hant' ? 'tw' : 'cn'}` : tag.toLowerCase().replace('-', '_');
    const found = known.get(own) ?? known.get(language);
    if (found !== undefined) return found;
  }
  return languages[0];
}

/** Loads the dictionary of a language. @returns what makes it current @throws when it cannot be fetched */
export async function loadLanguage({ id, locale }: Language): Promise<() => void> {
  const messages = await dictionaries[id]();
  return () => i18n.loadAndActivate({ locale, messages });
}
