import { keyRoutes } from '@signalbox/contract/keys';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { findKeyReferences } from '../references/references.ts';
import { changeKey, createKey, removeKey, requireKey } from './keys.ts';
import { listKeys } from './queries.ts';

export function keyApi(http: HttpApi, database: Database): void {
  register(http, keyRoutes.list, ({ params, query }) => listKeys(database.read, params.project_id, query));
  register(http, keyRoutes.create, ({ params, body, actor }) => createKey(database, actor, params.project_id, body));
  register(http, keyRoutes.get, ({ params }) => requireKey(database.read, params.project_id, params.key_id));
  register(http, keyRoutes.references, async ({ params }) => {
    await requireKey(database.read, params.project_id, params.key_id);
    return findKeyReferences(database.read, params.project_id, params.key_id);
  });
  register(http, keyRoutes.update, ({ params, body, actor }) =>
    changeKey(database, actor, { projectId: params.project_id, id: params.key_id }, body),
  );
  register(http, keyRoutes.remove, ({ params, actor }) =>
    removeKey(database, actor, { projectId: params.project_id, id: params.key_id }),
  );
}
