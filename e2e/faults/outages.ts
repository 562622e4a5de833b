import { setTimeout as pause } from 'node:timers/promises';
import { judgeSuccess, launchMany, type PlayRound, waitUntilSomeRun } from './campaign.ts';

const tasksAtOnce = 20;

/** Stops the database under twenty tasks, most of which run. None of them ends for it, and no line is lost. */
export const stopDatabase: PlayRound = async (rig, random) => {
  const { server, postgres } = rig;
  if (postgres === null) throw new Error('only PostgreSQL can be stopped');
  const api = await server.signIn();
  const places = await launchMany(api, rig, tasksAtOnce);
  await waitUntilSomeRun(api, places, 4);
  await pause(random() * 500);
  await postgres.stop();
  await pause(2000 + random() * 6000);
  await postgres.start();
  const problems = await judgeSuccess(await server.signIn(), rig, places);
  return { faults: 1, tasks: places.length, problems };
};

/** Leaves the runner without a server until all of its tasks are done: the next server hears the truth, and all of it. */
export const leaveAlone: PlayRound = async (rig, random) => {
  const { server } = rig;
  const api = await server.signIn();
  const places = await launchMany(api, rig, tasksAtOnce / 2);
  await waitUntilSomeRun(api, places, 4);
  await server.kill();
  await pause(4000 + random() * 8000);
  await server.start();
  const problems = await judgeSuccess(await server.signIn(), rig, places);
  return { faults: 1, tasks: places.length, problems };
};
