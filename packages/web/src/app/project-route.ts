import { createRoute, notFound } from '@tanstack/react-router';
import { ApiError } from '../lib/failure.ts';
import { changePreferences } from '../lib/preferences.ts';
import { ProjectPage } from './project-page.tsx';
import { signedInRoute } from './root-route.tsx';
import { enterProject } from './session-guard.ts';

/** Around every screen of one project. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/project/$projectId',
  beforeLoad: async ({ context, params }) => {
    const projectId = Number(params.projectId);
    if (!Number.isInteger(projectId)) throw notFound();
    try {
      await enterProject(context.queryClient, projectId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw notFound();
      throw error;
    }
    changePreferences({ lastProject: projectId });
  },
  component: ProjectPage,
});
