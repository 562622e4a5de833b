import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import css from './data-table.module.css';

/** Rows drawn beyond the edges of the window, so that the next stop of the Tab key is always there. */
const beyond = 12;
/** Height of a row before it was measured, in pixels. */
const usual = 42;

type LongBodyProps<Row> = {
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  renderRow: (row: Row, index: number) => ReactNode;
};

/** The rows of a long table: only those near the window are in the document, each with the rows under it. */
export function LongBody<Row>({ rows, rowKey, renderRow }: LongBodyProps<Row>) {
  const top = useRef<HTMLTableSectionElement>(null);
  const above = useDistance(top, rows);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => usual,
    overscan: beyond,
    scrollMargin: above,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    measureElement: readHeight,
  });
  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? above) - above;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? above) - above);
  return (
    <>
      <Space ref={top} height={before} />
      {items.map(({ key, index }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <tbody key={key} className={css.body} data-index={index} ref={virtualizer.measureElement}>
            <Item row={row} index={index} renderRow={renderRow as LongBodyProps<unknown>['renderRow']} />
          </tbody>
        );
      })}
      <Space height={after} />
    </>
  );
}

/**
 * Of a row with those under it, in pixels. The browser tells it with its next layout, which comes before it paints; asking for
 * it earlier would cost a layout of its own for each row that comes into view.
 */
function readHeight(
  element: Element,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Window, HTMLTableSectionElement>,
): number {
  const index = virtualizer.indexFromElement(element as HTMLTableSectionElement);
  const known = virtualizer.measurementsCache[index]?.size ?? usual;
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

type ItemProps = { row: unknown; index: number; renderRow: (row: unknown, index: number) => ReactNode };

/** Scrolling draws what comes into view, and nothing else anew. */
const Item = memo(({ row, index, renderRow }: ItemProps) => renderRow(row, index));

function Space({ ref, height }: { ref?: Ref<HTMLTableSectionElement>; height: number }) {
  return (
    <tbody ref={ref} className={css.space} aria-hidden>
      <tr>
        <td style={{ height: Math.max(0, height) }} />
      </tr>
    </tbody>
  );
}
