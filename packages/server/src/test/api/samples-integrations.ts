import { create, makeIntegration, makePasswordKey, makeTemplate, nextName, type Place, read } from './place.ts';
import type { Samples } from './sample.ts';

async function integrationBody(place: Place) {
  return {
    project_id: place.project.id,
    name: nextName('integration'),
    template_id: await makeTemplate(place),
    auth_method: 'token',
    auth_header: 'X-Token',
    auth_secret_id: await makePasswordKey(place),
    searchable: true,
    task_params: { diff: true },
  };
}

const matcherBody = (place: Place, integrationId: number) => ({
  project_id: place.project.id,
  integration_id: integrationId,
  name: nextName('matcher'),
  match_type: 'body',
  method: 'equals',
  body_data_type: 'json',
  key: 'ref',
  value: 'refs/heads/main',
});

const valueBody = (place: Place, integrationId: number) => ({
  project_id: place.project.id,
  integration_id: integrationId,
  name: nextName('value'),
  value_source: 'body',
  body_data_type: 'json',
  key: 'after',
  variable: 'commit',
});

const pathOf = (place: Place, integrationId: number, part: string) =>
  `/project/${place.project.id}/integrations/${integrationId}/${part}`;

const withIntegration = async (place: Place) => ({ ids: [await makeIntegration(place)] });

async function withPart(place: Place, part: 'matchers' | 'values') {
  const integrationId = await makeIntegration(place);
  const body = part === 'matchers' ? matcherBody(place, integrationId) : valueBody(place, integrationId);
  const id = await create(place, pathOf(place, integrationId, part), body);
  return { ids: [integrationId, id], body: { ...body, id } };
}

const withMatcher = async (place: Place) => ({ ids: (await withPart(place, 'matchers')).ids });
const withValue = async (place: Place) => ({ ids: (await withPart(place, 'values')).ids });

const ofProject = async (place: Place) => ({
  ids: [await create(place, `/project/${place.project.id}/integrations/aliases`)],
});

async function withAlias(place: Place) {
  const integrationId = await makeIntegration(place);
  return { ids: [integrationId, await create(place, pathOf(place, integrationId, 'aliases'))] };
}

/** The last part of the address that other programs call. */
async function withAddress(place: Place) {
  const url = await read(place, pathOf(place, await makeIntegration(place), 'aliases'), {}, 'url');
  return { ids: [String(url).split('/').at(-1) ?? ''] };
}

/** A call that arrived, with its verdict. */
async function withDelivery(place: Place) {
  const integrationId = await makeIntegration(place);
  const url = await read(place, pathOf(place, integrationId, 'aliases'), {}, 'url');
  await place.server.call('POST', `/integrations/${String(url).split('/').at(-1)}`, { body: { ref: 'main' } });
  const list = await place.server.call('GET', pathOf(place, integrationId, 'deliveries'), {
    session: place.admin.session,
  });
  const [delivery] = list.body as { id: number }[];
  if (delivery === undefined) throw new Error('The call left no delivery');
  return { ids: [integrationId, delivery.id] };
}

export const integrationSamples: Samples = {
  'GET /integrations/:alias': withAddress,
  'POST /integrations/:alias': async (place) => ({ ...(await withAddress(place)), body: { ref: 'refs/heads/main' } }),

  'POST /project/:project_id/integrations': async (place) => ({ body: await integrationBody(place) }),
  'GET /project/:project_id/integrations/:integration_id': withIntegration,
  'PUT /project/:project_id/integrations/:integration_id': async (place) => {
    const id = await makeIntegration(place);
    return { ids: [id], body: { id, ...(await integrationBody(place)) } };
  },
  'DELETE /project/:project_id/integrations/:integration_id': withIntegration,
  'GET /project/:project_id/integrations/:integration_id/refs': withIntegration,

  'DELETE /project/:project_id/integrations/aliases/:alias_id': ofProject,
  'GET /project/:project_id/integrations/:integration_id/aliases': withIntegration,
  'POST /project/:project_id/integrations/:integration_id/aliases': withIntegration,
  'DELETE /project/:project_id/integrations/:integration_id/aliases/:alias_id': withAlias,

  'GET /project/:project_id/integrations/:integration_id/matchers': withIntegration,
  'POST /project/:project_id/integrations/:integration_id/matchers': async (place) => {
    const id = await makeIntegration(place);
    return { ids: [id], body: matcherBody(place, id) };
  },
  'GET /project/:project_id/integrations/:integration_id/matchers/:matcher_id': withMatcher,
  'PUT /project/:project_id/integrations/:integration_id/matchers/:matcher_id': (place) => withPart(place, 'matchers'),
  'DELETE /project/:project_id/integrations/:integration_id/matchers/:matcher_id': withMatcher,
  'GET /project/:project_id/integrations/:integration_id/matchers/:matcher_id/refs': withMatcher,

  'GET /project/:project_id/integrations/:integration_id/deliveries': withIntegration,
  'GET /project/:project_id/integrations/:integration_id/deliveries/:delivery_id': withDelivery,
  'POST /project/:project_id/integrations/:integration_id/deliveries/:delivery_id/replay': withDelivery,

  'GET /project/:project_id/integrations/:integration_id/values': withIntegration,
  'POST /project/:project_id/integrations/:integration_id/values': async (place) => {
    const id = await makeIntegration(place);
    return { ids: [id], body: valueBody(place, id) };
  },
  'GET /project/:project_id/integrations/:integration_id/values/:value_id': withValue,
  'PUT /project/:project_id/integrations/:integration_id/values/:value_id': (place) => withPart(place, 'values'),
  'DELETE /project/:project_id/integrations/:integration_id/values/:value_id': withValue,
  'GET /project/:project_id/integrations/:integration_id/values/:value_id/refs': withValue,
};
