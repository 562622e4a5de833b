import { statfs } from 'node:fs/promises';
import type { Health } from '@signalbox/contract/system';
import type { Database } from '../../db/database.ts';
import type { Engine } from '../../engine/start.ts';
import { canRead } from './queries.ts';

export type HealthParts = {
  readonly database: Database;
  readonly engine: Pick<Engine, 'readFacts' | 'readPulse'>;
  /** Where databases, logs and checkouts are. */
  readonly dataDir: string;
};

/** A sign of life is stored every five seconds. */
const maxWriteMs = 20_000;
const maxSweepMs = 30_000;
const maxClockErrorMs = 5000;
/** A probe gives up soon too. */
const patienceMs = 3000;
const megabyte = 1024 * 1024;
const lowSpace = 500 * megabyte;
const noSpace = 20 * megabyte;

type Problem = { readonly status: 'degraded' | 'failing'; readonly text: string };

/** Failing: requests cannot be served. Degraded: they can, but tasks wait, or something will soon go wrong. */
export async function describeHealth(parts: HealthParts): Promise<Required<Health>> {
  if (!(await canRead(parts.database.read, patienceMs))) return summarize([failing('The database does not answer')]);
  return summarize([
    ...findPulseProblems(parts),
    ...(await findRunnerProblems(parts)),
    ...(await findSpaceProblems(parts)),
  ]);
}

const failing = (text: string): Problem => ({ status: 'failing', text });
const degraded = (text: string): Problem => ({ status: 'degraded', text });

function summarize(found: readonly Problem[]): Required<Health> {
  const isFailing = found.some(({ status }) => status === 'failing');
  const problems = found.map(({ text }) => text);
  return { status: isFailing ? 'failing' : problems.length > 0 ? 'degraded' : 'ok', problems };
}

function findPulseProblems({ engine }: HealthParts): Problem[] {
  const { isWriteRefused, sinceWrite, sinceSweep, clockBehind, clockError } = engine.readPulse();
  const problems: Problem[] = [];
  if (isWriteRefused) problems.push(failing('The database does not store anything'));
  else if (sinceWrite > maxWriteMs) problems.push(failing(`Nothing could be stored for ${seconds(sinceWrite)}`));
  if (sinceSweep > maxSweepMs) {
    problems.push(degraded(`The queue has not been looked after for ${seconds(sinceSweep)}`));
  }
  if (Math.abs(clockError) > maxClockErrorMs) {
    problems.push(degraded(`The clocks of this server and of its database differ by ${seconds(Math.abs(clockError))}`));
  }
  if (clockBehind > 0) problems.push(degraded(`The clock stands ${seconds(clockBehind)} before what was stored last`));
  return problems;
}

async function findRunnerProblems({ engine }: HealthParts): Promise<Problem[]> {
  try {
    return (await engine.readFacts()).problems.map(degraded);
  } catch {
    return [failing('The database does not answer')]; // it did a moment ago, so this is the moment in which it went
  }
}

async function findSpaceProblems({ dataDir }: HealthParts): Promise<Problem[]> {
  const free = await readFreeSpace(dataDir);
  if (free === undefined) return [failing('The data directory cannot be read')];
  if (free >= lowSpace) return [];
  const text = `Only ${Math.floor(free / megabyte)} MB are free in the data directory`;
  return [free < noSpace ? failing(text) : degraded(text)];
}

async function readFreeSpace(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return undefined; // gone, or not ours to see: either is the answer
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
