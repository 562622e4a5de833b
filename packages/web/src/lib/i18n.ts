import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { en } from '../locales/en.ts';

export type MessageKey = Extract<keyof typeof en, string>;
type Values = Record<string, string | number>;

/** Every language of the interface, in the order of the menu. Only those with a dictionary can be chosen. */
export const languages = [
  { id: 'en', title: 'English' },
  { id: 'es', title: 'Español' },
  { id: 'ru', title: 'Русский' },
  { id: 'de', title: 'Deutsch' },
  { id: 'nl', title: 'Nederlands' },
  { id: 'zh_cn', title: '中文 (大陆)' },
  { id: 'zh_tw', title: '中文 (台灣)' },
  { id: 'fr', title: 'Français' },
  { id: 'it', title: 'Italiano' },
  { id: 'pl', title: 'Polski' },
  { id: 'pt', title: 'Português' },
  { id: 'pt_br', title: 'Português (Brasil)' },
] as const;
export type LanguageId = (typeof languages)[number]['id'];

const dictionaries: Partial<Record<LanguageId, () => Promise<Record<MessageKey, string>>>> = {
  en: async () => en,
};

export const availableLanguages = languages.filter((language) => dictionaries[language.id] !== undefined);

const i18n = setupI18n({ locale: 'en', messages: { en } });
i18n.setMessagesCompiler(compileMessage);

/** The text of a key in the current language, with its values filled in. */
export function t(key: MessageKey, values?: Values): string {
  return i18n._(key, values);
}

/** The language as the browser's own formatters name it. */
export function currentLocale(): string {
  return i18n.locale.replace('_', '-');
}

/** The language that 'system default' stands for here: the browser's first one that has a dictionary. */
export function chooseLanguage(preferred: readonly string[]): LanguageId {
  for (const tag of preferred) {
    const wanted = tag.toLowerCase().replace('-', '_');
    const found =
      availableLanguages.find((language) => language.id === wanted) ??
      availableLanguages.find((language) => language.id === wanted.split('_')[0]);
    if (found !== undefined) return found.id;
  }
  return 'en';
}

/** Loads the dictionary of a language and makes it current. */
export async function activateLanguage(id: LanguageId): Promise<void> {
  const load = dictionaries[id];
  if (load === undefined || i18n.locale === id) return;
  i18n.loadAndActivate({ locale: id, messages: await load() });
}
