/** A copy of the list in which one item has changed places with its neighbour; the same list where there is none. */
export function moveItem<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by;
  const moved = [...list];
  const [item] = moved.splice(from, 1);
  if (item === undefined || to < 0 || to > moved.length) return [...list];
  moved.splice(to, 0, item);
  return moved;
}
