import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isSignedOut } from '../../lib/failure.ts';
import { workAtLeisure } from '../../lib/leisure.ts';
import { LiveContext } from '../../lib/live.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useOptionalProjectId } from '../../lib/project-id.ts';
import { projectsQuery } from '../../lib/session.ts';
import { LiveSocket, liveUrl } from '../../lib/socket.ts';
import { CommandHost } from '../command-host.tsx';
import { tellCutTexts } from '../cut-texts.ts';
import { DialogHost } from '../dialog-host.tsx';
import { followLiveUpdates } from '../live-updates.ts';
import { chooseProject } from '../project-choice.ts';
import { loginFrom } from '../session-guard.ts';
import { AccountHost } from './account-host.tsx';
import { DemoBanner } from './demo-banner.tsx';
import css from './shell.module.css';
import { SideDrawer } from './side-drawer.tsx';
import { TopBar } from './top-bar.tsx';

/** After the first screen has had the network for itself. */
const LEISURE_MS = 2000;

/** Drawer, top bar and the live connection around every screen of a signed-in user. */
export function Shell() {
  const [socket] = useState(() => new LiveSocket(liveUrl()));
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const projectId = useShownProject();
  const queryClient = useQueryClient();
  const router = useRouter();

  useEffect(() => {
    socket.start();
    const stopUpdates = followLiveUpdates(queryClient, socket);
    return () => {
      stopUpdates();
      socket.stop();
    };
  }, [socket, queryClient]);

  useEffect(() => {
    let hasLeft = false;
    const leave = (error: unknown): void => {
      if (hasLeft || !isSignedOut(error)) return;
      hasLeft = true;
      const target = loginFrom(router.state.location);
      // First, or the sign-in screen would still find a user and send back.
      queryClient.clear();
      void router.navigate(target);
    };
    const stopQueries = queryClient.getQueryCache().subscribe(({ query }) => leave(query.state.error));
    const stopMutations = queryClient.getMutationCache().subscribe(({ mutation }) => leave(mutation?.state.error));
    const stopRoutes = router.subscribe('onResolved', () => setDrawerOpen(false));
    return () => {
      stopQueries();
      stopMutations();
      stopRoutes();
    };
  }, [queryClient, router]);

  useEffect(() => loadScreensAtLeisure(router), [router]);
  useEffect(tellCutTexts, []);

  return (
    <LiveContext value={socket}>
      <div className={css.shell}>
        <SideDrawer projectId={projectId} isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
        <div className={css.main}>
          <TopBar onMenu={() => setDrawerOpen(true)} />
          <DemoBanner />
          <main className={css.page}>
            <Outlet />
          </main>
        </div>
        <DialogHost />
        <CommandHost projectId={projectId} />
        <AccountHost />
      </div>
    </LiveContext>
  );
}

/** The project of the address; on screens without one, that which was used last. */
function useShownProject(): number | undefined {
  const fromRoute = useOptionalProjectId();
  const [lastUsed] = usePreference('lastProject');
  const { data: projects } = useQuery(projectsQuery);
  return chooseProject(
    (projects ?? []).map((project) => project.id),
    fromRoute,
    lastUsed,
  );
}

/**
 * Loads the code of the other screens while nothing else happens: each of them then opens at once, and still does when the
 * server is away or has a newer console. Returns the end of it.
 */
function loadScreensAtLeisure(router: ReturnType<typeof useRouter>): () => void {
  const loads = Object.values(router.routesById).map(
    (route) => () =>
      // One that cannot be loaded now is tried again when it is opened.
      Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined),
  );
  return workAtLeisure(loads, LEISURE_MS);
}
