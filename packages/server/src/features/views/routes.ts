import { viewRoutes } from '@signalbox/contract/views';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { listViews } from './queries.ts';
import { arrangeViews, changeView, createView, removeView, requireView } from './views.ts';

/** The list of a view's templates is served by the templates. */
export function viewApi(http: HttpApi, database: Database): void {
  register(http, viewRoutes.list, ({ params }) => listViews(database.read, params.project_id));
  register(http, viewRoutes.create, ({ params, body, actor }) => createView(database, actor, params.project_id, body));
  register(http, viewRoutes.arrange, ({ params, body, actor }) =>
    arrangeViews(database, actor, params.project_id, body),
  );
  register(http, viewRoutes.get, ({ params }) => requireView(database.read, params.project_id, params.view_id));
  register(http, viewRoutes.update, ({ params, body, actor }) =>
    changeView(database, actor, { projectId: params.project_id, id: params.view_id }, body),
  );
  register(http, viewRoutes.remove, ({ params, actor }) =>
    removeView(database, actor, { projectId: params.project_id, id: params.view_id }),
  );
}
