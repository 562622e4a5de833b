import { authRoutes } from '@signalbox/contract/auth';
import { call } from '../lib/api.ts';
import { readBasePath } from '../lib/base-path.ts';

/**
 * Ends the session on the server, and loads the sign-in screen anew: nothing that was loaded with the session is left in the
 * page, and no part of it asks for more on its way out.
 */
export async function signOut(): Promise<void> {
  try {
    await call(authRoutes.logout);
  } catch {
    // The server is away or the session is gone already: the screen to sign in is the way out in either case.
  }
  window.location.assign(`${readBasePath()}/auth/login`);
}
