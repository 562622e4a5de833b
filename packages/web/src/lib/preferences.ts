import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';

/**
 * What one browser remembers. Nothing of it is sent to the server, and the console works without it: a private window
 * may refuse to store, another program may have written nonsense.
 */
const Preferences = z.object({
  language: z.catch(z.string(), 'system'),
  colorScheme: z.catch(z.enum(['auto', 'light', 'dark']), 'auto'),
  lastProject: z.catch(z.nullable(z.int()), null),
  /** Last template view of each project. */
  lastView: z.catch(z.record(z.string(), z.int()), {}),
  /** Hidden columns of each table. */
  hiddenColumns: z.catch(z.record(z.string(), z.array(z.string())), {}),
  /** Command line arguments that were used before, by app, newest first. */
  usedArguments: z.catch(z.record(z.string(), z.array(z.string())), {}),
  /** What was chosen in the palette, newest first. */
  recentChoices: z.catch(z.array(z.string()), []),
  /** Shortcuts that are a letter alone. */
  letterKeys: z.catch(z.boolean(), true),
  fullScreenLog: z.catch(z.boolean(), false),
  wrapLog: z.catch(z.boolean(), false),
  logTimes: z.catch(z.boolean(), false),
});
export type Preferences = z.infer<typeof Preferences>;

const STORAGE_KEY = 'signalbox.preferences';
const listeners = new Set<() => void>();
let current: Preferences | undefined;

export function readPreferences(): Preferences {
  current ??= z.parse(Preferences, readStored());
  return current;
}

export function changePreferences(change: Partial<Preferences>): void {
  current = { ...readPreferences(), ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // no room or no right to store: it is remembered until the page is closed
  }
  for (const listener of listeners) listener();
}

/** A preference that stays current, also when another tab changes it. */
export function usePreference<K extends keyof Preferences>(name: K): [Preferences[K], (value: Preferences[K]) => void] {
  const value = useSyncExternalStore(watchPreferences, () => readPreferences()[name]);
  return [value, (next) => changePreferences({ [name]: next })];
}

function watchPreferences(listener: () => void): () => void {
  const reload = (event: StorageEvent): void => {
    if (event.key !== STORAGE_KEY) return;
    current = undefined;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', reload);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', reload);
  };
}

function readStored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {}; // refused or unreadable: start from the defaults
  }
}
