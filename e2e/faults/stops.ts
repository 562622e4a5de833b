import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '@signalbox/contract/task-state';
import { addTemplate } from '../fixtures/projects.ts';
import { getTask, launch, stopTask, waitForEnd } from '../fixtures/tasks.ts';
import { endLimitMs, type PlayRound, waitUntilSomeRun } from './campaign.ts';
import { countRuns, judgeSurvivors } from './ledger.ts';

const tasksAtOnce = 6;
const graceSeconds = 1;
const survivorLimitMs = 30_000;

/**
 * Stops tasks at any moment, gently or by force, some of them while the server is killed: each ends as stopped, was run once at most,
 * and leaves no process, whatever its own processes think of signals.
 */
export const stopTasks: PlayRound = async ({ server, ledger, field }, random, left) => {
  const api = await server.signIn();
  const template = await addTemplate(api, field.workshop, {
    name: `Stubborn ${Date.now()}`,
    playbook: 'stubborn.sh',
    arguments: JSON.stringify([ledger.file]),
    allow_parallel_tasks: true,
    stop_grace_seconds: graceSeconds,
  });
  const count = Math.min(tasksAtOnce, left);
  const places = await Promise.all(Array.from({ length: count }, () => launch(api, template)));
  await waitUntilSomeRun(api, places, Math.floor(random() * (count + 1)));
  await pause(random() * 300);
  await Promise.all(places.map((place) => stopTask(api, place, random() < 0.3)));
  if (random() < 0.3) {
    await server.kill();
    await server.start();
  }
  const again = await server.signIn();
  const problems: string[] = [];
  for (const place of places) {
    const task = await waitForEnd(again, place, endLimitMs);
    if (task.status !== 'stopped') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
    if (!isFinal((await getTask(again, place)).status)) problems.push(`task ${place.task_id} is not final any more`);
    const runs = (await countRuns(ledger)).get(place.task_id) ?? 0;
    if (runs > 1) problems.push(`task ${place.task_id} was run ${runs} times`);
  }
  problems.push(...(await judgeSurvivors(ledger, survivorLimitMs)));
  return { faults: count, tasks: count, problems };
};
