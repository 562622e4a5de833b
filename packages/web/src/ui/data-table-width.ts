import type { CSSProperties } from 'react';

type SharedWidth = CSSProperties & Record<'--shares' | '--primary-shares' | '--ends', number | string>;

/** What the arrow at the left end and the buttons at the right one may take. */
const expandWidth = 42;
const actionsWidth = 132;

/**
 * Tells the style sheet between how many columns the width of a table is shared: together they never need more than there
 * is, whatever stands in them, or the buttons at the end of the rows would be pushed out of the table.
 */
export function shareWidth(
  columns: readonly { isSecondary?: boolean }[],
  hasExpand: boolean,
  hasActions: boolean,
): SharedWidth {
  const ends = (hasExpand ? expandWidth : 0) + (hasActions ? actionsWidth : 0);
  return {
    // The name has two shares.
    '--shares': columns.length + 1,
    '--primary-shares': columns.filter(({ isSecondary }) => isSecondary !== true).length + 1,
    '--ends': `${ends}px`,
  };
}
