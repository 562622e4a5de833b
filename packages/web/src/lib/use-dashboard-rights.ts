import { useQuery } from '@tanstack/react-query';
import { projectsQuery, useProjectAccess } from './session.ts';

/** What decides which tabs of a project's dashboard there are. */
export function useDashboardRights(projectId: number): { canUpdate: boolean; isStandard: boolean } {
  const { data: projects } = useQuery(projectsQuery);
  const canUpdate = useProjectAccess(projectId).can('update');
  return { canUpdate, isStandard: projects?.find(({ id }) => id === projectId)?.type === '' };
}
