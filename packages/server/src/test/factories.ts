import type { RoleName } from '@signalbox/contract/permissions';
import { TemplateInput } from '@signalbox/contract/templates';
import * as z from 'zod/mini';
import type { Actor } from '../auth/actor.ts';
import { openSession } from '../auth/sessions.ts';
import { addEnvironment } from '../features/environments/environments.ts';
import { addInventory } from '../features/inventories/inventories.ts';
import { addKey } from '../features/keys/keys.ts';
import { addRepository } from '../features/repositories/repositories.ts';
import { addTemplate } from '../features/templates/templates.ts';
import type { TestServer } from './start-test-server.ts';

/** Rows for tests, made by the rules themselves where they have any. */

let counter = 0;
const next = (word: string): string => {
  counter += 1;
  return `${word}-${counter}`;
};

export type TestUser = { id: number; session: string; actor: Actor };

/** A user with an open session. With a project and a role he is a member of it. */
export async function aUser(
  { database }: TestServer,
  options: { admin?: boolean; role?: RoleName; projectId?: number; password?: string; username?: string } = {},
): Promise<TestUser> {
  const username = options.username ?? next('user');
  const { admin = false, role, projectId } = options;
  return database.transact(async (db) => {
    const values = { username, name: `Name of ${username}`, email: `${username}@example.org`, admin };
    const { id } = await db
      .insertInto('user')
      .values({ ...values, created: Date.now(), password: options.password ?? null, external: false, alert: false })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (role !== undefined && projectId !== undefined) {
      await db.insertInto('project_user').values({ project_id: projectId, user_id: id, role }).execute();
    }
    const session = await openSession(db, { userId: id, address: '', userAgent: '', verified: true }, Date.now());
    const actor = { userId: id, username, name: values.name, admin, address: '', permissions: 15 };
    return { id, session, actor };
  });
}

export type TestProject = {
  id: number;
  owner: TestUser;
  manager: TestUser;
  runner: TestUser;
  guest: TestUser;
  /** Member of another project only. */
  stranger: TestUser;
  noneKeyId: number;
};

/** A project with a member of every role, and somebody who has nothing to do with it. */
export async function aProject(server: TestServer): Promise<TestProject> {
  const id = await insertProject(server);
  const elsewhere = await insertProject(server);
  return {
    id,
    owner: await aUser(server, { role: 'owner', projectId: id }),
    manager: await aUser(server, { role: 'manager', projectId: id }),
    runner: await aUser(server, { role: 'task_runner', projectId: id }),
    guest: await aUser(server, { role: 'guest', projectId: id }),
    stranger: await aUser(server, { role: 'owner', projectId: elsewhere }),
    noneKeyId: await aKey(server, id),
  };
}

async function insertProject({ database }: TestServer): Promise<number> {
  const values = { name: next('project'), alert: false, alert_chat: null, max_parallel_tasks: 0, type: '' };
  const { id } = await database.transact((db) =>
    db
      .insertInto('project')
      .values({ ...values, created: Date.now() })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

/** A key of type none. */
export function aKey({ database }: TestServer, projectId: number): Promise<number> {
  return database.transact((db) =>
    addKey(db, database.keyring, projectId, { name: next('key'), material: { type: 'none' } }),
  );
}

export function aPasswordKey({ database }: TestServer, projectId: number, password: string): Promise<number> {
  const material = { type: 'login_password', login: 'root', password } as const;
  return database.transact((db) => addKey(db, database.keyring, projectId, { name: next('key'), material }));
}

export async function aRepository({ database }: TestServer, project: TestProject, url?: string): Promise<number> {
  const values = {
    name: next('repository'),
    git_url: url ?? 'https://git.example.org/site.git',
    git_branch: 'main',
    ssh_key_id: project.noneKeyId,
  };
  const { id } = await database.transact((db) => addRepository(db, project.owner.actor, project.id, values));
  return id;
}

export async function anInventory({ database }: TestServer, project: TestProject): Promise<number> {
  const input = { name: next('inventory'), inventory: 'localhost', type: 'static' } as const;
  const { id } = await database.transact((db) => addInventory(db, project.owner.actor, project.id, input));
  return id;
}

export async function anEnvironment({ database }: TestServer, project: TestProject): Promise<number> {
  const { id } = await database.transact((db) =>
    addEnvironment(db, database.keyring, project.id, { name: next('environment'), json: '{}' }),
  );
  return id;
}

/** A Bash template; `input` changes what matters to the test. */
export async function aTemplate(
  server: TestServer,
  project: TestProject,
  input: Partial<z.input<typeof TemplateInput>> = {},
): Promise<number> {
  const repositoryId = input.repository_id ?? (await aRepository(server, project));
  const full = z.parse(TemplateInput, {
    name: next('template'),
    app: 'bash',
    playbook: 'hello.sh',
    repository_id: repositoryId,
    ...input,
  });
  const { id } = await server.database.transact((db) => addTemplate(db, project.owner.actor, project.id, full));
  return id;
}
