import { type ApiToken, tokenRoutes } from '@signalbox/contract/tokens';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { sessionKey } from '../../lib/query-keys.ts';

export const tokensQuery = queryOptions({
  queryKey: [...sessionKey, 'tokens'],
  queryFn: ({ signal }) => call(tokenRoutes.list, { signal }),
});

export type TokenWish = { name: string; expires: string | null };

export function useCreateToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (wish: TokenWish) => call(tokenRoutes.create, { body: wish }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}

export function useRevokeToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: ApiToken) => call(tokenRoutes.revoke, { params: { token_id: token.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
