import { eventRoutes } from '@signalbox/contract/events';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { listProjectEvents } from './queries.ts';

const lastEvents = 200;

export function eventApi(http: HttpApi, database: Database): void {
  register(http, eventRoutes.lastOfProject, ({ params }) =>
    listProjectEvents(database.read, params.project_id, lastEvents),
  );
}
