import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '@signalbox/contract/task-state';
import type { Api } from '../fixtures/api.ts';
import { signal } from '../fixtures/processes.ts';
import { getTask, launch, type TaskPlace, waitForEnd, waitForTask } from '../fixtures/tasks.ts';
import { waitUntil } from '../fixtures/wait.ts';
import { countRuns, judgeLog, judgeRuns, judgeSurvivors } from './ledger.ts';
import type { Rig } from './rig.ts';

/** What one round has done, and seen. */
export type Round = {
  /** What counts towards the goal of the row: kills, pauses, outages, stops. */
  readonly faults: number;
  readonly tasks: number;
  /** One sentence for each thing that may not happen. */
  readonly problems: readonly string[];
};

/** @param random the same at the same place of a campaign with the same seed @param left how many faults are wanted yet */
export type PlayRound = (rig: Rig, random: () => number, left: number) => Promise<Round>;

export const endLimitMs = 180_000;
/** How soon all must be well again after a fault. */
const survivorLimitMs = 30_000;
/** Tasks of a round: some of them run, the others wait for a slot. */
const tasksAtOnce = 16;
const killsOfServer = 4;

export function launchMany(api: Api, { field }: Rig, count: number): Promise<TaskPlace[]> {
  return Promise.all(Array.from({ length: count }, () => launch(api, field.template)));
}

/** As many as may run do run, or have run. */
export async function waitUntilSomeRun(api: Api, places: readonly TaskPlace[], count: number): Promise<void> {
  const first = places.slice(0, count);
  const hasBegun = (place: TaskPlace) =>
    waitForTask(api, place, ({ status }) => status === 'running' || isFinal(status), endLimitMs);
  await Promise.all(first.map(hasBegun));
}

/** Every task has ended in success, with all of its lines, and was run once. */
export async function judgeSuccess(api: Api, rig: Rig, places: readonly TaskPlace[]): Promise<string[]> {
  const problems: string[] = [];
  for (const place of places) {
    const task = await waitForEnd(api, place, endLimitMs);
    if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
    const fault = await judgeLog(api, place, rig.lines, true);
    if (fault !== undefined) problems.push(fault);
  }
  return [...problems, ...(await judgeRuns(rig.ledger, places))];
}

/** Kills the server again and again while tasks run and others wait. All go on, and end in success, with all of their lines. */
export const killServer: PlayRound = async (rig, random, left) => {
  const { server } = rig;
  const first = await server.signIn();
  const places = await launchMany(first, rig, tasksAtOnce);
  await waitUntilSomeRun(first, places, 1);
  const kills = Math.min(killsOfServer, left);
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(50 + random() * 900);
    await server.kill();
    await pause(random() * 300);
    await server.start();
  }
  const problems = await judgeSuccess(await server.signIn(), rig, places);
  return { faults: kills, tasks: places.length, problems };
};

/**
 * Kills the runner while tasks run. Each of them ends as an error, "runner lost", with no process left and what it had written, and
 * what had not begun is run by the next one.
 */
export const killRunner: PlayRound = async (rig, random) => {
  const { server, ledger } = rig;
  const api = await server.signIn();
  const places = await launchMany(api, rig, tasksAtOnce / 4);
  await waitUntilSomeRun(api, places, places.length);
  await pause(random() * 800);
  const running = await Promise.all(places.map(async (place) => (await getTask(api, place)).status === 'running'));
  const runner = await server.waitForRunner();
  signal(runner.pid, 'SIGKILL');
  const problems: string[] = [];
  for (const [index, place] of places.entries()) {
    const task = await waitForEnd(api, place, endLimitMs);
    const isLost = task.status === 'error' && task.reason.startsWith('runner lost');
    // It may have ended by itself in the moment of the kill.
    if (running[index] && !isLost && task.status !== 'success') {
      problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
    }
    const fault = await judgeLog(api, place, rig.lines, task.status === 'success');
    if (fault !== undefined) problems.push(fault);
  }
  problems.push(...(await judgeRuns(ledger, places)), ...(await judgeSurvivors(ledger, survivorLimitMs)));
  return { faults: 1, tasks: places.length, problems };
};

/** Launches many tasks at once and waits until the last of them has ended: each is run once. */
export const drainQueue: PlayRound = async ({ server, ledger, quick }, _random, left) => {
  const api = await server.signIn();
  const places: TaskPlace[] = [];
  const launchOne = async (): Promise<void> => {
    while (places.length < left) {
      const index = places.push({ project_id: 0, task_id: 0 }) - 1;
      places[index] = await launch(api, quick.template);
    }
  };
  const before = (await countRuns(ledger)).size;
  await Promise.all(Array.from({ length: 16 }, launchOne));
  const newest = places.reduce((one, other) => (one.task_id > other.task_id ? one : other));
  await waitForEnd(api, newest, left * 1000);
  await waitUntil('the last tasks have ended', async () => (await countRuns(ledger)).size >= before + left, endLimitMs);
  const problems = await judgeRuns(ledger, places);
  for (const place of places.slice(0, 50)) {
    const task = await waitForEnd(api, place, endLimitMs);
    if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
  }
  return { faults: left, tasks: places.length, problems };
};
