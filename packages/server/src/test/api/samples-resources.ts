import { placeOf } from '../../db/sealed-columns.ts';
import {
  create,
  makeEnvironment,
  makeInventory,
  makeKey,
  makePasswordKey,
  makeRepository,
  makeTemplate,
  makeView,
  makeWorkspace,
  nextName,
  type Place,
  repositoryBody,
} from './place.ts';
import type { Samples } from './sample.ts';

/** The samples name every object that they may name, so that a foreign one can be put in its place. */

const keyBody = (place: Place) => ({
  project_id: place.project.id,
  name: nextName('key'),
  type: 'login_password',
  login_password: { login: 'root', password: 'swordfish' },
});

const inventoryBody = async (place: Place) => ({
  project_id: place.project.id,
  name: nextName('inventory'),
  inventory: 'hosts.ini',
  type: 'file',
  ssh_key_id: await makeKey(place),
  become_key_id: await makePasswordKey(place),
  repository_id: await makeRepository(place),
});

const workspaceBody = async (place: Place, templateId: number) => ({
  name: nextName('workspace'),
  inventory: 'production',
  type: 'terraform-workspace',
  ssh_key_id: await makeKey(place),
  template_id: templateId,
});

const environmentBody = (place: Place) => ({
  project_id: place.project.id,
  name: nextName('variables'),
  json: '{"stage": "test"}',
  env: '{"STAGE": "test"}',
  secrets: [{ type: 'var', name: 'TOKEN', secret: 'swordfish', operation: 'create' }],
});

async function templateBody(place: Place) {
  return {
    project_id: place.project.id,
    name: nextName('template'),
    description: 'Everything is set',
    app: 'ansible',
    type: 'deploy',
    playbook: 'site.yml',
    inventory_id: await makeInventory(place),
    repository_id: await makeRepository(place),
    environment_id: await makeEnvironment(place),
    view_id: await makeView(place),
    build_template_id: await makeTemplate(place, { type: 'build', start_version: '1.0.0' }),
    autorun: true,
    arguments: '["--forks=2"]',
    survey_vars: [{ name: 'color', title: 'Colour', type: 'enum', values: [{ name: 'Red', value: 'red' }] }],
    vaults: [{ name: 'main', type: 'password', vault_key_id: await makePasswordKey(place) }],
    task_params: { limit: ['web'], allow_debug: true },
    runner_tag: 'fast',
  };
}

const withKey = async (place: Place) => ({ ids: [await makeKey(place)] });
const withRepository = async (place: Place) => ({ ids: [await makeRepository(place)] });
const withInventory = async (place: Place) => ({ ids: [await makeInventory(place)] });
const withEnvironment = async (place: Place) => ({ ids: [await makeEnvironment(place)] });
const withTemplate = async (place: Place) => ({ ids: [await makeTemplate(place)] });
const ofWorkspace = async (place: Place) => ({ ids: [(await makeWorkspace(place)).inventoryId] });

async function withWorkspace(place: Place, held: boolean) {
  const { templateId, inventoryId } = await makeWorkspace(place, held);
  return { ids: [templateId, inventoryId] };
}

async function makeTerraformAlias(place: Place) {
  const { inventoryId } = await makeWorkspace(place);
  const path = `/project/${place.project.id}/inventory/${inventoryId}/terraform/aliases`;
  const aliasId = await create(place, path, { auth_key_id: await makePasswordKey(place) });
  return { inventoryId, aliasId, ids: [inventoryId, aliasId] };
}

/** Only a running Terraform writes states. */
async function withState(place: Place) {
  const { inventoryId } = await makeWorkspace(place);
  const { database } = place.server;
  const row = { project_id: place.project.id, inventory_id: inventoryId, template_id: null, workspace: 'staging' };
  const id = await database.transact(async (db) => {
    const state = { ...row, task_id: null, created: Date.now(), serial: 1, state: '' };
    const added = await db.insertInto('terraform_state').values(state).returning('id').executeTakeFirstOrThrow();
    const sealed = database.keyring.seal('{"serial": 1}', placeOf('terraform_state', added.id));
    await db.updateTable('terraform_state').set({ state: sealed }).where('id', '=', added.id).execute();
    return added.id;
  });
  return { ids: [inventoryId, id] };
}

type Part = { id: number; type: string; name: string | null };

/** A list that is part of an object of the project. */
async function readPart<Name extends string>(place: Place, path: string, name: Name): Promise<Record<Name, Part[]>> {
  const url = `/project/${place.project.id}/${path}`;
  const { body } = await place.server.call('GET', url, { session: place.admin.session });
  return { [name]: (body as Record<string, unknown>)[name] } as Record<Name, Part[]>;
}

const changeOf = (id: number, body: object) => ({ ids: [id], body: { id, ...body } });

