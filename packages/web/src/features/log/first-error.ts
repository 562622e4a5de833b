import type { LogRange, LogSearch } from '@signalbox/contract/tasks';
import { readPlainText } from './ansi.ts';

/** Where a failed task went wrong, by what its tool prints. Ordered: the first of them that is in the log counts. */
const signs = [
  // Ansible
  { find: 'fatal: [', pattern: /^fatal: \[/ },
  { find: 'failed: [', pattern: /^failed: \[/ },
  { find: 'ERROR! ', pattern: /ERROR! / },
  // Python, then most other programs
  { find: 'Traceback (most recent call last)', pattern: /^Traceback \(most recent call last\)/ },
  { find: 'fatal:', pattern: /(?:^|[\s:])fatal:/i },
  { find: 'error', pattern: /\berror\b/i },
  { find: 'failed', pattern: /\bfailed\b(?!=0)/i },
] as const;

/** Ansible goes on after a failure that the playbook ignores: it says so in the line below. */
const ignored = '...ignoring';
/** Hits of one sign that are looked at; behind so many that do not count, the next sign is tried. */
const maxLooks = 20;

export type ErrorPorts = {
  search: (query: string) => Promise<LogSearch>;
  fetchRange: (from: number, count: number) => Promise<LogRange>;
};

/** The first line of a stored log that says what went wrong, or undefined. */
export async function findFirstError(ports: ErrorPorts): Promise<number | undefined> {
  for (const sign of signs) {
    const { lines } = await ports.search(sign.find);
    const found = await findCounting(ports, lines.slice(0, maxLooks), sign.pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function findCounting(ports: ErrorPorts, hits: number[], pattern: RegExp): Promise<number | undefined> {
  for (const hit of hits) {
    const { lines } = await ports.fetchRange(hit, 2);
    const [text = '', below = ''] = lines.map((line) => readPlainText(line.output));
    if (pattern.test(text) && !below.startsWith(ignored)) return hit;
  }
  return undefined;
}
