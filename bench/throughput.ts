import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { taskRoutes } from '@signalbox/contract/tasks';
import { launch } from '../e2e/fixtures/tasks.ts';
import { waitUntil } from '../e2e/fixtures/wait.ts';
import type { Figure } from './figure.ts';
import { openShop, type Shop } from './shop.ts';

const templates = 100;
const parallelLaunches = 16;

async function runBare(): Promise<void> {
  const child = spawn('bash', ['-c', 'true'], { stdio: 'ignore' });
  await once(child, 'close');
}

/** How many bare `bash -c true` the machine runs in a second, as many at a time as it has cores. */
async function measureFloor(count: number): Promise<number> {
  const start = performance.now();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await runBare();
    }
  };
  await Promise.all([worker(), worker()]);
  return (count * 1000) / (performance.now() - start);
}

async function launchAll(shop: Shop, ids: number[], count: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const id = ids[index % ids.length];
      if (id === undefined) throw new Error('no template');
      await launch(shop.api, { id, project_id: shop.workshop.projectId });
    }
  };
  await Promise.all(Array.from({ length: parallelLaunches }, worker));
}

/** No-op tasks end to end: launch, checkout of a resolved commit, start permission, log, seal, durable end. */
export async function measureThroughput(): Promise<Figure[]> {
  const count = Number(process.env.BENCH_TASKS ?? 3000);
  await using shop = await openShop({ 'noop.sh': 'true\n' }, { SIGNALBOX_MAX_PARALLEL_TASKS: '12' });
  const made = await Promise.all(
    Array.from({ length: templates }, (_, index) => shop.template(`No-op ${index}`, 'noop.sh')),
  );
  const ids = made.map((template) => template.id);
  await launchAll(shop, ids, templates);
  await waitForIdle(shop);
  const start = performance.now();
  await launchAll(shop, ids, count);
  await waitForIdle(shop);
  const value = (count * 1000) / (performance.now() - start);
  const floor = { what: 'bare bash -c true', value: await measureFloor(1000) };
  return [
    {
      name: `no-op tasks, ${count} over ${templates} templates`,
      unit: 'tasks/s',
      value,
      goal: 150,
      better: 'higher',
      floor,
    },
  ];
}

/** The queue is first in, first out for a template, so the newest tasks of the project end last. */
async function waitForIdle(shop: Shop): Promise<void> {
  await waitUntil(
    'all tasks ended',
    async () => {
      const last = await shop.api.call(taskRoutes.last, {
        params: { project_id: shop.workshop.projectId },
        query: { limit: '200' },
      });
      const failed = last.find((task) => task.status === 'error' || task.status === 'stopped');
      if (failed !== undefined) throw new Error(`task ${failed.id} ended as ${failed.status}: ${failed.reason}`);
      return last.every((task) => task.status === 'success');
    },
    600_000,
  );
}
