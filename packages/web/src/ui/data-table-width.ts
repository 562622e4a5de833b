import type { CSSProperties } from 'react';

/** In pixels, or a share of what those in pixels leave, as `'2fr'`. */
export type ColumnWidth = number | `${number}fr`;

type SizedColumn = { width?: ColumnWidth; isSecondary?: boolean };

type TableStyle = CSSProperties & Record<`--${string}`, number | string>;

/** What the arrow at the left end and the buttons at the right one may take. */
const expandWidth = 42;
const actionsWidth = 132;
/** The buttons of a table whose columns keep their widths. */
const fixedActionsWidth = 52;

/**
 * Tells the style sheet between how many columns the width of a table is shared: together they never need more than there
 * is, whatever stands in them, or the buttons at the end of the rows would be pushed out of the table.
 */
export function shareWidth(columns: readonly SizedColumn[], hasExpand: boolean, hasActions: boolean): TableStyle {
  const ends = (hasExpand ? expandWidth : 0) + (hasActions ? actionsWidth : 0);
  return {
    // The name has two shares.
    '--shares': columns.length + 1,
    '--primary-shares': columns.filter(isPrimary).length + 1,
    '--ends': `${ends}px`,
  };
}

/** The tracks of every row of a table whose columns keep their widths, on a wide window and on a narrow one. */
export function listTracks(columns: readonly SizedColumn[], hasExpand: boolean, hasActions: boolean): TableStyle {
  const track = ({ width = '1fr' }: SizedColumn): string =>
    typeof width === 'number' ? `${width}px` : `minmax(0, ${width})`;
  const join = (shown: readonly SizedColumn[]): string =>
    [
      ...(hasExpand ? [`${expandWidth}px`] : []),
      ...shown.map(track),
      ...(hasActions ? [`${fixedActionsWidth}px`] : []),
    ].join(' ');
  return { '--tracks': join(columns), '--primary-tracks': join(columns.filter(isPrimary)) };
}

function isPrimary({ isSecondary }: SizedColumn): boolean {
  return isSecondary !== true;
}
