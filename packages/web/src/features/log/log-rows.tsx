import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, useCallback, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import { readPlainText } from './ansi.ts';
import type { LineSpan, LineStore } from './line-store.ts';
import css from './log.module.css';
import { LogRow } from './log-row.tsx';
import { isHeading, measureSection } from './section.ts';
import type { LogScroll } from './use-log-scroll.ts';

type LogRowsProps = {
  store: LineStore;
  scroll: LogScroll;
  now: number;
  query: string;
  currentHit: number | undefined;
  selected: LineSpan | null;
  errorLine: number | undefined;
  isWrapped: boolean;
  showTimes: boolean;
  /** Lines whose rows stay in the document wherever they are, for a drawn selection. */
  pinned: number[];
  onPick: (line: number, isRange: boolean) => void;
  onCopy: (event: ClipboardEvent) => void;
  onSelectAll: () => void;
};

/** The lines themselves: the visible ones in a box as high as the whole log. */
export function LogRows(props: LogRowsProps) {
  const { store, scroll, isWrapped, showTimes } = props;
  const rows = addPinned(scroll, props.pinned, store.total);
  const longest = useLongest(store, rows, isWrapped);
  const onPick = useStable(props.onPick);
  const handleKey = (event: KeyboardEvent): void => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === 'Home') scroll.showStart();
    else if (event.key === 'End') scroll.followEnd();
    // The browser would select the rows that happen to be drawn, and copy less than all without a word.
    else if (event.key === 'a' && isCommand) {
      document.getSelection()?.removeAllRanges();
      props.onSelectAll();
    } else return;
    event.preventDefault();
  };
  const address = `${location.pathname}${location.search}`;
  return (
    <div
      ref={scroll.scrollerRef}
      className={css.scroller}
      role="log"
      aria-live="off"
      aria-label={t('log.label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      onScroll={scroll.handleScroll}
      onWheel={(event) => scroll.handleWheel(event.deltaY)}
      onCopy={props.onCopy}
      onKeyDown={handleKey}
    >
      <div
        className={css.canvas}
        data-wrapped={isWrapped || undefined}
        style={buildCanvasStyle(scroll, store.total, longest)}
      >
        <div className={css.window} style={{ top: scroll.top }}>
          {rows.map(({ line, start, index }) => {
            const record = store.get(line);
            const section = readSection(store, line, props.now);
            return (
              <LogRow
                key={line}
                line={line}
                index={index}
                record={record}
                start={start}
                query={props.query}
                isCurrentHit={line === props.currentHit}
                isSelected={props.selected !== null && line >= props.selected.from && line <= props.selected.to}
                isError={line === props.errorLine}
                showTime={showTimes}
                sectionMs={section?.ms}
                isSectionOver={section?.isOver ?? true}
                href={`${address}#L${line}`}
                onPick={onPick}
                measure={isWrapped && index >= 0 ? scroll.measureRow : undefined}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** What the style sheet reckons with. */
type CanvasStyle = CSSProperties & { '--digits': number; '--longest': number };

function buildCanvasStyle(scroll: LogScroll, total: number, longest: number): CanvasStyle {
  const height = scroll.top + scroll.height + scroll.rest;
  return { height, '--digits': Math.max(3, String(total).length), '--longest': longest };
}

type Row = { line: number; start: number; index: number };

/** Rows in the order of their lines: a selection runs through the document from its first to its last one. */
function addPinned(scroll: LogScroll, pinned: number[], total: number): Row[] {
  const first = scroll.rows[0]?.line ?? 1;
  const last = scroll.rows.at(-1)?.line ?? 0;
  const rows = scroll.rows.map((row) => ({ ...row, index: row.line - scroll.first }));
  const extra = [...new Set(pinned)]
    .filter((line) => line >= 1 && line <= total && (line < first || line > last))
    .map((line) => ({ line, start: scroll.estimateStart(line), index: -1 }));
  return [...rows, ...extra].sort((a, b) => a.line - b.line);
}

/** Only tasks and handlers: a play begins with its first task, so it would seem to take no time. */
function readSection(store: LineStore, line: number, now: number): { ms: number; isOver: boolean } | undefined {
  const text = store.get(line)?.output;
  if (text === undefined || !isHeading(text) || text.startsWith('PLAY')) return undefined;
  const section = measureSection(store, line, now);
  return section === undefined ? undefined : { ...section, ms: Math.floor(section.ms / 1000) * 1000 };
}

/** Characters of the longest line seen so far: the box is that wide, so that scrolling down does not change its width. */
function useLongest(store: LineStore, rows: Row[], isWrapped: boolean): number {
  const longest = useRef<{ store: LineStore; length: number }>({ store, length: 0 });
  if (isWrapped) return 0;
  if (longest.current.store !== store) longest.current = { store, length: 0 };
  for (const { line } of rows) {
    const output = store.get(line)?.output ?? '';
    // Escape sequences only make a text longer, so a short one needs no closer look.
    if (output.length > longest.current.length) {
      longest.current.length = Math.max(longest.current.length, measureColumns(readPlainText(output)));
    }
  }
  return longest.current.length;
}

function measureColumns(text: string): number {
  let tabs = 0;
  for (let at = text.indexOf('\t'); at >= 0; at = text.indexOf('\t', at + 1)) tabs += 1;
  return text.length + tabs * 7;
}

/** A function that stays the same while what it does may change, so that rows need not draw again for it. */
function useStable<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...given: A) => latest.current(...given), []);
}
