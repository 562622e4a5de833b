import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../fixtures/api.ts';
import { signal } from '../fixtures/processes.ts';
import type { SignalboxServer } from '../fixtures/server.ts';
import { launch, type TaskPlace, waitForEnd } from '../fixtures/tasks.ts';
import { endLimitMs, launchMany, type PlayRound, waitUntilSomeRun } from './campaign.ts';
import { countRuns, judgeLog, judgeSurvivors } from './ledger.ts';
import { createRandom } from './random.ts';
import type { FarRunner, Rig } from './rig.ts';

/** Of 100 answers that the far runner hears through its proxy, so many are lost after the call was carried out. */
const lostAnswers = 5;
const longTasks = 12;
const faultsOfRound = 4;
const survivorLimitMs = 60_000;

type Fault = (rig: Rig & { far: FarRunner }, random: () => number) => Promise<void>;

async function restart(server: SignalboxServer, random: () => number): Promise<void> {
  await server.kill();
  await pause(random() * 500);
  await server.start();
}

const faults: readonly Fault[] = [
  ({ server }, random) => restart(server, random),
  ({ server, second }, random) => restart(second ?? server, random),
  async ({ far }) => {
    far.current().kill('SIGKILL');
    far.start();
  },
  async ({ server }) => signal((await server.waitForRunner()).pid, 'SIGKILL'),
  async ({ far }, random) => {
    const child = far.current();
    child.kill('SIGSTOP');
    // Sometimes long enough for its tasks to be given away or shown as unreachable.
    await pause(500 + random() * 12_000);
    child.kill('SIGCONT');
  },
];

/**
 * Servers and runners race for many tasks, short and long ones, while any of them is killed or stopped for a while and answers are
 * lost. No task is run twice, none is left, and each says truthfully how it ended.
 * @param racers tasks for each fault
 */
export const race =
  (racers: number): PlayRound =>
  async (rig, random, left) => {
    const { far } = rig;
    if (far === null) throw new Error('a race needs a second runner');
    // Of its own: how many calls there are depends on the machine, and the faults shall not.
    const dice = createRandom(random() * 2 ** 32);
    far.proxy.lose(Number.POSITIVE_INFINITY, () => dice() * 100 < lostAnswers);
    const servers = [rig.server, ...(rig.second === null ? [] : [rig.second])];
    const apis = await Promise.all(servers.map((server) => server.signIn()));
    const long = (await Promise.all(apis.map((api) => launchMany(api, rig, longTasks / apis.length)))).flat();
    const count = Math.min(faultsOfRound, left);
    const short = await launchShort(apis, rig, Math.max(0, racers * count - long.length));
    await waitUntilSomeRun(apis[0] ?? (await rig.server.signIn()), long, 1);
    for (let done = 0; done < count; done += 1) {
      const fault = faults[Math.floor(random() * faults.length)];
      await fault?.({ ...rig, far }, random);
      await pause(random() * 700);
    }
    const api = await (rig.second ?? rig.server).signIn();
    const problems = [
      ...(await judge(api, rig, long, rig.lines)),
      ...(await judge(api, rig, short, 1)),
      ...(await judgeSurvivors(rig.ledger, survivorLimitMs)),
    ];
    return { faults: count, tasks: long.length + short.length, problems };
  };

async function launchShort(apis: readonly Api[], { quick }: Rig, count: number): Promise<TaskPlace[]> {
  const perServer = Math.ceil(count / apis.length);
  const all = apis.map((api) => Promise.all(Array.from({ length: perServer }, () => launch(api, quick.template))));
  return (await Promise.all(all)).flat();
}

/** Success is one run with all of its lines; a lost runner is one run at most, with what was written, in order. */
async function judge(api: Api, { ledger }: Rig, places: readonly TaskPlace[], lines: number): Promise<string[]> {
  const problems: string[] = [];
  const runs = new Map<number, { status: string; reason: string }>();
  for (const place of places) {
    const task = await waitForEnd(api, place, endLimitMs);
    runs.set(place.task_id, task);
    const isLost = task.status === 'error' && /runner (was )?lost/.test(task.reason);
    if (task.status !== 'success' && !isLost) {
      problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
    }
    const fault = await judgeLog(api, place, lines, task.status === 'success');
    if (fault !== undefined) problems.push(fault);
  }
  const counts = await countRuns(ledger);
  for (const [id, { status }] of runs) {
    const count = counts.get(id) ?? 0;
    if (count > 1 || (status === 'success' && count !== 1))
      problems.push(`task ${id}, ${status}, was run ${count} times`);
  }
  return problems;
}
