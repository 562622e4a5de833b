import { execFileSync } from 'node:child_process';
import { launch, readLog, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import { type Figure, percentile } from './figure.ts';
import { openShop } from './shop.ts';

const rounds = 200;
/** Bash prints the time with microseconds as its first act. */
const clock = 'echo "began $EPOCHREALTIME"';

/**
 * The wall clock, which the script reads too, in milliseconds with their fractions. `performance.timeOrigin` is of the start of this
 * process: a machine that sets its clock meanwhile is off by as much.
 */
function startClock(): () => number {
  const last = Date.now();
  let edge = last;
  while (edge === last) edge = Date.now();
  const origin = edge - performance.now();
  return () => origin + performance.now();
}

function readBegin(text: string): number {
  const seconds = /began (\d+[.,]\d+)/.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`no time in "${text}"`);
  return Number(seconds.replace(',', '.')) * 1000;
}

/** What the spawn of the very same script costs without any server. */
function measureFloor(): number[] {
  return Array.from({ length: rounds }, () => {
    const now = startClock();
    const start = now();
    // With a socket as its input, bash takes itself for a remote shell and reads the start file of the user.
    const text = execFileSync('bash', ['-c', clock], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return readBegin(text) - start;
  });
}

/** Launch accepted → first act of the tool, with a cached repository of a few files. */
export async function measureDispatch(): Promise<Figure[]> {
  await using shop = await openShop({ 'clock.sh': `${clock}\n`, 'README.md': 'bench\n' });
  const template = await shop.template('Clock', 'clock.sh');
  await waitForSuccess(shop.api, await launch(shop.api, template));
  const waits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const now = startClock();
    const place = await launch(shop.api, template);
    const accepted = now();
    await waitForSuccess(shop.api, place);
    waits.push(readBegin((await readLog(shop.api, place)).join('\n')) - accepted);
  }
  const floor = measureFloor();
  const what = 'spawn of bash';
  return [
    {
      name: 'dispatch p50',
      unit: 'ms',
      value: percentile(waits, 0.5),
      goal: 25,
      better: 'lower',
      floor: { what, value: percentile(floor, 0.5) },
    },
    {
      name: 'dispatch p99',
      unit: 'ms',
      value: percentile(waits, 0.99),
      goal: 100,
      better: 'lower',
      floor: { what, value: percentile(floor, 0.99) },
    },
  ];
}
