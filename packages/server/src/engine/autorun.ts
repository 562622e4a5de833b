import type { Db } from '../db/database.ts';
import { noActor, recordEvent } from '../db/events.ts';
import type { Keyring } from '../db/secrets.ts';
import { AppError } from '../errors.ts';
import { createTask } from './create-task.ts';
import { describeRefusal } from './launch-refusal.ts';
import type { TaskRow } from './task-record.ts';

type Follower = { id: number; name: string; project_id: number; build_template_id: number | null };

/**
 * Launches the templates that run by themselves after a successful build, in the transaction that ends the build: either
 * both happen or none. What cannot be launched is told in the activity list, with the variable that is missing.
 */
export async function launchFollowers(
  db: Db,
  keyring: Keyring,
  ended: readonly TaskRow[],
  now: number,
): Promise<TaskRow[]> {
  const builds = ended.filter((task) => task.status === 'success');
  if (builds.length === 0) return [];
  const followers = await db
    .selectFrom('template')
    .select(['id', 'name', 'project_id', 'build_template_id'])
    .where('build_template_id', 'in', [...new Set(builds.map((build) => build.template_id))])
    .where('autorun', '=', true)
    .where('type', '=', 'deploy')
    .orderBy('id')
    .execute();
  const launched: TaskRow[] = [];
  for (const follower of followers) {
    for (const build of builds) {
      if (build.template_id !== follower.build_template_id || build.project_id !== follower.project_id) continue;
      const task = await launchFollower(db, keyring, follower, { build, now });
      if (task !== undefined) launched.push(task);
    }
  }
  return launched;
}

async function launchFollower(
  db: Db,
  keyring: Keyring,
  follower: Follower,
  { build, now }: { build: TaskRow; now: number },
): Promise<TaskRow | undefined> {
  const launch = { template_id: follower.id, build_task_id: build.id };
  try {
    return await createTask(db, keyring, {
      projectId: follower.project_id,
      launch,
      origin: { kind: 'autorun' },
      now,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await recordEvent(db, noActor, {
      projectId: follower.project_id,
      objectType: 'template',
      objectId: follower.id,
      objectName: follower.name,
      description: `Template ${follower.name} was not run after task ID ${build.id}: ${describeRefusal(error)}`,
    });
    return undefined;
  }
}
