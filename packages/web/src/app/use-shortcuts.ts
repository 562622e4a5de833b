import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readPreferences } from '../lib/preferences.ts';
import { openCommand, typeAhead } from './commands.ts';
import type { ReachablePages } from './use-pages.ts';

/** How long `g` waits for the letter of the page. */
const secondKeyMs = 1500;

/** The keys that work on every screen. Those of one letter never in a field, nor behind a dialog, nor when they are switched off. */
export function useShortcuts(pages: ReachablePages, projectId: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goSince = Number.NEGATIVE_INFINITY;
    const go = (key: string): boolean => {
      const page = pages.ofProject.find((candidate) => candidate.key === key);
      if (page === undefined || isBehindDialog()) return false;
      // The paths of the table are those of routes that are there.
      void navigate({ to: page.to, params: { projectId: String(projectId) }, search: {} } as never);
      return true;
    };
    const handleLetter = ({ key, timeStamp }: KeyboardEvent): boolean => {
      const isSecond = timeStamp - goSince < secondKeyMs;
      goSince = key === 'g' && !isSecond ? timeStamp : Number.NEGATIVE_INFINITY;
      return (isSecond && go(key)) || pressKey(key);
    };
    const handleKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const isPalette = isPaletteKey(event);
      if (isPalette) openCommand('palette');
      const isKept = !isPalette && !event.ctrlKey && !event.metaKey && typeAhead(event.key);
      if (isPalette || isKept || (isLetterKey(event) && handleLetter(event))) event.preventDefault();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [pages, projectId, navigate]);
}

/** A key alone that types nothing, unless the reader wants none of those. */
function isLetterKey({ ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !isField(target) && readPreferences().letterKeys;
}

function isPaletteKey({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'k' && !isEditor(target);
}

/** Whether the key means something here. */
function pressKey(key: string): boolean {
  if (key === '?' && !isBehindDialog()) {
    openCommand('shortcuts');
    return true;
  }
  const search = key === '/' ? findSearch() : undefined;
  search?.focus();
  search?.select();
  return search !== undefined;
}

/** The field that narrows what is in front: of the topmost dialog, else of the page. */
function findSearch(): HTMLInputElement | undefined {
  const place = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector('main');
  const fields = place?.querySelectorAll<HTMLInputElement>('input[type="search"]') ?? [];
  return [...fields].find((field) => !field.disabled && field.checkVisibility());
}

function isBehindDialog(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

function isEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.isContentEditable;
}

/** Where letters are typed, or choose something, as in a list or a menu. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const typing =
    'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="listbox"], [role="combobox"], [role="menu"], [role="menuitem"]';
  return target.isContentEditable || target.closest(typing) !== null;
}
