import { projectRunnerRoutes, runnerRoutes } from '@signalbox/contract/runners';
import type { Schedule } from '@signalbox/contract/schedules';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import {
  environmentsQuery,
  inventoriesQuery,
  keysQuery,
  repositoriesQuery,
  templatesQuery,
} from '../../lib/project-lists.ts';
import { projectKey, sessionKey } from '../../lib/query-keys.ts';
import { systemQuery, useProjectAccess } from '../../lib/session.ts';
import { commitSchedulesQuery } from './data.ts';
import type { TemplateChoices } from './template-part.ts';
import { viewsQuery } from './view-data.ts';

/** Tags of the runners of the project. Its answer is no condition for the form: a tag can be typed. */
function projectTagsQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'runners', 'tags'),
    queryFn: async ({ signal }) => {
      const runners = await call(projectRunnerRoutes.list, { params: { project_id: projectId }, signal });
      return runners.map(({ tag }) => tag);
    },
  });
}

/** Tags of the runners for all projects, which only administrators may list. */
const globalTagsQuery = queryOptions({
  queryKey: [...sessionKey, 'runners', 'tags'],
  queryFn: async ({ signal }) => (await call(runnerRoutes.list, { signal })).map(({ tag }) => tag),
});

/** Everything that a template may name; undefined until all of it is here. */
export function useTemplateChoices(projectId: number): { data: TemplateChoices | undefined; error: Error | null } {
  const { isAdmin } = useProjectAccess(projectId);
  const { data: system } = useQuery(systemQuery);
  const hasRunnerTags = system?.premium_features.project_runners ?? false;
  const templates = useQuery(templatesQuery(projectId));
  const repositories = useQuery(repositoriesQuery(projectId));
  const inventories = useQuery(inventoriesQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const keys = useQuery(keysQuery(projectId));
  const views = useQuery(viewsQuery(projectId));
  const projectTags = useQuery({ ...projectTagsQuery(projectId), enabled: hasRunnerTags, retry: false });
  const globalTags = useQuery({ ...globalTagsQuery, enabled: hasRunnerTags && isAdmin, retry: false });
  const error =
    [templates, repositories, inventories, environments, keys, views].find((query) => query.error)?.error ?? null;
  const lists = [repositories.data, inventories.data, environments.data, keys.data, views.data] as const;
  const [repositoryList, inventoryList, environmentList, keyList, viewList] = lists;
  if (!(templates.data && repositoryList && inventoryList && environmentList && keyList && viewList)) {
    return { data: undefined, error };
  }
  const used = templates.data.map(({ runner_tag: tag }) => tag ?? '');
  const tags = [...(projectTags.data ?? []), ...(globalTags.data ?? []), ...used].filter((tag) => tag !== '');
  return {
    data: {
      templates: templates.data,
      repositories: repositoryList,
      inventories: inventoryList,
      environments: environmentList,
      keys: keyList,
      views: viewList,
      runnerTags: [...new Set(tags)].sort(),
      hasRunnerTags,
    },
    error: null,
  };
}

type CommitSchedule = { data: Schedule | undefined; isReady: boolean; error: Error | null };

/** The schedule by which a template looks for new commits. */
export function useCommitSchedule(projectId: number, templateId: number): CommitSchedule {
  const { data, error } = useQuery(commitSchedulesQuery(projectId, templateId));
  return { data: data?.[0], isReady: data !== undefined, error };
}
