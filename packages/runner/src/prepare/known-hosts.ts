import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Host keys are accepted on first contact and remembered for each project. A task works on a copy, so that tasks that run at the
 * same time do not write over each other; what it has learnt is added at its end.
 */
export function borrowKnownHosts(shared: string, copy: string): void {
  if (existsSync(shared)) copyFileSync(shared, copy);
  else writeFileSync(copy, '', { mode: 0o600 });
}

export function returnKnownHosts(shared: string, copy: string): void {
  if (!existsSync(copy)) return;
  const known = new Set(existsSync(shared) ? readFileSync(shared, 'utf8').split('\n') : []);
  const learnt = readFileSync(copy, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !known.has(line));
  if (learnt.length === 0) return;
  mkdirSync(dirname(shared), { recursive: true, mode: 0o700 });
  appendFileSync(shared, `${learnt.join('\n')}\n`, { mode: 0o600 });
}
