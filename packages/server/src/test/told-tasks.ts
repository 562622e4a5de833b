import type { TaskEvent } from '@signalbox/contract/task-state';
import type { Insertable } from 'kysely';
import { vi } from 'vitest';
import type { StateTables } from '../db/tables.ts';
import { readForChange, takeSteps } from '../engine/task-steps.ts';
import { aProject, type TestProject } from './factories.ts';
import { insertTask, insertTemplate } from './rows.ts';
import type { TestServer } from './start-test-server.ts';

type Server = Pick<TestServer, 'database' | 'engine'>;

/** A project that wants to be told. */
export async function aToldProject(server: TestServer, alertChat: string | null = null): Promise<TestProject> {
  const project = await aProject(server);
  await server.database.transact((db) =>
    db.updateTable('project').set({ alert: true, alert_chat: alertChat }).where('id', '=', project.id).execute(),
  );
  return project;
}

export type RunningTask = {
  template?: Partial<Insertable<StateTables['template']>>;
  task?: Partial<Insertable<StateTables['task']>>;
};

/** A task whose tool runs, as far as the database knows. */
export async function aRunningTask(
  { database }: Server,
  project: { id: number },
  { template = {}, task = {} }: RunningTask = {},
): Promise<number> {
  return await database.transact(async (db) => {
    const templateId = await insertTemplate(db, { project_id: project.id, ...template });
    return await insertTask(db, { project_id: project.id, template_id: templateId, status: 'running', ...task });
  });
}

/** Takes one step of each task, in the way of the engine. */
export async function step({ database, engine }: Server, ids: readonly number[], event: TaskEvent): Promise<void> {
  const changed = await database.transact(async (db) => {
    const tasks = await readForChange(db, ids);
    const steps = [...tasks.values()].map((task) => ({ task, event }));
    return await takeSteps(db, database.keyring, steps, engine.now());
  });
  engine.news.publish(changed);
}

/** Ends one more task of the project. */
export async function tell(
  server: Server,
  project: { id: number },
  event: TaskEvent = 'finish_error',
  running: RunningTask = {},
): Promise<number> {
  const id = await aRunningTask(server, project, running);
  await step(server, [id], event);
  return id;
}

export function listOutbox({ database }: Pick<TestServer, 'database'>) {
  return database.read.selectFrom('notification').selectAll().orderBy('id').execute();
}

export type OutboxRow = Awaited<ReturnType<typeof listOutbox>>[number];

/** Waits until the outbox looks so. */
export async function waitForOutbox(
  server: Pick<TestServer, 'database'>,
  isGood: (rows: OutboxRow[]) => boolean,
): Promise<OutboxRow[]> {
  let rows: OutboxRow[] = [];
  await vi.waitUntil(
    async () => {
      rows = await listOutbox(server);
      return isGood(rows);
    },
    { timeout: 20_000, interval: 10 },
  );
  return rows;
}

/** Nothing is to be told any more that has not become a message. */
export async function waitUntilSpread({ database }: Pick<TestServer, 'database'>): Promise<void> {
  await vi.waitUntil(async () => (await database.read.selectFrom('task_alert').select('id').execute()).length === 0, {
    timeout: 20_000,
    interval: 10,
  });
}
