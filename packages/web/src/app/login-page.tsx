import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { placeAfterLogin } from './session-guard.ts';

/** The sign-in screen, and the way back to where the visitor wanted to go. */
export function LoginPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const search = useSearch({ strict: false });
  const handleSignedIn = async (): Promise<void> => {
    queryClient.clear();
    await router.navigate({ ...placeAfterLogin(search), replace: true });
  };
  return <LoginScreen onSignedIn={() => void handleSignedIn()} />;
}
