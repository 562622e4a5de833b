import '@mantine/spotlight/styles.layer.css';
import { Kbd } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useDialogFocus } from '../../lib/use-dialog-focus.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { chooseItems, type ItemKind, remember } from './choose-items.ts';
import css from './palette.module.css';
import { type PaletteEntry, type PalettePage, useEntries } from './use-entries.tsx';

const [store, spotlight] = createSpotlight();

const kinds: Record<ItemKind, MessageKey> = {
  page: 'palette.page',
  template: 'palette.template',
  launch: 'palette.launch',
  task: 'palette.task',
  project: 'palette.project',
  admin: 'palette.admin',
  action: 'palette.action',
};

type PaletteProps = {
  isOpen: boolean;
  projectId: number | undefined;
  pages: readonly PalettePage[];
  /** What was typed before its field was there. */
  takeTyped: () => string;
  onClose: () => void;
  onShortcuts: () => void;
};

/** One field that leads to every place by its name, and launches templates. */
export function Palette({ isOpen, takeTyped, onClose, ...scope }: PaletteProps) {
  const [recent, setRecent] = usePreference('recentChoices');
  const entries = useEntries({ ...scope, isOpen });
  const [query, setQuery] = useState('');
  const listId = useId();
  const prefix = `${scope.projectId}/`;
  const known = recent.map((id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id));
  const own = chooseItems(entries, query, known);
  const [place, setPlace] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const takeFocus = useDialogFocus<HTMLInputElement>(isOpen);
  const setSearch = useCallback(
    (field: HTMLInputElement | null) => {
      search.current = field;
      takeFocus(field);
      if (field !== null) setQuery(takeTyped());
    },
    [takeFocus, takeTyped],
  );
  useEffect(() => {
    if (!isOpen) return spotlight.close();
    // The library clears the words when it has faded out, which may be after the next opening.
    setQuery(search.current === null ? '' : takeTyped());
    setPlace(0);
    spotlight.open();
  }, [isOpen, takeTyped]);
  const current = Math.min(place, own.length - 1);
  const choose = (entry: PaletteEntry): void => {
    setRecent(remember(recent, isOfProject(entry) ? prefix + entry.id : entry.id));
    onClose();
    entry.run();
  };
  const optionId = (index: number): string => `${listId}-${index}`;
  // The library's own keys look for marks in the document, which it sets behind the back of what is drawn here.
  const handleKeys = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: own.length - 1 }[event.key];
    const entry = own[current];
    if (event.nativeEvent.isComposing || entry === undefined || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) return choose(entry);
    const next = (current + step) % own.length;
    setPlace(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(words) => {
        setQuery(words);
        setPlace(0);
      }}
      clearQueryOnClose={false}
      returnFocus={false}
      shortcut={null}
      onSpotlightClose={onClose}
      closeOnActionTrigger={false}
      size={620}
      yOffset="9dvh"
      overlayProps={{ backgroundOpacity: 0.32, blur: 0 }}
      transitionProps={{ duration: 80, transition: 'fade' }}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
    >
      <Spotlight.Search
        ref={setSearch}
        className={css.search}
        role="combobox"
        aria-label={t('palette.search')}
        aria-expanded={own.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={own.length > 0 ? optionId(current) : undefined}
        placeholder={t('palette.search')}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
        data-autofocus
        onKeyDownCapture={handleKeys}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label={t('palette.results')} className={css.list}>
        {own.map((entry, index) => (
          <Spotlight.Action
            key={entry.id}
            // An id that is given is not handed on.
            ref={(option) => option?.setAttribute('id', optionId(index))}
            role="option"
            aria-selected={index === current}
            data-selected={index === current || undefined}
            className={css.item}
            onClick={() => choose(entry)}
            // A list that moves under a pointer that rests is told as a movement, too.
            onMouseMove={({ movementX, movementY }) =>
              movementX === 0 && movementY === 0 ? undefined : setPlace(index)
            }
          >
            <span className={css.icon}>{entry.icon}</span>
            <span className={css.label} title={entry.label}>
              {entry.label}
            </span>
            <span className={css.detail} title={entry.detail}>
              {entry.detail}
            </span>
            {entry.status === undefined ? (
              <span className={css.kind}>{t(kinds[entry.kind])}</span>
            ) : (
              <StatusBadge status={entry.status} />
            )}
          </Spotlight.Action>
        ))}
      </Spotlight.ActionsList>
      {own.length === 0 ? (
        <p className={css.empty} role="status">
          {t('palette.nothing', { query: query.trim() })}
        </p>
      ) : null}
      <Spotlight.Footer className={css.footer}>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('palette.helpChoose')}
        </span>
        <span>
          <Kbd>↵</Kbd> {t('palette.helpOpen')}
        </span>
        <span>
          <Kbd>Esc</Kbd> {t('palette.helpClose')}
        </span>
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}

/** Ids of templates and tasks mean something in their own project only; pages are the same everywhere. */
function isOfProject({ kind }: PaletteEntry): boolean {
  return kind === 'template' || kind === 'launch' || kind === 'task';
}
