import { useEffect, useState } from 'react';
import { chooseLanguage, currentLocale, type Language, languages, loadLanguage } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';
import { showFailure } from '../ui/snackbar.ts';

/** The language that the texts are in now, which is the wanted one as soon as it is there; undefined before the first one. */
export function useLanguage(): Language['id'] | undefined {
  const [preferred] = usePreference('language');
  const wanted = languages.find(({ id }) => id === preferred) ?? chooseLanguage(navigator.languages);
  // English needs no loading.
  const [shown, setShown] = useState<Language['id'] | undefined>(wanted.id === 'en' ? 'en' : undefined);
  useEffect(() => {
    let isCurrent = true;
    loadLanguage(wanted).then(
      (activate) => {
        if (!isCurrent) return;
        activate();
        document.documentElement.lang = currentLocale();
        setShown(wanted.id);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        setShown((before) => before ?? 'en');
        showFailure(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return shown;
}
