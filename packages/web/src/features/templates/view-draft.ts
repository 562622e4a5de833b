import type { View } from '@signalbox/contract/views';

/** A view in the dialog. One that is not stored yet has a negative id. */
export type ViewDraft = { id: number; title: string };

let lastTemporaryId = 0;

export function newView(): ViewDraft {
  lastTemporaryId -= 1;
  return { id: lastTemporaryId, title: '' };
}

export type ViewsPlan = {
  added: ViewDraft[];
  renamed: ViewDraft[];
  removed: number[];
  /** Ids from left to right, temporary ones too. */
  order: number[];
  /** Whether the order is another one than it would be without saying so. */
  isMoved: boolean;
};

/**
 * What to send so that the stored views become those of the dialog. A title that is empty is not saved: a new view without one
 * is left out, a stored one keeps what it had. `made` are new views that an earlier attempt has stored.
 */
export function planViews(
  stored: readonly View[],
  drafts: readonly ViewDraft[],
  made: ReadonlyMap<number, number> = new Map(),
): ViewsPlan {
  const titled = drafts.map(({ id, title }) => ({ id: made.get(id) ?? id, title: title.trim() }));
  const kept = titled.filter(({ id, title }) => id > 0 || title !== '');
  const isKept = (id: number): boolean => kept.some((draft) => draft.id === id);
  const titles = new Map(stored.map(({ id, title }) => [id, title]));
  const order = kept.map(({ id }) => id);
  const added = kept.filter(({ id }) => id < 0);
  // Left alone, what stays keeps its order, and what is new comes after it.
  const byItself = [...stored.map(({ id }) => id).filter(isKept), ...order.filter((id) => !titles.has(id))];
  return {
    added,
    renamed: kept.filter(({ id, title }) => titles.has(id) && title !== '' && title !== titles.get(id)),
    removed: stored.map(({ id }) => id).filter((id) => !isKept(id)),
    order,
    isMoved: order.some((id, at) => id !== byItself[at]),
  };
}
