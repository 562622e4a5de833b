import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter, useSearch } from '@tanstack/react-router';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { placeAfterLogin } from './session-guard.ts';
import { signOut } from './sign-out.ts';

const login = getRouteApi('/auth/login');

/** The sign-in screen, and the way back to where the visitor wanted to go. */
export function LoginPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { signIn } = login.useRouteContext();
  const search = useSearch({ strict: false });
  // Whoever has a second step is sent back here by the first screen that asks who he is, and then asked for the code.
  const handleSignedIn = async (): Promise<void> => {
    queryClient.clear();
    await router.navigate({ ...placeAfterLogin(search), replace: true });
  };
  return (
    <LoginScreen
      isUnverified={signIn === 'unverified'}
      failure={typeof search.error === 'string' ? search.error : undefined}
      onSignedIn={() => void handleSignedIn()}
      onGiveUp={() => void signOut()}
    />
  );
}
