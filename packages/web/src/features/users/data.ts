import { sessionRoutes } from '@signalbox/contract/sessions';
import { totpRoutes } from '@signalbox/contract/totp';
import { type User, type UserChange, type UserInput, userRoutes } from '@signalbox/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { buildUrl, call } from '../../lib/api.ts';
import { sessionKey } from '../../lib/query-keys.ts';

/** All users as administrators see them. */
export const usersQuery = queryOptions({
  queryKey: [...sessionKey, 'users'],
  // Administrators get whole records.
  queryFn: async ({ signal }) => (await call(userRoutes.list, { signal })) as User[],
});

export function userSessionsQuery(userId: number) {
  return queryOptions({
    queryKey: [...sessionKey, 'users', userId, 'sessions'],
    queryFn: ({ signal }) => call(sessionRoutes.list, { params: { user_id: userId }, signal }),
  });
}

/** Everything that shows users: the list, one of them, and who is signed in. */
function useUserRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [...sessionKey, 'users'] }),
      queryClient.invalidateQueries({ queryKey: [...sessionKey, 'user'] }),
    ]);
}

export type UserSave = { id: undefined; input: UserInput } | { id: number; input: UserChange };

export function useSaveUser() {
  const refresh = useUserRefresh();
  return useMutation({
    mutationFn: async ({ id, input }: UserSave): Promise<void> => {
      if (id === undefined) await call(userRoutes.create, { body: input });
      else await call(userRoutes.update, { params: { user_id: id }, body: input });
    },
    onSuccess: refresh,
  });
}

export function useRemoveUser() {
  const refresh = useUserRefresh();
  return useMutation({
    mutationFn: (user: User) => call(userRoutes.remove, { params: { user_id: user.id } }),
    onSuccess: refresh,
  });
}

export function useChangePassword(userId: number) {
  const refresh = useUserRefresh();
  return useMutation({
    mutationFn: (password: string) =>
      call(userRoutes.changePassword, { params: { user_id: userId }, body: { password } }),
    onSuccess: refresh,
  });
}

export function useEnrolTotp(userId: number) {
  const refresh = useUserRefresh();
  return useMutation({
    mutationFn: () => call(totpRoutes.enrol, { params: { user_id: userId } }),
    onSuccess: refresh,
  });
}

export function useRemoveTotp(userId: number) {
  const refresh = useUserRefresh();
  return useMutation({
    mutationFn: (totpId: number) => call(totpRoutes.remove, { params: { user_id: userId, totp_id: totpId } }),
    onSuccess: refresh,
  });
}

/** Address of the image for the authenticator app. */
export function totpPicture(userId: number, totpId: number): string {
  return buildUrl(totpRoutes.picture, { params: { user_id: userId, totp_id: totpId } });
}

/** Ends one session of a user, or all of them but the one that asks. */
export function useEndSession(userId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: number | 'all'): Promise<void> => {
      if (sessionId === 'all') await call(sessionRoutes.endAll, { params: { user_id: userId } });
      else await call(sessionRoutes.end, { params: { user_id: userId, session_id: sessionId } });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: userSessionsQuery(userId).queryKey }),
  });
}
