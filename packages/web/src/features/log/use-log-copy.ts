import { type ClipboardEvent, type RefObject, useEffect, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { showFailure, showSuccess } from '../../ui/snackbar.ts';
import { joinText, orderRange, type TextPoint, type TextRange } from './copied-text.ts';
import type { LineSpan } from './line-store.ts';
import type { LogSource } from './log-source.ts';

/** Lines that are put together in the browser; whoever wants more takes the download. */
const maxCopied = 50_000;

type LogCopy = {
  handleCopy: (event: ClipboardEvent) => void;
  /** Lines in which the drawn selection begins and ends: their rows must stay in the document, or it would collapse. */
  pinned: number[];
};

/**
 * Copying from a log of which only the visible rows exist: the ends of the selection are read from the document, the text
 * between them from the store. Without a drawn selection the selected lines are copied.
 */
export function useLogCopy(
  scrollerRef: RefObject<HTMLElement | null>,
  source: LogSource,
  span: LineSpan | null,
): LogCopy {
  const [pinned, setPinned] = useState<number[]>([]);
  useEffect(() => {
    const watch = (): void => {
      const range = readSelection(scrollerRef.current);
      const lines = range === null ? [] : [range.from.line, range.to.line];
      setPinned((before) => (before.join() === lines.join() ? before : lines));
    };
    document.addEventListener('selectionchange', watch);
    return () => document.removeEventListener('selectionchange', watch);
  }, [scrollerRef]);

  const handleCopy = (event: ClipboardEvent): void => {
    const range = readSelection(scrollerRef.current) ?? readSpan(span);
    if (range === null) return;
    event.preventDefault();
    const { from, to } = { from: range.from.line, to: range.to.line };
    if (to - from >= maxCopied) {
      showFailure(t('log.copyTooLong', { count: maxCopied }));
      return;
    }
    const read = (): string =>
      joinText(source.store, range, (first, last) => t('log.gapCopied', { from: first, to: last }));
    if (source.store.listMissing(from, to).length === 0) event.clipboardData.setData('text/plain', read());
    else void copyLater(source, { from, to }, read);
  };
  return { handleCopy, pinned };
}

/** Lines that are not here yet are fetched first; the event is over by then, so the clipboard is written directly. */
async function copyLater(source: LogSource, { from, to }: LineSpan, read: () => string): Promise<void> {
  try {
    await source.load(from, to, AbortSignal.timeout(20_000));
    await navigator.clipboard.writeText(read());
    showSuccess(t('log.copied', { count: to - from + 1 }));
  } catch (error) {
    showFailure(t('ui.cannotCopy', { reason: error instanceof Error ? error.message : String(error) }));
  }
}

function readSpan(span: LineSpan | null): TextRange | null {
  if (span === null) return null;
  return { from: { line: span.from, column: 0 }, to: { line: span.to, column: Number.MAX_SAFE_INTEGER } };
}

function readSelection(scroller: HTMLElement | null): TextRange | null {
  const selection = document.getSelection();
  if (scroller === null || selection === null || selection.isCollapsed) return null;
  const { anchorNode, focusNode, anchorOffset, focusOffset } = selection;
  if (anchorNode === null || focusNode === null) return null;
  const one = readPoint(scroller, anchorNode, anchorOffset);
  const other = readPoint(scroller, focusNode, focusOffset);
  return one === null || other === null ? null : orderRange(one, other);
}

/** The line and the character in it that a boundary of the selection stands at. */
function readPoint(scroller: HTMLElement, node: Node, offset: number): TextPoint | null {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-line]');
  if (row === null || row === undefined || !scroller.contains(row)) return null;
  const line = Number(row.dataset.line);
  const text = row.querySelector('[data-text]');
  if (text === null) return { line, column: 0 };
  const before = document.createRange();
  before.selectNodeContents(text);
  const place = before.comparePoint(node, offset);
  if (place < 0) return { line, column: 0 };
  if (place > 0) return { line, column: Number.MAX_SAFE_INTEGER };
  before.setEnd(node, offset);
  return { line, column: before.toString().length };
}
