import { scheduleRoutes } from '@signalbox/contract/schedules';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { noReferences } from '../references/references.ts';
import { requireTemplate } from '../templates/templates.ts';
import { listSchedules, toSchedule } from './queries.ts';
import {
  changeSchedule,
  createSchedule,
  previewCron,
  removeSchedule,
  requireSchedule,
  type ScheduleClock,
  setScheduleActive,
} from './schedules.ts';

export function scheduleApi(http: HttpApi, database: Database, clock: ScheduleClock): void {
  register(http, scheduleRoutes.list, async ({ params, query }) => {
    const found = await listSchedules(database.read, params.project_id, { templateId: query.template_id });
    return found.map(toSchedule);
  });
  register(http, scheduleRoutes.ofTemplate, async ({ params }) => {
    await requireTemplate(database.read, params.project_id, params.template_id);
    const filter = { templateId: params.template_id, onlyCommitChecks: true };
    return (await listSchedules(database.read, params.project_id, filter)).map(toSchedule);
  });
  register(http, scheduleRoutes.create, ({ params, body, actor }) =>
    createSchedule(database, clock, actor, params.project_id, body),
  );
  register(http, scheduleRoutes.validate, ({ body }) => previewCron(clock, body));
  register(http, scheduleRoutes.get, ({ params }) =>
    requireSchedule(database.read, params.project_id, params.schedule_id),
  );
  register(http, scheduleRoutes.references, async ({ params }) => {
    await requireSchedule(database.read, params.project_id, params.schedule_id);
    return noReferences;
  });
  register(http, scheduleRoutes.update, ({ params, body, actor }) =>
    changeSchedule(database, clock, actor, { projectId: params.project_id, id: params.schedule_id }, body),
  );
  register(http, scheduleRoutes.setActive, ({ params, body, actor }) =>
    setScheduleActive(database, clock, actor, { projectId: params.project_id, id: params.schedule_id }, body.active),
  );
  register(http, scheduleRoutes.remove, ({ params, actor }) =>
    removeSchedule(database, actor, { projectId: params.project_id, id: params.schedule_id }),
  );
}
