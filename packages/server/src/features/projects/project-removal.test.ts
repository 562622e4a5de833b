import { monitorEventLoopDelay } from 'node:perf_hooks';
import { projectRoutes } from '@signalbox/contract/projects';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Db } from '../../db/database.ts';
import { deleteRetiredLogs } from '../../engine/log-store.ts';
import { takeSteps } from '../../engine/task-steps.ts';
import { aProject, aTemplate, aUser, type TestProject, type TestUser } from '../../test/factories.ts';
import { fillProject } from '../../test/full-project.ts';
import { insertUse, listOwnedTables } from '../../test/project-rows.ts';
import { insertTask } from '../../test/rows.ts';
import { aRunner } from '../../test/start-engine-server.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { ProjectRemovals } from './project-removals.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server, { admin: true });
});
afterAll(() => server.stop());

const remove = (project: TestProject, by: TestUser) =>
  server.call('DELETE', `/project/${project.id}`, { session: by.session });

/** What goes on behind the answer, until there is nothing left to do. */
async function settle(): Promise<void> {
  const removals = new ProjectRemovals({ database: server.database, log: fails, engine: server.engine });
  await removals.sweep();
  await removals.stop();
}
const fail = (message: string) => {
  throw new Error(message);
};
const fails = { info: fail, warn: fail, error: fail };

/** How many rows of each table belong to the project. */
async function countRows(projectId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await listOwnedTables(server.database)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where project_id = ${projectId}`.execute(server.database.read);
    counts[table] = Number(rows[0]?.count);
  }
  return counts;
}

const findProject = (id: number) =>
  server.database.read.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();

/** The server finishes the deletion by itself. */
const isGone = ({ id }: TestProject) => expect.poll(() => findProject(id), { timeout: 100_000 }).toBeUndefined();

/** A project with rows in every table. */
async function aFullProject(): Promise<TestProject & { taskId: number }> {
  const project = await aProject(server);
  await fillProject(server, project.id, project.owner);
  await aRunner(server, { projectId: project.id, tag: 'x' });
  return { ...project, taskId: await insertUse(server.database, project.id) };
}

test('a deleted project is gone with everything in it, and nothing of another project is touched', async () => {
  const project = await aFullProject();
  const other = await aFullProject();
  const empty = Object.entries(await countRows(project.id)).filter(([, count]) => count === 0);
  expect(empty).toEqual([]);
  const before = await countRows(other.id);
  const answer = await remove(project, project.owner);
  expect([answer.status, answer.text]).toEqual([204, '']);
  await isGone(project);
  const left = Object.entries(await countRows(project.id)).filter(([, count]) => count > 0);
  expect(left).toEqual([]);
  expect(await countRows(other.id)).toEqual(before);
  const logs = () => server.database.logs.read.selectFrom('log_chunk').select('task_id').execute();
  while ((await deleteRetiredLogs(server.database)) > 0);
  expect((await logs()).map(({ task_id }) => task_id)).toEqual([other.taskId]);
});

test('its name stands in an event of no project, with who deleted it', async () => {
  const project = await aProject(server);
  const name = (await findProject(project.id))?.name;
  await remove(project, project.owner);
  const events = server.database.read.selectFrom('event').selectAll().where('object_id', '=', project.id);
  expect(await events.where('object_type', '=', 'project').execute()).toMatchObject([
    { project_id: null, user_id: project.owner.id, object_name: name, description: `Project ${name} deleted` },
  ]);
});

test('only who may update a project deletes it, and only once', async () => {
  const project = await aProject(server);
  for (const member of [project.manager, project.runner, project.guest]) {
    expect((await remove(project, member)).status).toBe(403);
  }
  expect((await remove(project, project.stranger)).status).toBe(404);
  const answers = await Promise.all([remove(project, project.owner), remove(project, admin)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
});

test('while a task still runs, the project is gone for everybody, its secrets and aliases too, and the task is stopped', async () => {
  const project = await aProject(server);
  await fillProject(server, project.id, project.owner);
  const templateId = await aTemplate(server, project, { allow_parallel_tasks: true });
  const [running, waiting] = await server.database.transact(async (db) => {
    const row = { project_id: project.id, template_id: templateId, parallel: true };
    return [await insertTask(db, { ...row, status: 'running', start: 1 }), await insertTask(db, row)];
  });
  expect((await remove(project, project.owner)).status).toBe(204);
  await settle();
  const params = { project_id: project.id };
  for (const { session } of [project.owner, project.guest, admin]) {
    expect((await server.ask(projectRoutes.get, { params, session })).status).toBe(404);
    const { body } = await server.ask(projectRoutes.list, { session });
    expect(body.map(({ id }) => id)).not.toContain(project.id);
  }
  const counts = await countRows(project.id);
  const gone = ['project_user', 'integration_alias', 'terraform_alias', 'environment_secret'] as const;
  expect(gone.map((table) => counts[table])).toEqual([0, 0, 0, 0]);
  const secrets = await server.database.read
    .selectFrom('key')
    .select('secret')
    .where('project_id', '=', project.id)
    .execute();
  expect(secrets.filter(({ secret }) => secret !== null)).toEqual([]);
  const active = server.database.read.selectFrom('schedule').select('id').where('project_id', '=', project.id);
  expect(await active.where('next_fire', 'is not', null).execute()).toEqual([]);
  const tasks = await server.database.read
    .selectFrom('task')
    .selectAll()
    .where('project_id', '=', project.id)
    .execute();
  expect(tasks).toMatchObject([{ id: running, status: 'stopping', stop_requested: 'soft' }]);
  expect(tasks.map(({ id }) => id)).not.toContain(waiting);
  const [task] = tasks;
  if (task !== undefined) await server.database.transact((db) => endTask(server.database, db, task));
  await isGone(project);
});

const endTask = (database: Database, db: Db, task: Parameters<typeof takeSteps>[2][number]['task']) =>
  takeSteps(db, database.keyring, [{ task, event: 'finish_stopped' }], Date.now());

test('a deletion that a server did not finish is finished by the next one', async () => {
  const project = await aFullProject();
  await server.database.transact((db) =>
    db.updateTable('project').set({ deleted: 1 }).where('id', '=', project.id).execute(),
  );
  await isGone(project);
});

test('100,000 tasks with their events go, and nobody waits a second for the server meanwhile', async () => {
  const project = await aProject(server);
  const templateId = await aTemplate(server, project, { allow_parallel_tasks: true });
  // PostgreSQL works in another process, so fewer tell as much.
  await insertManyTasks(project.id, templateId, server.database.engine === 'sqlite' ? 100_000 : 10_000);
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const answer = await remove(project, project.owner);
  await isGone(project);
  delay.disable();
  expect(answer.status).toBe(204);
  expect(delay.max / 1e6).toBeLessThan(1000);
}, 120_000);

async function insertManyTasks(projectId: number, templateId: number, count: number): Promise<void> {
  await server.database.transact(async (db) => {
    const first = await insertTask(db, { project_id: projectId, template_id: templateId, status: 'success', end: 1 });
    const numbers = sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n)`;
    const columns = sql.raw(
      'project_id, template_id, status, message, commit_message, created, params, playbook, environment, parallel',
    );
    await sql`insert into task (${columns}) select ${columns} from task, ${numbers} as numbers where id = ${first}`.execute(
      db,
    );
    await sql`insert into event (created, project_id, object_name, description, address)
      select 1, ${sql.lit(projectId)}, '', '', '' from ${numbers} as numbers`.execute(db);
  });
}
