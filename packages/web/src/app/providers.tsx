import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { activateLanguage, chooseLanguage, type LanguageId, languages } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';
import { readStyleNonce } from '../ui/style-nonce.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { colorSchemeStore } from './color-scheme.ts';
import type { ConsoleRouter } from './router.tsx';

export function Providers({ router }: { router: ConsoleRouter }) {
  const [wanted] = usePreference('language');
  const [shown, setShown] = useState<LanguageId>('en');
  useEffect(() => {
    const id = languages.find((language) => language.id === wanted)?.id ?? chooseLanguage(navigator.languages);
    void activateLanguage(id).then(() => {
      document.documentElement.lang = id.replace('_', '-');
      setShown(id);
    });
  }, [wanted]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeStore}
      defaultColorScheme="auto"
      getStyleNonce={readStyleNonce}
    >
      <Notifications position="bottom-right" limit={4} />
      <QueryClientProvider client={router.options.context.queryClient}>
        {/* Texts are read while drawing, so another language draws everything anew. */}
        <RouterProvider key={shown} router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
