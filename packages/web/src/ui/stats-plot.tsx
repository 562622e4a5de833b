import { useComputedColorScheme } from '@mantine/core';
import type { StatsPoint } from '@signalbox/contract/stats';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { t } from '../lib/i18n.ts';
import css from './stats-chart.module.css';
import { StatsLegend } from './stats-legend.tsx';
import { buildPlotData, buildPlotOptions } from './stats-plot-options.ts';
import { formatNumber, formatWholeDay } from './stats-words.ts';

type Mark = { day: number; left: number };

/** The drawing: a day's tasks under the pointer, or under the arrow keys. */
export function StatsPlot({ days, height }: { days: readonly StatsPoint[]; height: number }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [mark, setMark] = useState<Mark>();
  const scheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which changes with the scheme
  useEffect(() => {
    if (host.current === null) return;
    const frame = { host: host.current, width: host.current.clientWidth, height, days };
    const drawn = new uPlot(
      buildPlotOptions(frame, (u, day) =>
        setMark(day === undefined ? undefined : { day, left: u.bbox.left / uPlot.pxRatio + u.valToPos(day, 'x') }),
      ),
      buildPlotData(days),
      host.current,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) drawn.setSize({ width: entry.contentRect.width, height });
    });
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = undefined;
    };
  }, [days, height, scheme]);

  const moveTo = (day: number): void => {
    const drawn = plot.current;
    drawn?.setCursor({ left: drawn.valToPos(day, 'x'), top: 0 });
  };
  const leave = (): void => plot.current?.setCursor({ left: -10, top: -10 });
  const last = days.length - 1;
  const day = days[mark?.day ?? last];
  const isAtEnd = mark !== undefined && mark.left > (host.current?.clientWidth ?? 0) / 2;
  return (
    <div className={css.plot}>
      <input
        type="range"
        className={css.keys}
        aria-label={t('stats.day')}
        aria-valuetext={day === undefined ? undefined : describeDay(day)}
        min={0}
        max={last}
        step={1}
        value={mark?.day ?? last}
        onFocus={() => moveTo(mark?.day ?? last)}
        onBlur={leave}
        onChange={({ currentTarget }) => moveTo(Number(currentTarget.value))}
      />
      <div ref={host} className={css.canvas} style={{ height }} aria-hidden />
      {mark === undefined || day === undefined ? null : (
        <div className={css.readout} data-end={isAtEnd || undefined} style={{ left: mark.left }} aria-hidden>
          <strong>{formatWholeDay(day.date)}</strong>
          <StatsLegend counts={day.count_by_status} />
        </div>
      )}
    </div>
  );
}

function describeDay({ date, count_by_status: counts }: StatsPoint): string {
  return t('stats.dayText', {
    date: formatWholeDay(date),
    success: formatNumber(counts.success),
    failed: formatNumber(counts.error),
    stopped: formatNumber(counts.stopped),
  });
}
