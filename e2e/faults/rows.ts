import { drainQueue, killRunner, killServer, type PlayRound } from './campaign.ts';
import { writeLongLog } from './long-log.ts';
import { leaveAlone, stopDatabase } from './outages.ts';
import { race } from './races.ts';
import type { Database } from './rig.ts';
import { killWhileSchedulesFire } from './schedules.ts';
import { stopTasks } from './stops.ts';

/** How much of each thing is done; 0 leaves it out. */
export type Amounts = {
  /** Of servers, and as many of runners. */
  readonly kills: number;
  /** Kills, pauses and lost answers while two servers and two runners race. */
  readonly races: number;
  /** Tasks that they race for, for each of those faults. */
  readonly racers: number;
  /** Of the database, and as many of the server. */
  readonly outages: number;
  readonly stops: number;
  /** Kills of servers while schedules fire. */
  readonly schedules: number;
  /** Tasks that wait at once. */
  readonly queue: number;
  /** Of one task. */
  readonly lines: number;
};

/** One line of the table. */
export type Row = {
  readonly name: string;
  readonly database: Database;
  readonly goal: number;
  readonly isDouble: boolean;
  readonly play: PlayRound;
};

export function listRows(databases: readonly Database[], amounts: Amounts): Row[] {
  return databases.flatMap((database) => listRowsOf(database, amounts)).filter(({ goal }) => goal > 0);
}

function listRowsOf(database: Database, amounts: Amounts): Row[] {
  const { kills, races, racers, outages, stops, schedules, queue, lines } = amounts;
  const row = (name: string, goal: number, play: PlayRound, isDouble = false): Row => ({
    name,
    database,
    goal,
    play,
    isDouble,
  });
  const they = database === 'postgres' ? 'two servers and two runners race' : 'a server and two runners race';
  return [
    row('kill -9 of the server', kills, killServer),
    row('kill -9 of the runner', kills, killRunner),
    row(`${they}: kills, pauses, lost answers`, races, race(racers), true),
    ...(database === 'postgres' ? [row('the database is stopped', outages, stopDatabase)] : []),
    row('the server is away until the tasks are done', outages, leaveAlone),
    row('tasks are stopped at any moment', stops, stopTasks),
    row('kill -9 of servers while schedules fire', schedules, killWhileSchedulesFire, true),
    row(
      `a task of ${lines.toLocaleString('en')} lines, the server killed in its middle`,
      Math.min(lines, 1),
      writeLongLog(lines),
    ),
    row('queue drained', queue, drainQueue),
  ];
}
