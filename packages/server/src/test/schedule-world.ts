import { scheduleRoutes } from '@signalbox/contract/schedules';
import type { TaskRow } from '../engine/task-record.ts';
import { takeSteps } from '../engine/task-steps.ts';
import type { TestProject } from './factories.ts';
import type { EngineServer, TestClock } from './start-engine-server.ts';

/** What tests of schedules do and see: through the API where there is a call, through rows where there is none. */

export async function aSchedule(server: EngineServer, project: TestProject, input: object): Promise<number> {
  const answer = await server.call('POST', `/project/${project.id}/schedules`, {
    session: project.manager.session,
    body: { name: 'Night', active: true, timezone: 'UTC', ...input },
  });
  if (answer.status !== 201) throw new Error(`No schedule: ${answer.text}`);
  return (answer.body as { id: number }).id;
}

export async function changeSchedule(
  server: EngineServer,
  project: TestProject,
  id: number,
  change: object,
): Promise<void> {
  const { next_run, last_run, problem, tpl_name, ...stored } = await readSchedule(server, project, id);
  const answer = await server.call('PUT', `/project/${project.id}/schedules/${id}`, {
    session: project.manager.session,
    body: { ...stored, ...change },
  });
  if (answer.status !== 204) throw new Error(`Not changed: ${answer.text}`);
}

export async function readSchedule(server: EngineServer, project: TestProject, id: number) {
  const params = { project_id: project.id, schedule_id: id };
  return (await server.ask(scheduleRoutes.get, { params, session: project.guest.session })).body;
}

/** Its tasks, oldest first. */
export function listTasks({ database }: Pick<EngineServer, 'database'>, scheduleId: number): Promise<TaskRow[]> {
  return database.read.selectFrom('task').selectAll().where('schedule_id', '=', scheduleId).orderBy('id').execute();
}

/** Lines of the activity list that the engine has written about it. */
export async function listEvents({ database }: EngineServer, scheduleId: number): Promise<string[]> {
  const rows = await database.read
    .selectFrom('event')
    .select('description')
    .where('object_type', '=', 'schedule')
    .where('object_id', '=', scheduleId)
    .where('user_id', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ description }) => description);
}

/** Ends what waits, as if it had run. */
export async function endTasks({ database }: EngineServer): Promise<void> {
  const waiting = await database.read.selectFrom('task').selectAll().where('status', '=', 'waiting').execute();
  await database.transact((db) =>
    takeSteps(
      db,
      database.keyring,
      waiting.map((task) => ({ task, event: 'stop' }) as const),
      Date.now(),
    ),
  );
}

/** The server gets to a time, and looks. */
export async function reach(server: EngineServer, clock: TestClock, time: string | number): Promise<void> {
  clock.advance((typeof time === 'number' ? time : Date.parse(time)) - clock.now());
  await server.engine.sweep();
}
