import { useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import css from './data-table.module.css';

/** Rows drawn beyond the edges of the window: what a hand on a wheel scrolls in two frames, and the next stop of the Tab key. */
const beyond = 8;
/** Rows that come and go together: each change of the table costs a layout and a painting, however many they are. */
const together = 4;
/** Height of a row in pixels; of a list's row (below 960 px) only until it was measured. */
const usual = { row: 42, ofList: 90 };

type LongBodyProps<Row> = {
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  renderRow: (row: Row, index: number) => ReactNode;
  /** Whether it is, or has been, higher than the others. */
  mayBeHigher: (row: Row) => boolean;
};

type RowVirtualizer = Virtualizer<Window, HTMLTableSectionElement>;

/** The rows of a long table: only those near the window are in the document, each with the rows under it. */
export function LongBody<Row>({ rows, rowKey, renderRow, mayBeHigher }: LongBodyProps<Row>) {
  const place = useRef<HTMLTableSectionElement>(null);
  const above = useDistance(place, rows);
  const isList = useMediaQuery('(width < 960px)', false, { getInitialValueInEffect: false });
  const virtualizer: RowVirtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isList ? usual.ofList : usual.row),
    overscan: beyond,
    scrollMargin: above,
    getItemKey: useItemKeys(rows, rowKey),
    measureElement: readHeight,
    useFlushSync: false,
  });
  const { from, to } = widen(virtualizer.getVirtualItems());
  const height = virtualizer.getTotalSize();
  return (
    <>
      <Items
        rows={rows}
        rowKey={rowKey as LongBodyProps<unknown>['rowKey']}
        renderRow={renderRow as LongBodyProps<unknown>['renderRow']}
        mayBeHigher={(isList ? always : mayBeHigher) as LongBodyProps<unknown>['mayBeHigher']}
        virtualizer={virtualizer}
        above={above}
        height={height}
        from={from}
        to={to}
      />
      <tbody ref={place} className={css.space} aria-hidden style={{ height }} />
    </>
  );
}

const always = (): boolean => true;

/** The same function as long as the list is drawn as it is: a new one has the places of all rows worked out anew. */
function useItemKeys<Row>(
  rows: readonly Row[],
  rowKey: LongBodyProps<Row>['rowKey'],
): (index: number) => string | number {
  return useCallback(
    (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    [rows, rowKey],
  );
}

function widen(items: readonly VirtualItem[]): { from: number; to: number } {
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return { from: Math.floor(first / together) * together, to: Math.ceil(end / together) * together };
}

type ItemsProps = LongBodyProps<unknown> & {
  virtualizer: RowVirtualizer;
  above: number;
  /** Of all rows. When it changes, so do their places. */
  height: number;
  from: number;
  to: number;
};

const Items = memo(({ rows, rowKey, renderRow, mayBeHigher, virtualizer, above, from, to }: ItemsProps) =>
  rows.slice(from, to).map((row, offset) => {
    const index = from + offset;
    return (
      <tbody
        key={rowKey(row)}
        className={css.body}
        data-index={index}
        style={{ marginTop: (virtualizer.measurementsCache[index]?.start ?? above) - above }}
        ref={mayBeHigher(row) ? virtualizer.measureElement : undefined}
      >
        <Item row={row} index={index} renderRow={renderRow} />
      </tbody>
    );
  }),
);

type ItemProps = { row: unknown; index: number; renderRow: (row: unknown, index: number) => ReactNode };

/** Scrolling draws what comes into view, and nothing else anew. */
const Item = memo(({ row, index, renderRow }: ItemProps) => renderRow(row, index));

/**
 * Of a row with those under it, in pixels. The browser tells it with its next layout, which comes before it paints; asking for
 * it earlier would cost a layout of its own for each row that comes into view.
 */
function readHeight(
  element: HTMLTableSectionElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: RowVirtualizer,
): number {
  const known = virtualizer.measurementsCache[virtualizer.indexFromElement(element)]?.size ?? usual.row;
  return entry?.borderBoxSize[0]?.blockSize ?? known;
}

/** From the top of the page, in pixels: what stands above the table grows and shrinks with what the screen shows. */
function useDistance(place: RefObject<HTMLElement | null>, shown: unknown): number {
  const [distance, setDistance] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked only when the table is drawn anew, since it costs a layout.
  useLayoutEffect(() => {
    setDistance(Math.round((place.current?.getBoundingClientRect().top ?? 0) + globalThis.scrollY));
  }, [place, shown]);
  return distance;
}
