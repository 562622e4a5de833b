import { create, makeInventory, makeRepository, makeTemplate, makeView, nextName, type Place } from './place.ts';
import type { Samples } from './sample.ts';

const viewBody = (place: Place) => ({ project_id: place.project.id, title: nextName('view'), position: 2 });

async function scheduleBody(place: Place) {
  return {
    project_id: place.project.id,
    template_id: await makeTemplate(place),
    name: nextName('schedule'),
    cron_format: '0 4 * * 1',
    active: true,
    repository_id: await makeRepository(place),
    params: { inventory_id: await makeInventory(place), message: 'By night' },
  };
}

async function makeSchedule(place: Place): Promise<number> {
  return await create(place, `/project/${place.project.id}/schedules`, await scheduleBody(place));
}

const withView = async (place: Place) => ({ ids: [await makeView(place)] });
const withSchedule = async (place: Place) => ({ ids: [await makeSchedule(place)] });

export const automationSamples: Samples = {
  'POST /project/:project_id/views': (place) => ({ body: viewBody(place) }),
  'POST /project/:project_id/views/positions': async (place) => ({ body: { [await makeView(place)]: 3 } }),
  'GET /project/:project_id/views/:view_id': withView,
  'PUT /project/:project_id/views/:view_id': async (place) => {
    const id = await makeView(place);
    return { ids: [id], body: { id, ...viewBody(place) } };
  },
  'DELETE /project/:project_id/views/:view_id': withView,
  'GET /project/:project_id/views/:view_id/templates': withView,

  'POST /project/:project_id/schedules': async (place) => ({ body: await scheduleBody(place) }),
  'POST /project/:project_id/schedules/validate': () => ({ body: { cron_format: '*/5 * * * *' } }),
  'GET /project/:project_id/schedules/:schedule_id': withSchedule,
  'PUT /project/:project_id/schedules/:schedule_id': async (place) => {
    const id = await makeSchedule(place);
    return { ids: [id], body: { id, ...(await scheduleBody(place)) } };
  },
  'DELETE /project/:project_id/schedules/:schedule_id': withSchedule,
  'PUT /project/:project_id/schedules/:schedule_id/active': async (place) => ({
    ...(await withSchedule(place)),
    body: { active: false },
  }),
  'GET /project/:project_id/schedules/:schedule_id/refs': withSchedule,

  'GET /project/:project_id/stats': () => ({ query: 'start=2026-01-01' }),
};
