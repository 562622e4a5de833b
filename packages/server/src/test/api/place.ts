import type { RoleName } from '@signalbox/contract/permissions';
import { aUser, type TestProject, type TestUser } from '../factories.ts';
import type { TestServer } from '../start-test-server.ts';

/** A project, and somebody who may do everything in it: where the sample requests make what they are about. */
export type Place = {
  readonly server: TestServer;
  readonly project: TestProject;
  readonly admin: TestUser;
};

/** Who is going to send the request. */
export type Sender = { readonly userId: number; readonly session: string };

let counter = 0;
/** Texts that must be unique. */
export function nextName(word: string): string {
  counter += 1;
  return `${word}-${counter}`;
}

/** Creates something through the API, as an administrator. @throws what the server said instead */
export async function create(place: Place, path: string, body: unknown = {}): Promise<number> {
  return Number(await read(place, path, body, 'id'));
}

/** The same, for a member of the answer that is not the id. */
export async function read(place: Place, path: string, body: unknown, member: string): Promise<unknown> {
  const answer = await place.server.call('POST', path, { session: place.admin.session, body });
  if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return (answer.body as Record<string, unknown> | undefined)?.[member];
}

const inProject = (place: Place, path: string): string => `/project/${place.project.id}/${path}`;

export function makeKey(place: Place): Promise<number> {
  return create(place, inProject(place, 'keys'), { name: nextName('key'), type: 'none' });
}

export function makePasswordKey(place: Place, password = 'swordfish'): Promise<number> {
  const secret = { type: 'login_password', login_password: { login: 'root', password } };
  return create(place, inProject(place, 'keys'), { name: nextName('key'), ...secret });
}

export async function makeRepository(place: Place): Promise<number> {
  return await create(place, inProject(place, 'repositories'), await repositoryBody(place));
}

export async function repositoryBody(place: Place) {
  return {
    project_id: place.project.id,
    name: nextName('repository'),
    git_url: 'https://git.example.org/site.git',
    git_branch: 'main',
    ssh_key_id: await makeKey(place),
  };
}

export function makeInventory(place: Place, change: object = {}): Promise<number> {
  const body = { name: nextName('inventory'), inventory: 'localhost', type: 'static', ...change };
  return create(place, inProject(place, 'inventory'), body);
}

export function makeEnvironment(place: Place): Promise<number> {
  return create(place, inProject(place, 'environment'), { name: nextName('variables'), json: '{}' });
}

export function makeView(place: Place): Promise<number> {
  const body = { project_id: place.project.id, title: nextName('view'), position: 1 };
  return create(place, inProject(place, 'views'), body);
}

/** A Bash template, or what `change` makes of it. */
export async function makeTemplate(place: Place, change: object = {}): Promise<number> {
  const body = { name: nextName('template'), app: 'bash', playbook: 'hello.sh', ...change };
  const repository_id = 'repository_id' in change ? change.repository_id : await makeRepository(place);
  return await create(place, inProject(place, 'templates'), { ...body, repository_id });
}

/** A Terraform template with a workspace of its own beside the default one. */
export async function makeWorkspace(place: Place, held = true): Promise<{ templateId: number; inventoryId: number }> {
  const templateId = await makeTemplate(place, { app: 'terraform', playbook: '' });
  const inventoryId = await makeInventory(place, {
    type: 'terraform-workspace',
    inventory: 'staging',
    ssh_key_id: await makeKey(place),
    ...(held ? { template_id: templateId } : {}),
  });
  return { templateId, inventoryId };
}

export async function makeTask(place: Place): Promise<number> {
  return await create(place, inProject(place, 'tasks'), { template_id: await makeTemplate(place) });
}

export async function makeIntegration(place: Place, change: object = {}): Promise<number> {
  const template_id = await makeTemplate(place);
  const body = { project_id: place.project.id, name: nextName('integration'), template_id, ...change };
  return await create(place, inProject(place, 'integrations'), body);
}

export function makeMember(place: Place, role: RoleName = 'guest'): Promise<TestUser> {
  return aUser(place.server, { role, projectId: place.project.id });
}
