import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LiveSocket, LiveState } from './socket.ts';

export const LiveContext = createContext<LiveSocket | undefined>(undefined);

/** The connection for live messages. @throws outside of the signed-in part of the console. */
export function useLiveSocket(): LiveSocket {
  const socket = useContext(LiveContext);
  if (socket === undefined) throw new Error('There is no live connection here');
  return socket;
}

export function useLiveState(): LiveState {
  const socket = useLiveSocket();
  return useSyncExternalStore(
    (listener) => socket.watchState(listener),
    () => socket.state,
  );
}

const POLL_MS = 5000;

/** Interval for queries of what is watched live: none while messages arrive, short while the connection is cut. */
export function useLiveFallback(): number | false {
  return useLiveState() === 'lost' ? POLL_MS : false;
}
