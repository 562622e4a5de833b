import { insertTask } from '../rows.ts';
import { makeInventory, makeTask, makeTemplate, type Place } from './place.ts';
import type { Samples } from './sample.ts';

type TaskChange = Partial<Parameters<typeof insertTask>[1]>;

/** A task in a state that only a runner brings about. */
async function makeTaskRow(place: Place, change: TaskChange): Promise<number> {
  const template_id = change.template_id ?? (await makeTemplate(place));
  const row = { project_id: place.project.id, ...change, template_id };
  return await place.server.database.transact((db) => insertTask(db, row));
}

async function launchBody(place: Place) {
  const build = await makeTemplate(place, { type: 'build', start_version: '1.0.0' });
  const built = { template_id: build, status: 'success', version: '1.0.0', created: Date.now() } as const;
  return {
    project_id: place.project.id,
    template_id: await makeTemplate(place, {
      app: 'ansible',
      type: 'deploy',
      build_template_id: build,
      inventory_id: await makeInventory(place),
      survey_vars: [{ name: 'color', title: 'Colour' }],
      task_params: { allow_override_inventory: true, allow_override_limit: true },
    }),
    build_task_id: await makeTaskRow(place, built),
    inventory_id: await makeInventory(place),
    params: { limit: ['web'], diff: true },
    environment: '{"color": "red"}',
    message: 'A sample',
  };
}

const withTask = async (place: Place) => ({ ids: [await makeTask(place)] });
const withPlan = async (place: Place) => ({
  ids: [await makeTaskRow(place, { status: 'waiting_confirmation', start: 1, created: Date.now() })],
});
const withEnded = async (place: Place) => ({
  ids: [await makeTaskRow(place, { status: 'success', start: 1, end: 2, created: Date.now() })],
});

export const taskSamples: Samples = {
  'POST /project/:project_id/tasks': async (place) => ({ body: await launchBody(place) }),
  'GET /project/:project_id/tasks/:task_id': withTask,
  'GET /project/:project_id/tasks/:task_id/output': withTask,
  'GET /project/:project_id/tasks/:task_id/raw_output': withTask,
  'GET /project/:project_id/tasks/:task_id/log': withTask,
  'GET /project/:project_id/tasks/:task_id/log/search': async (place) => ({ ...(await withTask(place)), query: 'q=x' }),
  'POST /project/:project_id/tasks/:task_id/stop': async (place) => ({
    ...(await withTask(place)),
    body: { force: false },
  }),
  'POST /project/:project_id/tasks/:task_id/confirm': withPlan,
  'POST /project/:project_id/tasks/:task_id/reject': withPlan,
  'DELETE /project/:project_id/tasks/:task_id': withEnded,
  'DELETE /tasks/:task_id': withTask,
};
