import { authRoutes, type Credentials } from '@signalbox/contract/auth';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { sessionKey } from '../../lib/query-keys.ts';

/** What the server lets a visitor sign in with. */
export const loginOptionsQuery = queryOptions({
  queryKey: [...sessionKey, 'login-options'],
  queryFn: ({ signal }) => call(authRoutes.options, { signal }),
  staleTime: 60_000,
});

export function useSignIn() {
  return useMutation({ mutationFn: (credentials: Credentials) => call(authRoutes.login, { body: credentials }) });
}

export function useVerify() {
  return useMutation({ mutationFn: (passcode: string) => call(authRoutes.verify, { body: { passcode } }) });
}

export function useRecover() {
  return useMutation({
    mutationFn: (code: string) => call(authRoutes.recover, { body: { recovery_code: code } }),
  });
}
