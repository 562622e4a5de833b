import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react';
import type { LineSpan } from './line-store.ts';
import { isNearEdge } from './log-window.ts';
import type { Placement } from './use-placement.ts';

type SettlingProps = {
  scrollerRef: RefObject<HTMLDivElement | null>;
  placement: Placement;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  visible: LineSpan;
  isWrapped: boolean;
};

export type Settling = {
  /** The scroll position that is known last. */
  lastTop: RefObject<number>;
  /** What was drawn last is not yet what will be seen: the scroller was moved since. */
  isMoving: RefObject<boolean>;
};

/**
 * Brings the scroller where the placement wants it, after each layout and before it is painted: only then the heights are
 * known.
 */
export function useSettling({ scrollerRef, placement, virtualizer, visible, isWrapped }: SettlingProps): Settling {
  const { extent, shown, isFollowing, anchor, moveTo } = placement;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const lastTop = useRef(0);
  const isMoving = useRef(false);

  const wasWrapped = useRef(isWrapped);
  useLayoutEffect(() => {
    if (wasWrapped.current === isWrapped) return;
    wasWrapped.current = isWrapped;
    // Heights that were measured for the other way of drawing are wrong now.
    if (!isFollowing) anchor.current ??= { line: visible.from, offset: 0 };
    virtualizer.measure();
  }, [isWrapped, isFollowing, anchor, virtualizer, visible.from]);

  const scrollTo = (scroller: HTMLElement, top: number): void => {
    const before = scroller.scrollTop;
    scroller.scrollTop = top;
    // Far down, browsers round positions to more than a pixel: what counts is whether anything has moved.
    if (scroller.scrollTop === before) return;
    lastTop.current = scroller.scrollTop;
    // The scroll event comes with the next frame; the right lines must be there in this one.
    virtualizer.scrollOffset = scroller.scrollTop;
    isMoving.current = true;
    redraw();
  };

  useLayoutEffect(() => {
    const scroller = scrollerRef.current;
    isMoving.current = false;
    if (scroller === null || extent.lines === 0) return;
    if (isFollowing) {
      scrollTo(scroller, scroller.scrollHeight - scroller.clientHeight);
      return;
    }
    const target = anchor.current;
    const start = target === null ? undefined : virtualizer.measurementsCache[target.line - shown.first]?.start;
    if (target !== null && start !== undefined) {
      anchor.current = null;
      scrollTo(scroller, Math.max(0, start - target.offset));
    } else if (isNearEdge(extent, shown, visible) && isInside(scroller, shown.top, virtualizer.getTotalSize())) {
      // In this order: to ask the scroller for its position makes the browser lay out the new rows twice.
      const top = virtualizer.measurementsCache[visible.from - shown.first]?.start ?? scroller.scrollTop;
      moveTo({ line: visible.from, offset: top - scroller.scrollTop });
    }
  });
  return { lastTop, isMoving };
}

/** Whether something of the laid-out part can be seen. Where it cannot, the scroll event that is on its way moves it. */
function isInside(scroller: HTMLElement, top: number, height: number): boolean {
  return scroller.scrollTop + scroller.clientHeight > top && scroller.scrollTop < top + height;
}
