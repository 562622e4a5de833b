import { authRoutes } from '@signalbox/contract/auth';
import type { AnyRouter } from '@tanstack/react-router';
import { call } from '../lib/api.ts';

/** Ends the session on the server, forgets what was loaded with it, and shows the sign-in screen. */
export async function signOut(router: AnyRouter): Promise<void> {
  try {
    await call(authRoutes.logout);
  } catch {
    // The server is away or the session is gone already: the screen to sign in is the way out in either case.
  }
  router.options.context.queryClient.clear();
  await router.navigate({ to: '/auth/login', search: {} });
  await router.invalidate();
}
