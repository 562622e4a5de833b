import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyRow } from '../e2e/fixtures/copy-row.ts';
import { launch, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import type { Shop } from './shop.ts';

/** A year of a busy installation: tasks over templates over projects, all of them visible to one administrator. */
export const catalogue = { projects: 100, templatesOfEach: 100, tasks: 1_000_000, events: 1_000_000 };

const year = 365 * 86_400_000;
/** Ids that nothing made by hand has. */
const firstProject = 10_000;
const firstTemplate = 1_000_000;

/** The project that was made by hand is the first of the hundred. */
const projectOf = (part: string, own: number) => `case ${part} when 0 then ${own} else ${firstProject} + ${part} end`;

function fillTables(database: DatabaseSync, ids: { project: number; template: number; task: number }): void {
  const { projects, templatesOfEach, tasks, events } = catalogue;
  const ofTask = `n % ${projects}`;
  const time = (count: number) => `${Date.now()} - (${count} - n) * ${Math.floor(year / count)}`;
  database.exec('pragma foreign_keys = off; pragma synchronous = off; begin');
  copyRow(
    database,
    { table: 'project', id: ids.project, count: projects - 1 },
    { id: `${firstProject} + n + 1`, name: `'Project ' || n` },
  );
  database.exec(
    `insert into project_user (project_id, user_id, role) select id, (select min(id) from user), 'owner' from project where id > ${firstProject}`,
  );
  copyRow(
    database,
    { table: 'template', id: ids.template, count: projects * templatesOfEach },
    {
      id: `${firstTemplate} + n`,
      project_id: projectOf(ofTask, ids.project),
      name: `'Template ' || n`,
      last_task_id: 'null',
      task_count: `${tasks / projects / templatesOfEach}`,
    },
  );
  copyRow(
    database,
    { table: 'task', id: ids.task, count: tasks },
    {
      project_id: projectOf(ofTask, ids.project),
      template_id: `${firstTemplate} + n % ${projects * templatesOfEach}`,
      status: `case n / 7 % 20 when 0 then 'error' when 1 then 'stopped' else 'success' end`,
      created: time(tasks),
      start: time(tasks),
      end: `${time(tasks)} + 5000`,
    },
  );
  database.exec(`update template set last_task_id = (select max(id) from task where template_id = template.id)
    where id >= ${firstTemplate}`);
  database.exec(`insert into task_count (project_id, template_id, user_id, bucket, status, count)
    select project_id, template_id, coalesce(user_id, 0), created - created % 900000, status, count(*) from task
    where template_id >= ${firstTemplate} group by 1, 2, 3, 4, 5`);
  const { id: event } = database.prepare('select max(id) as id from event').get() ?? { id: 0 };
  copyRow(
    database,
    { table: 'event', id: Number(event), count: events },
    { project_id: projectOf(ofTask, ids.project), created: time(events) },
  );
  database.exec('commit');
}

/** Fills the database of the shop's server while that does not run. @returns a template with a hundred tasks */
export async function fillCatalogue(shop: Shop): Promise<{ templateId: number }> {
  const template = await shop.template('No-op', 'noop.sh');
  const sample = await waitForSuccess(shop.api, await launch(shop.api, template));
  await shop.server.stop();
  using database = new DatabaseSync(join(shop.server.dataDir, 'state.db'));
  fillTables(database, { project: shop.workshop.projectId, template: template.id, task: sample.id });
  await shop.server.start();
  return { templateId: firstTemplate };
}
