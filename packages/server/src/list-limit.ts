/** `?limit=`: what is no whole number from 1 to `most` means the most there can be, as old clients expect. */
export function readLimit(text: string | undefined, most: number): number {
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= most ? limit : most;
}
