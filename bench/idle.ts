import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { makeServer } from '../e2e/fixtures/server.ts';
import { type Figure, percentile } from './figure.ts';
import { builtServer, openShop } from './shop.ts';

function readMegabytes(pid: number, file: string, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`no ${field} of ${pid}`);
  return Number(kilobytes) / 1024;
}

/** Start of the process until it answers, on a data directory that exists. */
async function measureStart(): Promise<number[]> {
  await using server = await makeServer({ program: builtServer });
  await server.start();
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await server.stop();
    const start = performance.now();
    await server.start();
    times.push(performance.now() - start);
  }
  return times;
}

function measureBareStart(): number[] {
  return Array.from({ length: 5 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ['--eval', '0']);
    return performance.now() - start;
  });
}

export async function measureIdle(): Promise<Figure[]> {
  const starts = await measureStart();
  await using shop = await openShop({ 'x.sh': 'true\n' });
  const runner = await shop.server.waitForRunner();
  await pause(15_000);
  const floor = { what: 'empty Node', value: percentile(measureBareStart(), 0.5) };
  return [
    {
      name: 'start to healthy, median of 5',
      unit: 'ms',
      value: percentile(starts, 0.5),
      goal: 1000,
      better: 'lower',
      floor,
    },
    {
      name: 'idle server, RSS',
      unit: 'MB',
      value: readMegabytes(shop.server.pid, 'status', 'VmRSS'),
      goal: 100,
      better: 'lower',
    },
    {
      name: 'idle runner, PSS',
      unit: 'MB',
      value: readMegabytes(runner.pid, 'smaps_rollup', 'Pss'),
      goal: 45,
      better: 'lower',
    },
  ];
}
