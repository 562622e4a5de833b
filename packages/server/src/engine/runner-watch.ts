import type { Database } from '../db/database.ts';
import type { LiveHub } from './live-hub.ts';
import { onlineMs } from './runner-facts.ts';

/**
 * Tells browsers that a runner came, went silent or is another one now. Nothing happens when one goes silent, so the sweep looks.
 */
export class RunnerWatch {
  readonly #database: Database;
  readonly #live: Pick<LiveHub, 'noteChange'>;
  #seen: ReadonlyMap<number | null, string> | undefined;

  constructor(database: Database, live: Pick<LiveHub, 'noteChange'>) {
    this.#database = database;
    this.#live = live;
  }

  async look(now: number): Promise<void> {
    const before = this.#seen;
    const seen = await this.#listOnline(now - onlineMs);
    this.#seen = seen;
    // What was there when this server started was told to nobody, and nobody was there to be told.
    if (before === undefined) return;
    const places = new Set([...before.keys(), ...seen.keys()]);
    const changed = [...places].filter((projectId) => before.get(projectId) !== seen.get(projectId));
    if (changed.length === 0) return;
    // The list of administrators shows the runners of projects as well.
    for (const projectId of new Set([null, ...changed])) this.#live.noteChange(projectId, 'runners');
  }

  /** What lists show of the runners that are online, by the project that they serve. */
  async #listOnline(since: number): Promise<Map<number | null, string>> {
    const rows = await this.#database.read
      .selectFrom('runner_instance')
      .leftJoin('runner', 'runner.id', 'runner_instance.runner_id')
      .select(['runner.project_id', 'runner_instance.instance', 'runner_instance.version'])
      .where('runner_instance.last_seen', '>=', since)
      .where('runner_instance.gone', 'is', null)
      .orderBy('runner_instance.instance')
      .execute();
    const online = new Map<number | null, string>();
    for (const { project_id: projectId, instance, version } of rows) {
      online.set(projectId, `${online.get(projectId) ?? ''} ${instance} ${version}`);
    }
    return online;
  }
}
