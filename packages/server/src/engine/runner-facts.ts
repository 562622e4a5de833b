import { hostname, userInfo } from 'node:os';
import { Machine, type Tool } from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import type { Db } from '../db/database.ts';
import { notSpoken } from './runner-instances.ts';

/** A runner that was heard of within this time counts as online. */
export const onlineMs = 15_000;

export type RunnerFacts = {
  /** Tools of the runners that are online, each once. */
  readonly tools: Tool[];
  /** Tasks run as the user of this server, on its machine: what it may read, they may read. */
  readonly sharedUser: boolean;
  readonly problems: string[];
};

export async function readRunnerFacts(db: Db, onlineSince: number): Promise<RunnerFacts> {
  const rows = await db
    .selectFrom('runner_instance')
    .select('machine')
    .where('last_seen', '>=', onlineSince)
    .where('gone', 'is', null)
    .where('protocol', '!=', notSpoken)
    .execute();
  const machines = rows.map((row) => z.parse(Machine, JSON.parse(row.machine)));
  const tools = new Map(machines.flatMap((machine) => machine.tools.map((tool) => [tool.name, tool] as const)));
  const { username } = userInfo();
  return {
    tools: [...tools.values()],
    sharedUser: machines.some((machine) => machine.user === username && machine.hostname === hostname()),
    problems: machines.length === 0 ? ['No runner is online: tasks wait'] : [],
  };
}
