import { useQuery } from '@tanstack/react-query';
import {
  environmentsQuery,
  inventoriesQuery,
  keysQuery,
  repositoriesQuery,
  templatesQuery,
} from '../../lib/project-lists.ts';
import type { TemplateChoices } from './template-form.tsx';

/** Everything that a template may name; undefined until all of it is here. */
export function useTemplateChoices(projectId: number): { data: TemplateChoices | undefined; error: Error | null } {
  const templates = useQuery(templatesQuery(projectId));
  const repositories = useQuery(repositoriesQuery(projectId));
  const inventories = useQuery(inventoriesQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const keys = useQuery(keysQuery(projectId));
  const error = templates.error ?? repositories.error ?? inventories.error ?? environments.error ?? keys.error;
  if (!(templates.data && repositories.data && inventories.data && environments.data && keys.data)) {
    return { data: undefined, error };
  }
  return {
    data: {
      templates: templates.data,
      repositories: repositories.data,
      inventories: inventories.data,
      environments: environments.data,
      keys: keys.data,
    },
    error: null,
  };
}
