import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemRoutes } from '@signalbox/contract/system';
import { taskRoutes } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { launch, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import { type Figure, percentile } from './figure.ts';
import { openShop, type Shop } from './shop.ts';

const stored = 100_000;
const templates = 100;
const rounds = 200;

/** Copies one finished task over and over, across the templates, while no server runs. */
function fillWithTasks(file: string, sample: number, templateIds: number[]): void {
  using database = new DatabaseSync(file);
  const names = database
    .prepare("select name from pragma_table_info('task') where name <> 'id'")
    .all()
    .map((row) => String(row.name));
  const values = names.map((name) => {
    if (name === 'template_id') return '(select value from json_each(?) where key = n % ?)';
    if (['created', 'start', 'end'].includes(name)) return `"${name}" - (? - n) * 60000`;
    return `"${name}"`;
  });
  const parameters = names.flatMap((name) => {
    if (name === 'template_id') return [JSON.stringify(templateIds), templateIds.length];
    return ['created', 'start', 'end'].includes(name) ? [stored] : [];
  });
  const columns = names.map((name) => `"${name}"`).join(', ');
  database
    .prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${stored})
       insert into task (${columns}) select ${values.join(', ')} from task, numbers where task.id = ?`,
    )
    .run(...parameters, sample);
  database.exec('analyze');
}

async function time(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times;
}

/** The lists that the console opens, with 100,000 tasks stored. */
export async function measureLists(): Promise<Figure[]> {
  await using shop: Shop = await openShop({ 'noop.sh': 'true\n' });
  const made = await Promise.all(
    Array.from({ length: templates }, (_, index) => shop.template(`Template ${index}`, 'noop.sh')),
  );
  const first = made[0];
  if (first === undefined) throw new Error('no template');
  const sample = await waitForSuccess(shop.api, await launch(shop.api, first));
  await shop.server.stop();
  fillWithTasks(
    join(shop.server.dataDir, 'state.db'),
    sample.id,
    made.map((template) => template.id),
  );
  await shop.server.start();
  const project = { project_id: shop.workshop.projectId };
  const template = { ...project, template_id: first.id };
  const floor = {
    what: 'GET /api/ping',
    value: percentile(await time(() => shop.api.send(systemRoutes.ping.method, systemRoutes.ping.path)), 0.95),
  };
  const lists: [string, () => Promise<unknown>][] = [
    [
      'history of a project, 20 rows',
      () => shop.api.call(taskRoutes.last, { params: project, query: { limit: '20' } }),
    ],
    [
      'history of a project, 200 rows',
      () => shop.api.call(taskRoutes.last, { params: project, query: { limit: '200' } }),
    ],
    [
      'tasks of a template, 200 rows',
      () => shop.api.call(templateRoutes.lastTasks, { params: template, query: { limit: '200' } }),
    ],
    ['100 templates with their last task', () => shop.api.call(templateRoutes.list, { params: project })],
  ];
  const figures: Figure[] = [];
  for (const [name, call] of lists) {
    const value = percentile(await time(call), 0.95);
    figures.push({
      name: `${name}, p95 with ${stored.toLocaleString('en-US')} tasks`,
      unit: 'ms',
      value,
      goal: 40,
      better: 'lower',
      floor,
    });
  }
  return figures;
}
