/** Height of a line that does not wrap. */
export const rowHeight = 22;
/** Lines that the virtual list is told of at a time: enough for any screen, few enough to cost nothing. */
export const windowRows = 1000;
/** When the visible lines come this near to an end of the window, it moves. */
const edge = 200;

/**
 * The part of a log that is laid out line by line: lines `first` and on, drawn from `top` pixels down. Everything else is empty
 * height. So the cost does not grow with the log, and a log may be higher than a browser lets an element be: then the empty
 * height is smaller than its lines would need, and the window is put where its share of the log would be.
 */
export type LogWindow = { first: number; top: number };

export type Extent = {
  lines: number;
  /** The highest element that the browser lays out. */
  maxHeight: number;
};

export function countRows(extent: Extent): number {
  return Math.min(extent.lines, windowRows);
}

/** Height of the whole log if no line wraps. */
export function computeHeight(extent: Extent): number {
  return Math.min(extent.lines * rowHeight, extent.maxHeight);
}

/** The window around a line, 1 being the first. */
export function placeWindow(extent: Extent, line: number): LogWindow {
  const rows = countRows(extent);
  const last = extent.lines - rows + 1;
  const first = Math.max(1, Math.min(last, line - Math.floor(rows / 2)));
  return { first, top: computeTop(extent, first) };
}

function computeTop(extent: Extent, first: number): number {
  const rows = countRows(extent);
  const hidden = extent.lines - rows;
  if (hidden <= 0) return 0;
  return Math.round(((first - 1) / hidden) * (computeHeight(extent) - rows * rowHeight));
}

/** Empty height below the window. */
export function computeRest(extent: Extent, window: LogWindow): number {
  const below = window.first + countRows(extent) > extent.lines;
  return below ? 0 : Math.max(0, computeHeight(extent) - window.top - windowRows * rowHeight);
}

/** Whether the log still has the lines that the window shows where it shows them, after it has grown. */
export function isWindowValid(extent: Extent, window: LogWindow): boolean {
  return window.first >= 1 && window.first + countRows(extent) - 1 <= extent.lines;
}

/** The line at a scroll position outside of the window. */
export function findLineAt(extent: Extent, scrollTop: number, viewport: number): number {
  const room = computeHeight(extent) - viewport;
  if (room <= 0) return 1;
  const rows = extent.lines - viewport / rowHeight;
  return Math.max(1, Math.min(extent.lines, Math.floor((scrollTop / room) * rows) + 1));
}

/** Whether the visible lines are so near to an end of the window that it should move. */
export function isNearEdge(extent: Extent, window: LogWindow, visible: { from: number; to: number }): boolean {
  const last = window.first + countRows(extent) - 1;
  const above = window.first > 1 && visible.from < window.first + edge;
  const below = last < extent.lines && visible.to > last - edge;
  return above || below;
}
