import { scoreMatch } from './fuzzy.ts';

export type ItemKind = 'page' | 'template' | 'launch' | 'task' | 'project' | 'admin' | 'action';

/** Something that can be chosen, without what it looks like and does. */
export type Entry = {
  /** Stays the same from one opening to the next. */
  id: string;
  kind: ItemKind;
  label: string;
  /** More to find it by, and to tell it from others. */
  detail?: string | undefined;
};

/** More than this nobody reads: he types another letter. */
const shown = 40;
/** A kind that is wanted more often stands before another one that matches as well. */
const weight: Record<ItemKind, number> = { page: 3, template: 2, launch: 1, task: 0, project: 1, admin: 1, action: 1 };

/** What the palette lists: without a query what was chosen last and then the pages, with one all that it matches, best first. */
export function chooseItems<E extends Entry>(entries: readonly E[], query: string, recent: readonly string[]): E[] {
  if (query.trim() === '') {
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    const last = recent.flatMap((id) => known.get(id) ?? []);
    const rest = entries.filter((entry) => isAlwaysShown(entry) && !last.includes(entry));
    return [...last, ...rest].slice(0, shown);
  }
  return entries
    .map((entry, index) => ({ entry, index, score: scoreEntry(entry, query, recent) }))
    .filter((scored): scored is typeof scored & { score: number } => scored.score !== undefined)
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, shown)
    .map(({ entry }) => entry);
}

function isAlwaysShown({ kind }: Entry): boolean {
  return kind === 'page' || kind === 'admin' || kind === 'action';
}

function scoreEntry({ id, kind, label, detail }: Entry, query: string, recent: readonly string[]): number | undefined {
  const own = scoreMatch(query, label);
  // Found only by what stands beside the name: after those that are called so.
  const score = own ?? (detail === undefined ? undefined : scoreDetail(query, `${label} ${detail}`));
  if (score === undefined) return undefined;
  return score + weight[kind] + (recent.includes(id) ? 4 : 0);
}

function scoreDetail(query: string, text: string): number | undefined {
  const score = scoreMatch(query, text);
  return score === undefined ? undefined : score / 2;
}

/** As many as are remembered. */
const remembered = 8;

export function remember(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, remembered);
}
