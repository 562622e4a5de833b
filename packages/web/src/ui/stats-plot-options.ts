import type { StatsPoint } from '@signalbox/contract/stats';
import uPlot from 'uplot';
import { isLongRange, smoothCounts } from './stats-points.ts';
import { formatDay, formatMonth, formatNumber } from './stats-words.ts';

/** Bars stand on each other, so that the tallest is drawn first; the lines over them are the counts themselves. */
export function buildPlotData(days: readonly StatsPoint[]): uPlot.AlignedData {
  const success = days.map(({ count_by_status: counts }) => counts.success);
  const failed = days.map(({ count_by_status: counts }) => counts.error);
  const stopped = days.map(({ count_by_status: counts }) => counts.stopped);
  const untilFailed = success.map((count, day) => count + (failed[day] ?? 0));
  const untilStopped = untilFailed.map((count, day) => count + (stopped[day] ?? 0));
  const lines = [stopped, failed, success].map((counts) => (isLongRange(days) ? smoothCounts(counts) : counts));
  return [days.map((_, day) => day), untilStopped, untilFailed, success, ...lines];
}

const BARS = ['--bar-stopped', '--bar-failed', '--bar-success'];
const LINES = ['--stopped', '--failed', '--success'];

/** Room that a label takes. */
const LABEL_PX = 62;
const integers = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000];

type Frame = { host: HTMLElement; width: number; height: number; days: readonly StatsPoint[] };

export function buildPlotOptions(
  { host, width, height, days }: Frame,
  onDay: (plot: uPlot, day: number | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (token: string): string => style.getPropertyValue(token).trim();
  const isLong = isLongRange(days);
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('--line-faint'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    scales: {
      // A day is a whole number, so that no zone can move it, and half a day of room at either end holds its bar.
      x: { time: false, range: [-0.5, days.length - 0.5] },
      y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.08))] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        gap: 8,
        splits: (plot) => chooseLabels(days, Math.max(2, Math.floor(plot.width / LABEL_PX))),
        values: (_, at) => at.map((day) => labelDay(days[day]?.date, isLong)),
      },
      {
        ...axis,
        size: (_, labels) => 14 + 8 * Math.max(1, ...(labels ?? []).map((label) => label?.length ?? 0)),
        space: 42,
        gap: 8,
        incrs: integers,
        values: (_, at) => at.map((count) => formatNumber(count)),
      },
    ],
    series: [
      {},
      ...BARS.map((token) => buildBars(colour(token), days.length, width)),
      ...LINES.map((token) => buildLine(colour(token))),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      // Only the lines have points.
      points: {
        size: (_, series) => (series > BARS.length ? 8 : 0),
        width: (_, series) => (series > BARS.length ? 2 : 0),
        fill: () => colour('--surface'),
      },
      // The mark stands on a day, not between two.
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.posToIdx(left), 'x'), top],
    },
    hooks: {
      setCursor: [(plot) => onDay(plot, (plot.cursor.left ?? -1) < 0 ? undefined : (plot.cursor.idx ?? undefined))],
    },
  };
}

function buildBars(fill: string, days: number, width: number): uPlot.Series {
  const isTight = width / days < 6;
  const bars = uPlot.paths.bars?.({ size: [isTight ? 1 : 0.68, 44], radius: [isTight ? 0 : 0.08, 0], gap: 0 });
  return { fill, width: 0, points: { show: false }, ...(bars === undefined ? {} : { paths: bars }) };
}

function buildLine(stroke: string): uPlot.Series {
  return { stroke, width: 2, points: { show: false } };
}

/** Days that get a label: beginnings of months where there are many, else every few days, counted back from today. */
function chooseLabels(days: readonly StatsPoint[], room: number): number[] {
  const all = days.map((_, day) => day);
  if (isLongRange(days)) {
    const months = all.filter((day) => days[day]?.date.endsWith('-01'));
    const step = Math.ceil(months.length / room);
    return months.filter((_, month) => month % step === 0);
  }
  const step = Math.ceil(days.length / room);
  return all.filter((day) => (days.length - 1 - day) % step === 0);
}

function labelDay(date: string | undefined, isLong: boolean): string {
  if (date === undefined) return '';
  return isLong ? formatMonth(date) : formatDay(date);
}
