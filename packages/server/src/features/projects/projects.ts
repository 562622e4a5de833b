import type { Project, ProjectChange, ProjectInput } from '@signalbox/contract/projects';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { addEnvironment } from '../environments/environments.ts';
import { addKey } from '../keys/keys.ts';
import { requireSameIds } from '../references/references.ts';
import { mayCreateProject, type ProjectRules } from '../users/users.ts';
import { findProject, insertOwner, insertProject, listProjects, updateProject } from './queries.ts';

/** What a new project begins with, so that the first repository needs no detour. */
export type NewProject = { readonly projectId: number; readonly noneKeyId: number };
/** The examples of a demo project. Files are written first: a transaction waits for nothing but its database. */
export type Demo = {
  prepare(): Promise<void>;
  fill(db: Db, actor: Actor, project: NewProject): Promise<void>;
};

export function listOwnProjects(db: Db, actor: Actor): Promise<Project[]> {
  return listProjects(db, actor.admin ? undefined : actor.userId);
}

export async function requireProject(db: Db, id: number): Promise<Project> {
  const project = await findProject(db, id);
  if (project === undefined) throw new AppError('not_found', 'There is no such project');
  return project;
}

/** What the creation of projects needs besides the database. */
export type ProjectSetup = ProjectRules & { readonly demo: Demo };

export async function createProject(
  database: Database,
  setup: ProjectSetup,
  actor: Actor,
  input: ProjectInput,
): Promise<Project> {
  if (!mayCreateProject(actor, setup)) throw new AppError('forbidden', 'Only administrators may create projects');
  if (input.demo === true) await setup.demo.prepare();
  return database.transact(async (db) => {
    const projectId = await addProject(db, actor, input);
    await recordChange(db, actor, { id: projectId, name: input.name }, 'created');
    const noneKeyId = await addKey(db, database.keyring, projectId, { name: 'None', material: { type: 'none' } });
    await addEnvironment(db, database.keyring, projectId, { name: 'Empty', json: '{}' });
    if (input.demo === true) await setup.demo.fill(db, actor, { projectId, noneKeyId });
    return requireProject(db, projectId);
  });
}

/** An empty project from a backup, to be filled in the same transaction. */
export async function addRestoredProject(db: Db, actor: Actor, input: ProjectInput): Promise<number> {
  const projectId = await addProject(db, actor, input);
  await recordChange(db, actor, { id: projectId, name: input.name }, 'restored from a backup');
  return projectId;
}

async function addProject(db: Db, actor: Actor, input: ProjectInput): Promise<number> {
  const values = {
    name: input.name,
    alert: input.alert ?? false,
    alert_chat: input.alert_chat ?? null,
    max_parallel_tasks: input.max_parallel_tasks ?? 0,
    type: input.type ?? '',
  };
  const projectId = await insertProject(db, values, Date.now());
  await insertOwner(db, projectId, actor.userId);
  return projectId;
}

export async function changeProject(
  database: Database,
  actor: Actor,
  projectId: number,
  change: ProjectChange,
): Promise<void> {
  requireSameIds({ projectId, id: projectId }, { id: change.id });
  const { name, alert, alert_chat, max_parallel_tasks } = change;
  await database.transact(async (db) => {
    await updateProject(db, projectId, {
      name,
      ...(alert === undefined ? {} : { alert }),
      ...(alert_chat === undefined ? {} : { alert_chat }),
      ...(max_parallel_tasks === undefined ? {} : { max_parallel_tasks }),
    });
    await recordChange(db, actor, { id: projectId, name }, 'updated');
  });
}

async function recordChange(
  db: Db,
  actor: Actor,
  { id, name }: { id: number; name: string },
  verb: 'created' | 'updated' | 'restored from a backup',
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: id,
    objectType: 'project',
    objectId: id,
    objectName: name,
    description: `Project ${verb}`,
  });
}
