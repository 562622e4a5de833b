import type { Route } from '@signalbox/contract/http/route';
import { integrationRoutes } from '@signalbox/contract/integrations';
import { listRoutes } from '@signalbox/contract/routes';
import { systemRoutes } from '@signalbox/contract/system';
import { viewRoutes } from '@signalbox/contract/views';
import { catalogue, fillCatalogue } from './catalogue.ts';
import { type Figure, percentile } from './figure.ts';
import { openShop, type Shop } from './shop.ts';
import { measureBareTemplates } from './template-list.ts';

const rounds = 100;
const warmUp = 5;

/** A log is a figure of its own. */
const leftOut = new Set(['tasks.output']);

async function time(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    if (round >= 0) times.push(performance.now() - start);
  }
  return times;
}

/** Values for the parameters of all paths: the shop's project is one of the hundred. */
async function makeIds({ api, workshop }: Shop, templateId: number): Promise<Record<string, number>> {
  const params = { project_id: workshop.projectId };
  const view = await api.call(viewRoutes.create, { params, body: { title: 'All', position: 1 } });
  const integration = await api.call(integrationRoutes.create, {
    params,
    body: { name: 'Hook', template_id: templateId },
  });
  return {
    project_id: workshop.projectId,
    template_id: templateId,
    inventory_id: workshop.inventoryId,
    view_id: view.id,
    integration_id: integration.id,
    user_id: 1,
  };
}

/** Reads whose path does not end in an id; those that answer with an array are lists. */
function listPaths(ids: Record<string, number>): string[] {
  const isRead = ({ name, route }: { name: string; route: Route }) =>
    route.method === 'GET' && route.response !== undefined && !leftOut.has(name) && !/:\w+$/.test(route.path);
  return listRoutes()
    .filter(isRead)
    .map(({ route }) => route.path)
    .filter((path) => [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => name in ids))
    .map((path) => path.replace(/:(\w+)/g, (_, name: string) => String(ids[name])));
}

/** Every list of the API as its clients ask for it first, and the history with a filter. */
async function measurePaths({ api }: Shop, paths: readonly string[]): Promise<Figure[]> {
  const ping = await time(() => api.send('GET', systemRoutes.ping.path));
  const floor = { what: 'GET /api/ping', value: percentile(ping, 0.95) };
  const figures: Figure[] = [];
  for (const path of paths) {
    const { status, text } = await api.send('GET', path);
    if (status === 200 && !text.startsWith('[')) continue;
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
    const value = percentile(await time(() => api.send('GET', path)), 0.95);
    const name = `GET ${path.replaceAll(/\/\d+/g, '/{id}')}, p95`;
    figures.push({ name, unit: 'ms', value, goal: 40, better: 'lower', floor });
    // What was read is kept for searches, which nobody does here.
    api.answers.length = 0;
  }
  return figures;
}

/** All lists with a million tasks, ten thousand templates and a hundred projects stored. */
export async function measureEveryList(): Promise<Figure[]> {
  await using shop = await openShop({ 'noop.sh': 'true\n' });
  const { templateId } = await fillCatalogue(shop);
  const ids = await makeIds(shop, templateId);
  const history = `/project/${ids.project_id}/tasks/last`;
  const paths = [...listPaths(ids), `${history}?status=error`, `${history}?before=${catalogue.tasks / 2}`];
  return [...(await measurePaths(shop, paths)), await measureBareTemplates(shop)];
}
