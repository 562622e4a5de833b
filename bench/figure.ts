/** One measured number with what it is held against. */
export type Figure = {
  name: string;
  unit: string;
  value: number;
  /** The goal of the design; absent for a number that is only told. */
  goal?: number;
  better: 'lower' | 'higher';
  /** What the machine itself needs for the core of it, measured in the same run. */
  floor?: { what: string; value: number };
};

export function isMet(figure: Figure): boolean {
  if (figure.goal === undefined) return true;
  return figure.better === 'lower' ? figure.value <= figure.goal : figure.value >= figure.goal;
}

/** The value at a share of the sorted numbers. @param share 0 to 1 */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

function show(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

/** A table in Markdown: figure, value, goal, floor of the same run, ratio, verdict. */
export function printTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { floor, goal } = figure;
    const ratio = floor === undefined ? '' : `${show(figure.value / floor.value)}×`;
    const sign = figure.better === 'lower' ? '≤' : '≥';
    return [
      figure.name,
      `${show(figure.value)} ${figure.unit}`,
      goal === undefined ? '' : `${sign} ${show(goal)}`,
      floor === undefined ? '' : `${show(floor.value)} (${floor.what})`,
      ratio,
      goal === undefined ? '' : isMet(figure) ? 'met' : '**missed**',
    ].join(' | ');
  });
  return [
    '| figure | measured | goal | floor | ratio | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
