import { grants } from '@signalbox/contract/permissions';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { currentUserQuery, projectsQuery, roleQuery, systemQuery } from '../lib/session.ts';
import { installationPages, type NamedPage, projectPages } from './pages.ts';

export type ReachablePages = { ofProject: readonly NamedPage[]; ofInstallation: readonly NamedPage[] };

/** The named places that the reader may open, and that are there. */
export function useReachablePages(projectId: number | undefined): ReachablePages {
  const { routesByPath } = useRouter();
  const { data: user } = useQuery(currentUserQuery);
  const { data: system } = useQuery(systemQuery);
  const { data: projects } = useQuery(projectsQuery);
  const { data: role } = useQuery({ ...roleQuery(projectId ?? 0), enabled: projectId !== undefined });
  const isStandard = (projects?.find(({ id }) => id === projectId)?.type ?? '') === '';
  const isAdmin = user?.admin === true;
  const isOpen = ({ to, needs, isStandardOnly }: NamedPage): boolean => {
    if (!Object.hasOwn(routesByPath, to) || (isStandardOnly && !isStandard)) return false;
    if (needs === undefined) return true;
    if (needs === 'createProject') return isAdmin || user?.can_create_project === true;
    if (needs === 'remoteRunners') return isAdmin && system?.use_remote_runner === true;
    return isAdmin || (needs !== 'admin' && grants(role?.permissions ?? 0, needs));
  };
  return {
    ofProject: projectId === undefined ? [] : projectPages.filter(isOpen),
    ofInstallation: installationPages.filter(isOpen),
  };
}