export const resourceSamples: Samples = {
  'POST /project/:project_id/keys': (place) => ({ body: keyBody(place) }),
  'GET /project/:project_id/keys/:key_id': withKey,
  'PUT /project/:project_id/keys/:key_id': async (place) =>
    changeOf(await makeKey(place), { ...keyBody(place), override_secret: true }),
  'DELETE /project/:project_id/keys/:key_id': withKey,
  'GET /project/:project_id/keys/:key_id/refs': withKey,

  'POST /project/:project_id/repositories': async (place) => ({ body: await repositoryBody(place) }),
  'GET /project/:project_id/repositories/:repository_id': withRepository,
  'PUT /project/:project_id/repositories/:repository_id': async (place) =>
    changeOf(await makeRepository(place), await repositoryBody(place)),
  'DELETE /project/:project_id/repositories/:repository_id': withRepository,
  'GET /project/:project_id/repositories/:repository_id/refs': withRepository,
  'POST /project/:project_id/repositories/:repository_id/test': withRepository,

  'POST /project/:project_id/inventory': async (place) => ({ body: await inventoryBody(place) }),
  'GET /project/:project_id/inventory/:inventory_id': withInventory,
  'PUT /project/:project_id/inventory/:inventory_id': async (place) =>
    changeOf(await makeInventory(place), await inventoryBody(place)),
  'POST /project/:project_id/inventory (workspace)': async (place) => ({
    body: await workspaceBody(place, (await makeWorkspace(place)).templateId),
  }),
  'POST /project/:project_id/inventory (holder)': async (place) => {
    const { template_id: holder_id, ...body } = await workspaceBody(place, (await makeWorkspace(place)).templateId);
    return { body: { ...body, holder_id } };
  },
  'PUT /project/:project_id/inventory/:inventory_id (workspace)': async (place) => {
    const { templateId, inventoryId } = await makeWorkspace(place);
    return changeOf(inventoryId, await workspaceBody(place, templateId));
  },
  'PUT /project/:project_id/inventory/:inventory_id (holder)': async (place) => {
    const { templateId, inventoryId } = await makeWorkspace(place);
    const { template_id: holder_id, ...body } = await workspaceBody(place, templateId);
    return changeOf(inventoryId, { ...body, holder_id });
  },
  'DELETE /project/:project_id/inventory/:inventory_id': withInventory,
  'GET /project/:project_id/inventory/:inventory_id/refs': withInventory,
  'GET /project/:project_id/inventory/:inventory_id/terraform/aliases': ofWorkspace,
  'POST /project/:project_id/inventory/:inventory_id/terraform/aliases': async (place) => ({
    ...(await ofWorkspace(place)),
    body: { auth_key_id: await makePasswordKey(place) },
  }),
  'PUT /project/:project_id/inventory/:inventory_id/terraform/aliases/:alias_id': async (place) => {
    const { aliasId, ids } = await makeTerraformAlias(place);
    return { ids, body: { id: aliasId, auth_key_id: await makePasswordKey(place) } };
  },
  'DELETE /project/:project_id/inventory/:inventory_id/terraform/aliases/:alias_id': makeTerraformAlias,
  'GET /project/:project_id/inventory/:inventory_id/terraform/states': ofWorkspace,
  'GET /project/:project_id/inventory/:inventory_id/terraform/states/:state_id': withState,
  'DELETE /project/:project_id/inventory/:inventory_id/terraform/states/:state_id': withState,

  'POST /project/:project_id/environment': (place) => ({ body: environmentBody(place) }),
  'GET /project/:project_id/environment/:environment_id': withEnvironment,
  'PUT /project/:project_id/environment/:environment_id': async (place) => {
    const body = environmentBody(place);
    const id = await create(place, `/project/${place.project.id}/environment`, body);
    const { secrets } = await readPart(place, `environment/${id}`, 'secrets');
    const change = secrets.map(({ id: secretId, type, name }) => ({ id: secretId, type, name, operation: 'update' }));
    return changeOf(id, { ...body, secrets: change.map((secret) => ({ ...secret, secret: 'changed' })) });
  },
  'DELETE /project/:project_id/environment/:environment_id': withEnvironment,
  'GET /project/:project_id/environment/:environment_id/refs': withEnvironment,

  'POST /project/:project_id/templates': async (place) => ({ body: await templateBody(place) }),
  'GET /project/:project_id/templates/:template_id': withTemplate,
  'PUT /project/:project_id/templates/:template_id': async (place) => {
    const body = await templateBody(place);
    const id = await create(place, `/project/${place.project.id}/templates`, body);
    return changeOf(id, { ...body, ...(await readPart(place, `templates/${id}`, 'vaults')) });
  },
  'DELETE /project/:project_id/templates/:template_id': withTemplate,
  'GET /project/:project_id/templates/:template_id/refs': withTemplate,
  'GET /project/:project_id/templates/:template_id/tasks': withTemplate,
  'GET /project/:project_id/templates/:template_id/tasks/last': withTemplate,
  'GET /project/:project_id/templates/:template_id/schedules': withTemplate,
  'GET /project/:project_id/templates/:template_id/stats': async (place) => ({
    ...(await withTemplate(place)),
    query: 'start=2026-01-01',
  }),
  'POST /project/:project_id/templates/:template_id/inventory/:inventory_id/set_default': (place) =>
    withWorkspace(place, true),
  'POST /project/:project_id/templates/:template_id/inventory/:inventory_id/attach': (place) =>
    withWorkspace(place, false),
  'POST /project/:project_id/templates/:template_id/inventory/:inventory_id/detach': (place) =>
    withWorkspace(place, true),
};
