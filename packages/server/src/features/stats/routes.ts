import { statsRoutes } from '@signalbox/contract/stats';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { requireTemplate } from '../templates/templates.ts';
import { readStats } from './stats.ts';

export function statsApi(http: HttpApi, database: Database): void {
  register(http, statsRoutes.ofProject, ({ params, query }) =>
    readStats(database.read, { projectId: params.project_id }, query),
  );
  register(http, statsRoutes.ofTemplate, async ({ params, query }) => {
    const { project_id: projectId, template_id: templateId } = params;
    await requireTemplate(database.read, projectId, templateId);
    return readStats(database.read, { projectId, templateId }, query);
  });
}
