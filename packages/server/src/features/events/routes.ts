import { eventRoutes } from '@signalbox/contract/events';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { sendPage } from '../../http/next-link.ts';
import { register } from '../../http/register.ts';
import { readLimit } from '../../list-limit.ts';
import { readOwnEvents, readProjectEvents } from './events.ts';

const maxEvents = 1000;
const maxLastEvents = 200;

export function eventApi(http: HttpApi, database: Database): void {
  const own = [
    [eventRoutes.list, maxEvents],
    [eventRoutes.last, maxLastEvents],
  ] as const;
  for (const [route, most] of own) {
    register(http, route, async ({ query, actor, ...exchange }) => {
      const request = { ...query, limit: readLimit(query.limit, most) };
      return sendPage(exchange, await readOwnEvents(database.read, actor, request));
    });
  }
  const ofProject = [
    [eventRoutes.listOfProject, maxEvents],
    [eventRoutes.lastOfProject, maxLastEvents],
  ] as const;
  for (const [route, most] of ofProject) {
    register(http, route, async ({ params, query, actor, ...exchange }) => {
      const request = { ...query, limit: readLimit(query.limit, most) };
      return sendPage(exchange, await readProjectEvents(database.read, actor, params.project_id, request));
    });
  }
}
