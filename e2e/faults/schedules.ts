import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scheduleRoutes } from '@signalbox/contract/schedules';
import type { Api } from '../fixtures/api.ts';
import { readRowsOfDatabase } from '../fixtures/postgres.ts';
import { readRowsOfFile } from '../fixtures/secret-search.ts';
import { waitForEnd } from '../fixtures/tasks.ts';
import { endLimitMs, type PlayRound } from './campaign.ts';
import { judgeRuns } from './ledger.ts';
import type { Rig } from './rig.ts';

const schedules = 10;
const everyMs = 2000;
const killsOfRound = 4;
/** How long after a kill a time may be missing: until a server is back, or the sweep of the other one has come. */
const recoveryMs = 6000;

type Tick = { readonly schedule: number; readonly nominal: number; readonly task: number | null };
type Outage = { readonly from: number; readonly to: number };

/**
 * Kills servers while schedules fire every two seconds. Each time starts one task or none, a task belongs to one time, and only
 * while no server was there is a time missing.
 */
export const killWhileSchedulesFire: PlayRound = async (rig, random, left) => {
  const servers = rig.second === null ? [rig.server] : [rig.server, rig.second];
  const api = await rig.server.signIn();
  const project_id = rig.quick.workshop.projectId;
  const ids = await Promise.all(Array.from({ length: schedules }, (_, index) => addSchedule(api, rig, index)));
  const outages: Outage[] = [];
  const kills = Math.min(killsOfRound, left);
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(500 + random() * 2500);
    const server = servers[Math.floor(random() * servers.length)] ?? rig.server;
    const from = Date.now();
    await server.kill();
    await pause(random() * 300);
    await server.start();
    outages.push({ from, to: Date.now() + recoveryMs });
  }
  await pause(2 * everyMs);
  const again = await rig.server.signIn();
  for (const schedule_id of ids) {
    await again.call(scheduleRoutes.setActive, { params: { project_id, schedule_id }, body: { active: false } });
  }
  const { ticks, tasks } = await readTicks(rig, ids);
  const places = tasks.map((task_id) => ({ project_id, task_id }));
  const problems = judgeTicks(ticks, tasks, outages);
  for (const place of places) {
    const task = await waitForEnd(again, place, endLimitMs);
    if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
  }
  problems.push(...(await judgeRuns(rig.ledger, places)));
  return { faults: kills, tasks: tasks.length, problems };
};

async function addSchedule(api: Api, { quick }: Rig, index: number): Promise<number> {
  const { id } = await api.call(scheduleRoutes.create, {
    params: { project_id: quick.workshop.projectId },
    body: {
      name: `Every two seconds, ${index}`,
      template_id: quick.template.id,
      cron_format: `@every ${everyMs / 1000}s`,
      active: true,
    },
  });
  return id;
}

/** As they are stored: the API tells of the latest time only. */
async function readTicks(
  { server, postgres }: Rig,
  ids: readonly number[],
): Promise<{ ticks: Tick[]; tasks: number[] }> {
  const all =
    postgres === null ? [...readRowsOfFile(join(server.dataDir, 'state.db'))] : await readRowsOfDatabase(postgres.url);
  const own = (table: string) =>
    all.flatMap(({ table: name, row }) => (name === table && ids.includes(Number(row.schedule_id)) ? [row] : []));
  const ticks = own('schedule_tick').map(({ schedule_id, nominal, task_id }) => ({
    schedule: Number(schedule_id),
    nominal: Number(nominal),
    task: task_id === null ? null : Number(task_id),
  }));
  return { ticks, tasks: own('task').map(({ id }) => Number(id)) };
}

function judgeTicks(ticks: readonly Tick[], tasks: readonly number[], outages: readonly Outage[]): string[] {
  const strays = tasks.flatMap((id) => {
    const count = ticks.filter(({ task }) => task === id).length;
    return count === 1 ? [] : [`task ${id} belongs to ${count} times of its schedule`];
  });
  const ofSchedules = [...Map.groupBy(ticks, (tick) => tick.schedule)].flatMap(([schedule, own]) =>
    judgeTimes(
      own.map(({ nominal }) => nominal),
      outages,
    ).map((problem) => `schedule ${schedule}: ${problem}`),
  );
  return [...strays, ...ofSchedules, ...(ticks.length === 0 ? ['no schedule has fired'] : [])];
}

/** Of one schedule. */
function judgeTimes(unordered: readonly number[], outages: readonly Outage[]): string[] {
  const times = unordered.toSorted((one, other) => one - other);
  const isExcused = (due: number) => outages.some(({ from, to }) => due >= from - everyMs && due <= to);
  const problems = times.slice(1).flatMap((time, index) => {
    const due = (times[index] ?? 0) + everyMs;
    if (time === due || (time > due && isExcused(due))) return [];
    return [`${time} came where ${due} was due`];
  });
  const restarted = (outages.at(-1)?.to ?? 0) - recoveryMs;
  if ((times.at(-1) ?? 0) < restarted) problems.push('nothing came after the last kill');
  return problems;
}
