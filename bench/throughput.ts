import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeRunnerUsage } from '@signalbox/contract/runner-usage';
import { runnerRoutes } from '@signalbox/contract/runners';
import { RunnerMachine, RunnerPackage } from '../e2e/fixtures/packed-runner.ts';
import { launch, type TaskPlace, waitForSuccess } from '../e2e/fixtures/tasks.ts';
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

/** @returns the newest task of each template: a template's line is first in, first out, so it ends last */
async function launchAll(shop: Shop, ids: number[], count: number): Promise<Map<number, TaskPlace>> {
  const newest = new Map<number, TaskPlace>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const id = ids[index % ids.length];
      if (id === undefined) throw new Error('no template');
      const place = await launch(shop.api, { id, project_id: shop.workshop.projectId });
      if (place.task_id > (newest.get(id)?.task_id ?? 0)) newest.set(id, place);
    }
  };
  await Promise.all(Array.from({ length: parallelLaunches }, worker));
  return newest;
}

/** Asks for one task at a time, so that the asking is no load of its own. */
async function waitForAll(shop: Shop, newest: Map<number, TaskPlace>): Promise<void> {
  for (const place of newest.values()) await waitForSuccess(shop.api, place, 600_000);
}

/** Tasks per second of so many no-op tasks end to end: launch, checkout of a resolved commit, start permission, log, seal, durable end. */
async function measureRate(shop: Shop, count: number, runnerTag?: string): Promise<number> {
  const change = runnerTag === undefined ? {} : { runner_tag: runnerTag };
  const made = await Promise.all(
    Array.from({ length: templates }, (_, index) => shop.template(`No-op ${index}`, 'noop.sh', change)),
  );
  const ids = made.map((template) => template.id);
  await waitForAll(shop, await launchAll(shop, ids, templates));
  const start = performance.now();
  await waitForAll(shop, await launchAll(shop, ids, count));
  return (count * 1000) / (performance.now() - start);
}

const env = { SIGNALBOX_MAX_PARALLEL_TASKS: '12' };
const countTasks = (): number => Number(process.env.BENCH_TASKS ?? 3000);

async function makeFigure(name: string, value: number): Promise<Figure> {
  const floor = { what: 'bare bash -c true', value: await measureFloor(1000) };
  return { name, unit: 'tasks/s', value, goal: 150, better: 'higher', floor };
}

/** Through the built-in runner. */
export async function measureThroughput(): Promise<Figure[]> {
  const count = countTasks();
  await using shop = await openShop({ 'noop.sh': 'true\n' }, env);
  const value = await measureRate(shop, count);
  return [await makeFigure(`no-op tasks, ${count} over ${templates} templates`, value)];
}

/** Through a runner that was installed from its package and serves a tag. */
export async function measureSecondRunner(): Promise<Figure[]> {
  const count = countTasks();
  await using shop = await openShop({ 'noop.sh': 'true\n' }, env);
  await using packed = await RunnerPackage.make();
  await using machine = await RunnerMachine.make(packed, { SIGNALBOX_LOCAL_REPOSITORIES: shop.repository.parent });
  const body = { name: 'second', tag: 'second', active: true };
  const { token, private_key: privateKey } = await shop.api.call(runnerRoutes.create, { body });
  machine.start(writeRunnerUsage('env', { server: shop.server.url, token, privateKey }));
  const value = await measureRate(shop, count, body.tag);
  return [await makeFigure(`no-op tasks, ${count} through a second runner`, value)];
}
