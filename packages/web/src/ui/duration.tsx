import { formatDuration, parseTime } from '../lib/dates.ts';
import { useNow } from '../lib/use-now.ts';
import { Dash } from './dash.tsx';

/** How long something took, or takes so far: without an end it counts up every second. */
export function Duration({ start, end }: { start: string | null; end: string | null }) {
  const now = useNow(start !== null && end === null ? 1000 : undefined);
  if (start === null) return <Dash />;
  const passed = (end === null ? now : parseTime(end)) - parseTime(start);
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatDuration(passed)}</span>;
}
