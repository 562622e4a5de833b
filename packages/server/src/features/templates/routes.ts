import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { viewRoutes } from '@signalbox/contract/views';
import type { Database, Db } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { sendPage } from '../../http/next-link.ts';
import { register } from '../../http/register.ts';
import { readLimit } from '../../list-limit.ts';
import { findTemplateReferences } from '../references/references.ts';
import { listTaskItems, listTemplateTasks } from '../tasks/tasks.ts';
import { requireView } from '../views/views.ts';
import { listTemplates, type StoredTemplate } from './queries.ts';
import { changeTemplate, createTemplate, removeTemplate, requireTemplate } from './templates.ts';

const maxTasks = 1000;
const maxLastTasks = 200;

/** @param onChange is told when tasks that wait may start now, or not any more. */
export function templateApi(http: HttpApi, database: Database, onChange: () => void): void {
  const show = async (projectId: number, stored: StoredTemplate): Promise<Template> => {
    const [template] = await addLastTasks(database.read, projectId, [stored]);
    return template ?? { ...stored, last_task: null };
  };
  register(http, templateRoutes.list, async ({ params, query }) =>
    addLastTasks(
      database.read,
      params.project_id,
      await listTemplates(database.read, params.project_id, { app: query.app }, query),
    ),
  );
  register(http, viewRoutes.templates, async ({ params, query }) => {
    await requireView(database.read, params.project_id, params.view_id);
    const filter = { viewId: params.view_id };
    const found = await listTemplates(database.read, params.project_id, filter, query);
    return addLastTasks(database.read, params.project_id, found);
  });
  register(http, templateRoutes.create, async ({ params, body, actor }) =>
    show(params.project_id, await createTemplate(database, actor, params.project_id, body)),
  );
  register(http, templateRoutes.get, async ({ params }) =>
    show(params.project_id, await requireTemplate(database.read, params.project_id, params.template_id)),
  );
  register(http, templateRoutes.references, async ({ params }) => {
    await requireTemplate(database.read, params.project_id, params.template_id);
    return findTemplateReferences(database.read, params.project_id, params.template_id);
  });
  register(http, templateRoutes.update, async ({ params, body, actor }) => {
    await changeTemplate(database, actor, { projectId: params.project_id, id: params.template_id }, body);
    onChange();
  });
  register(http, templateRoutes.remove, async ({ params, actor }) => {
    await removeTemplate(database, actor, { projectId: params.project_id, id: params.template_id });
    onChange();
  });
  register(http, templateRoutes.tasks, async ({ params, query, ...exchange }) => {
    await requireTemplate(database.read, params.project_id, params.template_id);
    const filter = { ...query, limit: readLimit(query.limit, maxTasks) };
    return sendPage(exchange, await listTemplateTasks(database.read, params.project_id, params.template_id, filter));
  });
  register(http, templateRoutes.lastTasks, async ({ params, query, ...exchange }) => {
    await requireTemplate(database.read, params.project_id, params.template_id);
    const filter = { ...query, limit: readLimit(query.limit, maxLastTasks) };
    return sendPage(exchange, await listTemplateTasks(database.read, params.project_id, params.template_id, filter));
  });
}

async function addLastTasks(db: Db, projectId: number, templates: readonly StoredTemplate[]): Promise<Template[]> {
  const ids = templates.flatMap(({ last_task_id: id }) => (id === null ? [] : [id]));
  const items = await listTaskItems(db, projectId, ids);
  const byId = new Map(items.map((item) => [item.id, item]));
  return templates.map((template) => ({
    ...template,
    last_task: template.last_task_id === null ? null : (byId.get(template.last_task_id) ?? null),
  }));
}
