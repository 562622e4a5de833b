import type { LinkProps } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';

export type Crumb = { label: string; link?: LinkProps };
type Page = { title: string; parents: Crumb[] };

const listeners = new Set<() => void>();
let current: Page = { title: '', parents: [] };

/** Names the screen: in the tab of the browser and, with what it belongs to, in the top bar. */
export function usePage(title: string, parents: Crumb[] = []): void {
  const place = JSON.stringify(parents);
  useEffect(() => {
    current = { title, parents: JSON.parse(place) };
    document.title = title === '' ? 'Signalbox' : `${title} · Signalbox`;
    for (const listener of listeners) listener();
  }, [title, place]);
}

export function useCurrentPage(): Page {
  return useSyncExternalStore(watchPage, () => current);
}

function watchPage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
