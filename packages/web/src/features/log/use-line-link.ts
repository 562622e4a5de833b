import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { formatLineLink, parseLineLink } from './line-link.ts';
import type { LineSpan } from './line-store.ts';

type LineLink = {
  /** Lines that the address names. */
  span: LineSpan | null;
  /** A line number was clicked; with Shift it ends a range. */
  handlePick: (line: number, isRange: boolean) => void;
  /** Names lines in the address, and shows them if told how. */
  pick: (span: LineSpan, show?: (line: number) => void) => void;
};

/** Selected lines live in the address (`#L12`, `#L12-L20`), so that they can be sent to a colleague. */
export function useLineLink(showLine: (line: number) => void): LineLink {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const span = useMemo(() => parseLineLink(hash), [hash]);
  /** The hash that this log has set or shown itself: another one was entered by the reader. */
  const known = useRef(hash);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only an address that changes moves the log
  useEffect(() => {
    if (known.current === hash) return;
    known.current = hash;
    if (span !== null) showLine(span.from);
  }, [hash]);

  const pick = (next: LineSpan, show?: (line: number) => void): void => {
    known.current = formatLineLink(next);
    void navigate({
      to: '.',
      search: true,
      hash: known.current,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
    show?.(next.from);
  };
  const handlePick = (line: number, isRange: boolean): void => {
    const start = isRange && span !== null ? span.from : line;
    pick({ from: Math.min(start, line), to: Math.max(start, line) });
  };
  return { span, handlePick, pick };
}
