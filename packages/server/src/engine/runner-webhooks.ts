import type { BlockList } from 'node:net';
import { isFinal } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { callOut } from '../outgoing-call.ts';
import { mayServe } from './choose-tasks.ts';
import type { Clock } from './clock.ts';
import { onlineMs } from './runner-facts.ts';
import { listOnlineRunners } from './runner-instances.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';
import { isWaiting } from './task-sets.ts';

/** What the address of a runner is told: to start a machine for it, and to switch that off again. */
type Call = {
  readonly action: 'start' | 'finish';
  readonly project_id: number;
  readonly task_id: number;
  readonly template_id: number;
  readonly runner_id: number;
};

type RunnerWebhooksParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly news: TaskNews;
  readonly clock: Clock;
  readonly settings: { readonly deniedNetworks: BlockList };
};

/** The receiver may boot a machine, but has to say at once that it heard. */
const timeoutMs = 10_000;
/** Calls under way; what comes beyond waits. */
const maxCalls = 8;
/** Calls that wait. With more a receiver is not there, and would hear of the past only. */
const maxWaiting = 1000;
/** Tasks of which is known what was told last. */
const maxKnown = 10_000;

/** How often tasks are looked for that no runner can take which is online. */
const lookEveryMs = 2000;
/** Heads of lines told of at a time. */
const maxStranded = 100;

/**
 * Tells the webhook of a runner when it is given a task and when that task has ended; and before, when a task waits that nobody
 * else could take while it is offline. No task waits for an answer, and none ends differently because of it. The server
 * that changed a task tells it, once; of a task that waits each server tells, once.
 */
export class RunnerWebhooks {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  readonly #clock: Clock;
  readonly #denied: BlockList;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting: Call[] = [];
  /** By task, what was told last: rows are published more often than their state changes. */
  readonly #told = new Map<number, string>();
  #calls = 0;

  constructor({ database, log, news, clock, settings }: RunnerWebhooksParts) {
    this.#database = database;
    this.#denied = settings.deniedNetworks;
    this.#log = log;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.#wakeOffline(), lookEveryMs).unref();
    news.onOwnTasks((rows) => {
      for (const row of rows) this.#note(row);
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopped.abort();
    this.#waiting.length = 0;
  }

  #note(row: TaskRow): void {
    const { id, runner_id: runnerId, claim_id: claimId } = row;
    if (runnerId === null) return;
    const action = isFinal(row.status) ? 'finish' : row.status === 'starting' ? 'start' : undefined;
    if (action === undefined) return;
    const call: Call = { action, ...namePlace(row), runner_id: runnerId };
    // Who was told while the task waited has heard of this start.
    const isKnown = this.#told.get(id) === `${action} ${claimId}` || (action === 'start' && this.#wasWoken(call));
    this.#remember(id, `${action} ${claimId}`);
    if (!isKnown) this.#add(call);
  }

  #wasWoken({ task_id: taskId, runner_id: runnerId }: Call): boolean {
    return this.#told.get(taskId) === `wake ${runnerId}`;
  }

  #remember(taskId: number, state: string): void {
    this.#told.delete(taskId);
    this.#told.set(taskId, state);
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxKnown && oldest !== undefined) this.#told.delete(oldest);
  }

  #add(call: Call): void {
    if (this.#waiting.length >= maxWaiting || this.#stopped.signal.aborted) return;
    this.#waiting.push(call);
    this.#next();
  }

  /** A machine may be started by the webhook of its runner. */
  async #wakeOffline(): Promise<void> {
    try {
      const stranded = await listStranded(this.#database.read, this.#clock.now() - onlineMs);
      for (const { task, runnerId } of stranded) {
        if (this.#told.get(task.id)?.startsWith('wake ')) continue;
        this.#remember(task.id, `wake ${runnerId}`);
        this.#add({ action: 'start', ...namePlace(task), runner_id: runnerId });
      }
    } catch (error) {
      this.#log.warn('Tasks for runners that are offline could not be looked for', { cause: error });
    }
  }

  #next(): void {
    if (this.#calls >= maxCalls) return;
    const call = this.#waiting.shift();
    if (call === undefined) return;
    this.#calls += 1;
    void this.#tell(call).finally(() => {
      this.#calls -= 1;
      this.#next();
    });
  }

  async #tell(call: Call): Promise<void> {
    try {
      const url = await this.#findAddress(call.runner_id);
      if (url === '') return;
      const { status } = await callOut({
        url,
        body: JSON.stringify(call),
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopped.signal]),
        denied: this.#denied,
      });
      if (status < 200 || status > 299) this.#warn(call, `it answered ${status}`);
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#warn(call, describe(error));
    }
  }

  async #findAddress(runnerId: number): Promise<string> {
    const row = await this.#database.read
      .selectFrom('runner')
      .select('webhook')
      .where('id', '=', runnerId)
      .executeTakeFirst();
    return row?.webhook ?? '';
  }

  /** Without the address: many have a secret in them. */
  #warn({ runner_id: runner, task_id: task, action }: Call, reason: string): void {
    this.#log.warn(`The webhook of a runner was not reached: ${reason}`, { runner, task, action });
  }
}

const namePlace = ({ id, project_id, template_id }: Pick<TaskRow, 'id' | 'project_id' | 'template_id'>) => ({
  project_id,
  task_id: id,
  template_id,
});

/** Tasks that wait because no runner is online that may take them, each with one that could if its machine ran. */
async function listStranded(db: Db, onlineSince: number) {
  const runners = await db
    .selectFrom('runner')
    .select(['id', 'project_id as projectId', 'tag'])
    .where('webhook', '!=', '')
    .where('active', '=', true)
    .where('deleted', 'is', null)
    .orderBy('id')
    .execute();
  if (runners.length === 0) return [];
  const online = await listOnlineRunners(db, onlineSince);
  const tasks = await db
    .selectFrom('task')
    .select(['id', 'project_id', 'template_id', 'runner_tag'])
    .where(isWaiting)
    .where('waiting_reason', 'like', '%"no_runner"%')
    .orderBy('id')
    .limit(maxStranded)
    .execute();
  return tasks.flatMap((task) => {
    const place = { projectId: task.project_id, runnerTag: task.runner_tag };
    if (online.some((runner) => mayServe(runner, place))) return [];
    const able = runners.filter((runner) => mayServe(runner, place));
    const own = able.find((runner) => runner.projectId !== null) ?? able[0];
    return own === undefined ? [] : [{ task, runnerId: own.id }];
  });
}

function describe(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return `no connection${code}`;
}
