/** Which part of a list is asked for, newest first: at most `limit`, and only what is older than the id `before`. */
export type PageRequest = { readonly limit: number; readonly before?: number | undefined };

/** Part of a list; `next` is the `before` of the part after it, where there is one. */
export type Page<Item> = { readonly items: Item[]; readonly next: number | undefined };

/** Cuts off the one row beyond the limit that queries ask for to learn whether there is more. */
export function cutPage<Item extends { id: number }>(rows: Item[], limit: number): Page<Item> {
  if (rows.length <= limit) return { items: rows, next: undefined };
  const items = rows.slice(0, limit);
  return { items, next: items.at(-1)?.id };
}
