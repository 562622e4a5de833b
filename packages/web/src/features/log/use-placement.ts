import { type RefObject, useCallback, useRef, useState } from 'react';
import { type Extent, isWindowValid, type LogWindow, placeWindow } from './log-window.ts';
import { useMaxHeight } from './use-max-height.ts';

/** Where a line is to stand, in pixels from the top of the scroller. */
export type Anchor = { line: number; offset: number };

export type Placement = {
  extent: Extent;
  /** The part of the log that is laid out. */
  shown: LogWindow;
  isFollowing: boolean;
  /** The place that the next layout has to bring about; null when all is where it should be. */
  anchor: RefObject<Anchor | null>;
  moveTo: (anchor: Anchor) => void;
  followEnd: () => void;
  leaveEnd: () => void;
};

/** The part of a log that is laid out: its end while it is followed, else where the reader went. */
export function usePlacement(lines: number): Placement {
  const maxHeight = useMaxHeight();
  const extent: Extent = { lines, maxHeight };
  const [kept, setKept] = useState<LogWindow>({ first: 1, top: 0 });
  const [isFollowing, setFollowing] = useState(false);
  const anchor = useRef<Anchor | null>(null);
  const shown = chooseWindow(extent, kept, isFollowing);
  const followEnd = useCallback(() => {
    anchor.current = null;
    setFollowing(true);
  }, []);
  return {
    extent,
    shown,
    isFollowing,
    anchor,
    followEnd,
    moveTo: (target) => {
      const line = Math.max(1, Math.min(lines, target.line));
      anchor.current = { ...target, line };
      setFollowing(false);
      setKept(placeWindow(extent, line));
    },
    leaveEnd: () => {
      setFollowing(false);
      setKept(shown);
    },
  };
}

function chooseWindow(extent: Extent, kept: LogWindow, isFollowing: boolean): LogWindow {
  if (isFollowing) return placeWindow(extent, extent.lines);
  return isWindowValid(extent, kept) ? kept : placeWindow(extent, kept.first);
}
