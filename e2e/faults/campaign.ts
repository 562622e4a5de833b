import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '@signalbox/contract/task-state';
import type { Api } from '../fixtures/api.ts';
import { findMarked, signal } from '../fixtures/processes.ts';
import type { SignalboxServer } from '../fixtures/server.ts';
import { getTask, launch, type TaskPlace, waitForEnd, waitForTask } from '../fixtures/tasks.ts';
import { waitUntil } from '../fixtures/wait.ts';
import { countRuns, type Field, judgeLog, type Ledger } from './ledger.ts';

export type Outcome = {
  /** Kills so far, or whatever else was done to the server. */
  readonly faults: number;
  readonly tasks: number;
  /** One sentence for each thing that may not happen. */
  readonly problems: readonly string[];
};

export type Rig = {
  readonly server: SignalboxServer;
  readonly ledger: Ledger;
  readonly field: Field;
  readonly lines: number;
  readonly random: () => number;
};

const tasksAtOnce = 4;
const endLimitMs = 120_000;

function launchSome(api: Api, { field }: Rig): Promise<TaskPlace[]> {
  return Promise.all(Array.from({ length: tasksAtOnce }, () => launch(api, field.template)));
}

const isUnderWay = (api: Api, place: TaskPlace): Promise<unknown> =>
  waitForTask(api, place, ({ status }) => status === 'running' || isFinal(status), endLimitMs);

/** Each task was run once, and no entry is anybody else's. */
async function judgeRuns(ledger: Ledger, places: readonly TaskPlace[]): Promise<string[]> {
  const runs = await countRuns(ledger);
  return places.flatMap(({ task_id: id }) => {
    const count = runs.get(id) ?? 0;
    return count === 1 ? [] : [`task ${id} was run ${count} times`];
  });
}

/**
 * Kills the server again and again while tasks run. Every one of them goes on under its runner and ends in success, with all of its
 * lines.
 *
 * @param kills how many
 */
export async function killServer(rig: Rig, kills: number, onRound: (outcome: Outcome) => void): Promise<Outcome> {
  const { server, ledger, random } = rig;
  const problems: string[] = [];
  let [faults, tasks] = [0, 0];
  while (faults < kills) {
    const places = await launchSome(await server.signIn(), rig);
    const first = await server.signIn();
    await Promise.all(places.map((place) => isUnderWay(first, place)));
    for (let round = 0; round < 4 && faults < kills; round += 1) {
      await pause(50 + random() * 900);
      await server.kill();
      await pause(random() * 300);
      await server.start();
      faults += 1;
    }
    const api = await server.signIn();
    for (const place of places) {
      const task = await waitForEnd(api, place, endLimitMs);
      if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
      const fault = await judgeLog(api, place, rig.lines, true);
      if (fault !== undefined) problems.push(fault);
    }
    problems.push(...(await judgeRuns(ledger, places)));
    tasks += places.length;
    onRound({ faults, tasks, problems });
  }
  return { faults, tasks, problems };
}

/**
 * Kills the runner again and again while tasks run. Each of them ends as an error, "runner lost", with no process left and what it
 * had written; the next ones run.
 */
export async function killRunner(rig: Rig, kills: number, onRound: (outcome: Outcome) => void): Promise<Outcome> {
  const { server, ledger, random } = rig;
  const problems: string[] = [];
  let [faults, tasks] = [0, 0];
  const api = await server.signIn();
  while (faults < kills) {
    const places = await launchSome(api, rig);
    await Promise.all(places.map((place) => isUnderWay(api, place)));
    await pause(random() * 800);
    const running = await Promise.all(places.map(async (place) => (await getTask(api, place)).status === 'running'));
    const runner = await server.waitForRunner();
    signal(runner.pid, 'SIGKILL');
    faults += 1;
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
    problems.push(...(await judgeRuns(ledger, places)), ...listSurvivors(ledger));
    tasks += places.length;
    onRound({ faults, tasks, problems });
  }
  return { faults, tasks, problems };
}

/** Scripts of tasks, by the file that they name: in a long campaign the kernel gives a number of a process to another one. */
function listSurvivors(ledger: Ledger): string[] {
  return findMarked(ledger.file).map(({ pid }) => `process ${pid} of a task that has ended is still there`);
}

/** Launches many tasks at once and waits until the last of them has ended: each is run once. */
export async function drainQueue(rig: Rig, count: number): Promise<Outcome> {
  const { server, ledger, field } = rig;
  const api = await server.signIn();
  const places: TaskPlace[] = [];
  const launchOne = async (): Promise<void> => {
    while (places.length < count) {
      const index = places.push({ project_id: 0, task_id: 0 }) - 1;
      places[index] = await launch(api, field.template);
    }
  };
  await Promise.all(Array.from({ length: 16 }, launchOne));
  const newest = places.reduce((left, right) => (left.task_id > right.task_id ? left : right));
  await waitForEnd(api, newest, count * 1000);
  await waitUntil('the last tasks have ended', async () => (await countRuns(ledger)).size >= count, endLimitMs);
  const problems = await judgeRuns(ledger, places);
  for (const place of places.slice(0, 50)) {
    const task = await waitForEnd(api, place, endLimitMs);
    if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
  }
  return { faults: 0, tasks: places.length, problems };
}
