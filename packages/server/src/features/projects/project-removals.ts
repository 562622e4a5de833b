import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { noActor, recordEvent } from '../../db/events.ts';
import type { Engine } from '../../engine/start.ts';
import { stopTask } from '../../engine/stop-task.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import {
  closeProject,
  deleteEmptyProject,
  deleteIdleTasks,
  deleteSomeRows,
  listBusyTasks,
  listDeletedProjects,
  markDeleted,
} from './removal-queries.ts';

export type RemovalParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly engine: Pick<Engine, 'news' | 'now'>;
};

/** How often it is looked whether the last task of a deleted project has ended, here or under a server that is gone. */
const everyMs = 5000;

/**
 * Deletes projects. One transaction takes a project away from everybody, with its members, aliases and secrets; waiting
 * tasks go, running ones are asked to stop. What is left, perhaps 100,000 tasks, goes behind the answer in small
 * transactions, once the last task has ended. The mark on the project lets any server go on with that after a restart.
 */
export class ProjectRemovals {
  readonly #parts: RemovalParts;
  /** Deleted projects with a task that has not ended. */
  readonly #waiting = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#parts.engine.news.onTasks((rows) => {
      if (rows.some((row) => row.end !== null && this.#waiting.has(row.project_id))) void this.sweep();
    });
    this.#timer = setInterval(() => void this.sweep(), everyMs);
    this.#timer.unref();
    void this.sweep();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Resolves when nobody reaches the project any more and all its tasks are told to stop. */
  async remove(actor: Actor, projectId: number): Promise<void> {
    const { database, engine } = this.#parts;
    await database.transact(async (db) => {
      const project = await markDeleted(db, projectId, engine.now());
      if (project === undefined) throw new AppError('not_found', 'There is no such project');
      await closeProject(db, projectId);
      await deleteIdleTasks(db, projectId, 'waiting');
      // Of no project: the events of this one go with it.
      await recordEvent(db, actor, {
        projectId: null,
        objectType: 'project',
        objectId: projectId,
        objectName: project.name,
        description: `Project ${project.name} deleted`,
      });
    });
    await this.#endTasks(projectId);
    void this.sweep();
  }

  /** Goes on with all deleted projects. One sweep at a time; one that is asked for during another follows it. */
  sweep(): Promise<void> {
    if (this.#running !== undefined) this.#again = true;
    this.#running ??= this.#sweepAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sweepAll(): Promise<void> {
    do {
      this.#again = false;
      try {
        for (const projectId of await listDeletedProjects(this.#parts.database.read)) await this.#goOn(projectId);
      } catch (error) {
        this.#parts.log.error('The deletion of a project could not go on', { cause: error });
      }
    } while (this.#again && !this.#stopped);
  }

  async #goOn(projectId: number): Promise<void> {
    if (this.#stopped) return;
    if ((await this.#endTasks(projectId)) > 0) return;
    this.#waiting.delete(projectId);
    const { database } = this.#parts;
    await this.#repeat((db) => deleteIdleTasks(db, projectId));
    await this.#repeat((db) => deleteSomeRows(db, projectId));
    if (this.#stopped) return;
    await database.transact((db) => deleteEmptyProject(db, projectId));
  }

  /** Waiting tasks go, running ones are asked to stop. @returns how many are still running */
  async #endTasks(projectId: number): Promise<number> {
    const { database, engine } = this.#parts;
    await this.#repeat((db) => deleteIdleTasks(db, projectId, 'waiting'));
    const busy = await listBusyTasks(database.read, projectId);
    // An end that comes now is heard of.
    if (busy.length > 0) this.#waiting.add(projectId);
    for (const { id: taskId, stop_requested } of busy) {
      if (stop_requested !== 'none') continue;
      try {
        engine.news.publish(
          await stopTask(database, { projectId, taskId, force: false, actor: noActor, now: engine.now() }),
        );
      } catch (error) {
        // It ended meanwhile: that is as good.
        if (!(error instanceof AppError) || !['task_final', 'not_found'].includes(error.code)) throw error;
      }
    }
    return busy.length;
  }

  async #repeat(deleteSome: (db: Db) => Promise<number>): Promise<void> {
    while (!this.#stopped && (await this.#parts.database.transact(deleteSome)) > 0);
  }
}
