import { isFinal } from '@signalbox/contract/task-state';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';

/** What the address of a runner is told: to boot a machine for it, and to switch it off again. */
type Call = {
  readonly action: 'start' | 'finish';
  readonly project_id: number;
  readonly task_id: number;
  readonly template_id: number;
  readonly runner_id: number;
};

/** The receiver may boot a machine, but has to say at once that it heard. */
const timeoutMs = 10_000;
/** Calls under way; what comes beyond waits. */
const maxCalls = 8;
/** Calls that wait. With more a receiver is not there, and would hear of the past only. */
const maxWaiting = 1000;
/** Tasks of which is known what was told last. */
const maxKnown = 10_000;

/**
 * Tells the webhook of a runner when it is given a task and when that task has ended. No task waits for an answer, and none
 * ends differently because of it. The server that changed a task tells it, once.
 */
export class RunnerWebhooks {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  readonly #waiting: Call[] = [];
  /** By task, what was told last: rows are published more often than their state changes. */
  readonly #told = new Map<number, string>();
  #calls = 0;

  constructor({ database, log, news }: { database: Database; log: Logger; news: TaskNews }) {
    this.#database = database;
    this.#log = log;
    news.onOwnTasks((rows) => {
      for (const row of rows) this.#note(row);
    });
  }

  stop(): void {
    this.#stopped.abort();
    this.#waiting.length = 0;
  }

  #note(row: TaskRow): void {
    const { id, runner_id: runnerId, claim_id: claimId } = row;
    if (runnerId === null) return;
    const action = isFinal(row.status) ? 'finish' : row.status === 'starting' ? 'start' : undefined;
    const state = `${action} ${claimId}`;
    if (action === undefined || this.#told.get(id) === state) return;
    this.#told.delete(id);
    this.#told.set(id, state);
    const [oldest] = this.#told.keys();
    if (this.#told.size > maxKnown && oldest !== undefined) this.#told.delete(oldest);
    if (this.#waiting.length >= maxWaiting || this.#stopped.signal.aborted) return;
    this.#waiting.push({
      action,
      project_id: row.project_id,
      task_id: id,
      template_id: row.template_id,
      runner_id: runnerId,
    });
    this.#next();
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
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Signalbox' },
        body: JSON.stringify(call),
        // Where it leads nobody has sent it.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stopped.signal]),
      });
      await answer.body?.cancel();
      if (!answer.ok) this.#warn(call, `it answered ${answer.status}`);
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

function describe(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
  return `no connection${code}`;
}
