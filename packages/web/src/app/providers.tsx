import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { readStyleNonce } from '../ui/style-nonce.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { colorSchemeStore } from './color-scheme.ts';
import type { ConsoleRouter } from './router.tsx';
import { useLanguage } from './use-language.ts';

export function Providers({ router }: { router: ConsoleRouter }) {
  const language = useLanguage();
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
        {language === undefined ? null : <RouterProvider key={language} router={router} />}
      </QueryClientProvider>
    </MantineProvider>
  );
}
