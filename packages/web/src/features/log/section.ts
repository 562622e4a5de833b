import { parseTime } from '../../lib/dates.ts';
import type { LineStore } from './line-store.ts';

const heading = /^(?:PLAY|TASK|RUNNING HANDLER|HANDLER) \[.*\] \*{3,}$|^PLAY RECAP \*{3,}$/;
/** Lines that are looked at for the end of a section. A longer one has no duration until it is near. */
const maxLook = 3000;

/** A line with which Ansible begins a part of its output. */
export function isHeading(text: string): boolean {
  // Nearly every line fails at its first letter, before the expression is tried.
  const first = text.charCodeAt(0);
  return (first === 80 || first === 84 || first === 82 || first === 72) && heading.test(text);
}

/** Splits a heading into what it says and the stars that fill its line. */
export function splitHeading(text: string): { title: string; stars: string } {
  const at = text.lastIndexOf(' *');
  const start = text.search(/ \*+$/);
  return start < 0
    ? { title: text, stars: '' }
    : { title: text.slice(0, Math.min(at, start)), stars: text.slice(start) };
}

export type SectionTime = { ms: number; isOver: boolean };

/** How long the part lasted that begins at a line: until the next heading, else until now. Undefined where that is not known. */
export function measureSection(store: LineStore, line: number, now: number): SectionTime | undefined {
  const start = store.get(line)?.time;
  if (start === undefined) return undefined;
  const last = Math.min(store.total, line + maxLook);
  for (let next = line + 1; next <= last; next += 1) {
    const record = store.get(next);
    if (record === undefined) return undefined;
    if (isHeading(record.output)) return { ms: parseTime(record.time) - parseTime(start), isOver: true };
  }
  if (last < store.total) return undefined;
  if (!store.sealed) return { ms: Math.max(0, now - parseTime(start)), isOver: false };
  const end = store.get(last)?.time ?? start;
  return { ms: parseTime(end) - parseTime(start), isOver: true };
}
