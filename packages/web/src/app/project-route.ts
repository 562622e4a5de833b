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
  beforeLoad: async ({ context, params, preload }) => {
    if (!/^\d{1,15}$/.test(params.projectId)) throw notFound();
    const projectId = Number(params.projectId);
    try {
      await enterProject(context.queryClient, projectId);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw notFound();
      throw error;
    }
    // A link that the pointer only rests on has not been used.
    if (!preload) changePreferences({ lastProject: projectId });
  },
  component: ProjectPage,
});
