import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { ApiError } from '../lib/failure.ts';
import { useProjectId } from '../lib/project-id.ts';
import { roleQuery } from '../lib/session.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** A screen of a project, for as long as there is the project and the reader is in it: both may end while it is open. */
export function ProjectPage() {
  const { error } = useQuery(roleQuery(useProjectId()));
  return error instanceof ApiError && error.status === 404 ? <NotFoundPage /> : <Outlet />;
}
