import { integrationAliasRoutes } from '@signalbox/contract/integration-aliases';
import { integrationMatcherRoutes } from '@signalbox/contract/integration-matchers';
import { integrationValueRoutes } from '@signalbox/contract/integration-values';
import { integrationRoutes } from '@signalbox/contract/integrations';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { type AliasRules, createAlias, listOwnAliases, removeAlias } from './aliases.ts';
import { changeValue, createValue, listOwnValues, removeValue, requireValue } from './extracted-values.ts';
import {
  changeIntegration,
  createIntegration,
  noReferences,
  removeIntegration,
  requireIntegration,
} from './integrations.ts';
import { changeMatcher, createMatcher, listOwnMatchers, removeMatcher, requireMatcher } from './matchers.ts';
import { listIntegrations } from './queries.ts';

export function integrationApi(http: HttpApi, database: Database, rules: AliasRules): void {
  register(http, integrationRoutes.list, ({ params, query }) =>
    listIntegrations(database.read, params.project_id, query),
  );
  register(http, integrationRoutes.create, ({ params, body, actor }) =>
    createIntegration(database, actor, params.project_id, body),
  );
  register(http, integrationRoutes.get, ({ params }) =>
    requireIntegration(database.read, params.project_id, params.integration_id),
  );
  register(http, integrationRoutes.references, async ({ params }) => {
    await requireIntegration(database.read, params.project_id, params.integration_id);
    return { ...noReferences, matchers: [], values: [] };
  });
  register(http, integrationRoutes.update, ({ params, body, actor }) =>
    changeIntegration(database, actor, { projectId: params.project_id, id: params.integration_id }, body),
  );
  register(http, integrationRoutes.remove, ({ params, actor }) =>
    removeIntegration(database, actor, { projectId: params.project_id, id: params.integration_id }),
  );
  aliasApi(http, database, rules);
  matcherApi(http, database);
  valueApi(http, database);
}

function aliasApi(http: HttpApi, database: Database, rules: AliasRules): void {
  const ofProject = (params: { project_id: number }) => ({ projectId: params.project_id, integrationId: null });
  const routes = integrationAliasRoutes;
  register(http, routes.listOfProject, ({ params }) => listOwnAliases(database.read, rules, ofProject(params)));
  register(http, routes.createForProject, ({ params, actor }) =>
    createAlias(database, rules, actor, ofProject(params)),
  );
  register(http, routes.removeOfProject, ({ params, actor }) =>
    removeAlias(database, actor, ofProject(params), params.alias_id),
  );
  register(http, routes.list, ({ params }) => listOwnAliases(database.read, rules, parentOf(params)));
  register(http, routes.create, ({ params, actor }) => createAlias(database, rules, actor, parentOf(params)));
  register(http, routes.remove, ({ params, actor }) => removeAlias(database, actor, parentOf(params), params.alias_id));
}

const parentOf = (params: { project_id: number; integration_id: number }) => ({
  projectId: params.project_id,
  integrationId: params.integration_id,
});

function matcherApi(http: HttpApi, database: Database): void {
  const placeOf = (params: Parameters<typeof parentOf>[0] & { matcher_id: number }) => ({
    ...parentOf(params),
    id: params.matcher_id,
  });
  const routes = integrationMatcherRoutes;
  register(http, routes.list, ({ params }) => listOwnMatchers(database.read, parentOf(params)));
  register(http, routes.create, ({ params, body, actor }) => createMatcher(database, actor, parentOf(params), body));
  register(http, routes.get, ({ params }) => requireMatcher(database.read, placeOf(params)));
  register(http, routes.references, async ({ params }) => {
    await requireMatcher(database.read, placeOf(params));
    return noReferences;
  });
  register(http, routes.update, ({ params, body, actor }) => changeMatcher(database, actor, placeOf(params), body));
  register(http, routes.remove, ({ params, actor }) => removeMatcher(database, actor, placeOf(params)));
}

function valueApi(http: HttpApi, database: Database): void {
  const placeOf = (params: Parameters<typeof parentOf>[0] & { value_id: number }) => ({
    ...parentOf(params),
    id: params.value_id,
  });
  const routes = integrationValueRoutes;
  register(http, routes.list, ({ params, query }) => listOwnValues(database.read, parentOf(params), query));
  register(http, routes.create, ({ params, body, actor }) => createValue(database, actor, parentOf(params), body));
  register(http, routes.get, ({ params }) => requireValue(database.read, placeOf(params)));
  register(http, routes.references, async ({ params }) => {
    await requireValue(database.read, placeOf(params));
    return noReferences;
  });
  register(http, routes.update, ({ params, body, actor }) => changeValue(database, actor, placeOf(params), body));
  register(http, routes.remove, ({ params, actor }) => removeValue(database, actor, placeOf(params)));
}
