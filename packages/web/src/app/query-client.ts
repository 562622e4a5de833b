import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/failure.ts';

const RETRIES = 2;

/** A refusal stays one however often it is asked for; a server that is away may be back in a moment. */
function isWorthRetrying(count: number, error: Error): boolean {
  const isPassing = !(error instanceof ApiError) || error.status === 0 || error.status >= 502;
  return isPassing && count < RETRIES;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Live messages say when something changed; what was not watched is fetched again when a screen opens.
      queries: { retry: isWorthRetrying, staleTime: 2000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
}
