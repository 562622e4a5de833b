import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { LineSpan } from './line-store.ts';
import { computeRest, countRows, findLineAt, type LogWindow, rowHeight } from './log-window.ts';
import { type Placement, usePlacement } from './use-placement.ts';
import { useSettling } from './use-settling.ts';

export type LogScroll = {
  scrollerRef: RefObject<HTMLDivElement | null>;
  /** The lines that are laid out, with their place relative to `top`. */
  rows: { line: number; start: number }[];
  /** First line that may be laid out: the index of a row counts from it. */
  first: number;
  /** Lines that can be seen. */
  visible: LineSpan;
  /** Where the laid-out part begins, its height, and the empty height below it. */
  top: number;
  height: number;
  rest: number;
  isFollowing: boolean;
  /** `visible` is not yet what will be seen. */
  isMoving: RefObject<boolean>;
  /** To be set on rows whose height is their text's. */
  measureRow: (element: HTMLElement | null) => void;
  /** Place of a line that is not laid out, for rows that must stay in the document. */
  estimateStart: (line: number) => number;
  handleScroll: () => void;
  /** The reader turns the wheel: upwards means away from the end, before anything has moved. */
  handleWheel: (deltaY: number) => void;
  showStart: () => void;
  followEnd: () => void;
  showLine: (line: number) => void;
};

/** Share of the scroller above a line that is jumped to. */
const jumpShare = 0.3;
/** Whoever comes this near to the end wants to be there: about a line, or a scroll bar that has just appeared. */
const arriveSlack = 24;
/** Whoever goes this far from it wants to leave. */
const leaveSlack = 4;

/** Scrolling through a log of any length: which lines are laid out, following the end, and jumping to a line. */
export function useLogScroll(lines: number, isWrapped: boolean): LogScroll {
  const scrollerRef = useRef<HTMLDivElement | null>(null);
  const placement = usePlacement(lines);
  const { extent, shown, isFollowing } = placement;
  const virtualizer = useVirtualizer({
    count: countRows(extent),
    getScrollElement: () => scrollerRef.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => shown.first + index, [shown.first]),
    scrollMargin: shown.top,
    overscan: 10,
    paddingEnd: 8,
  });
  const items = virtualizer.getVirtualItems();
  const visible = readVisible(shown, virtualizer.range);
  const { lastTop, isMoving } = useSettling({ scrollerRef, placement, virtualizer, visible, isWrapped });
  const height = virtualizer.getTotalSize();

  return {
    scrollerRef,
    rows: items.map((item) => ({ line: shown.first + item.index, start: item.start - shown.top })),
    first: shown.first,
    visible,
    top: shown.top,
    height,
    rest: computeRest(extent, shown),
    isFollowing,
    isMoving,
    measureRow: virtualizer.measureElement,
    estimateStart: (line) => (line - shown.first) * rowHeight,
    handleScroll: () => {
      const scroller = scrollerRef.current;
      if (scroller === null) return;
      const isUpwards = scroller.scrollTop < lastTop.current - 1;
      lastTop.current = scroller.scrollTop;
      // Within this frame: the next one would show an empty place first.
      flushSync(() => readScroll(placement, scroller, { isUpwards, height }));
    },
    handleWheel: (deltaY) => {
      if (deltaY < 0 && isFollowing && (scrollerRef.current?.scrollTop ?? 0) > 0) placement.leaveEnd();
    },
    showStart: () => placement.moveTo({ line: 1, offset: 0 }),
    followEnd: placement.followEnd,
    showLine: (line) => {
      const offset = Math.floor((scrollerRef.current?.clientHeight ?? 0) * jumpShare);
      placement.moveTo({ line, offset });
    },
  };
}

/** What a new scroll position means: at the end it follows, away from it it does not, and far away other lines are laid out. */
function readScroll(
  placement: Placement,
  scroller: HTMLElement,
  { isUpwards, height }: { isUpwards: boolean; height: number },
): void {
  const { extent, shown, isFollowing } = placement;
  const top = scroller.scrollTop;
  const isOutside = top + scroller.clientHeight < shown.top || top > shown.top + height;
  const missing = scroller.scrollHeight - top - scroller.clientHeight;
  if (missing <= arriveSlack && !isUpwards && placement.anchor.current === null) placement.followEnd();
  else if (isOutside) placement.moveTo({ line: findLineAt(extent, top, scroller.clientHeight), offset: 0 });
  else if (isFollowing && isUpwards && missing > leaveSlack) placement.leaveEnd();
}

function readVisible(shown: LogWindow, range: { startIndex: number; endIndex: number } | null): LineSpan {
  if (range === null) return { from: shown.first, to: shown.first };
  return { from: shown.first + range.startIndex, to: shown.first + range.endIndex };
}
