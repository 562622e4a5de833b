import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { changePreferences, readPreferences } from '../lib/preferences.ts';

/** Keeps light, dark or automatic with the other preferences of this browser. */
export const colorSchemeStore: MantineColorSchemeManager = {
  get: (fallback: MantineColorScheme) => readPreferences().colorScheme ?? fallback,
  set: (colorScheme) => changePreferences({ colorScheme }),
  clear: () => changePreferences({ colorScheme: 'auto' }),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
};
