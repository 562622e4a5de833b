import { type ClientMessage, ServerMessage } from '@signalbox/contract/live';
import * as z from 'zod/mini';
import { readBasePath } from './base-path.ts';
import { parseJson } from './json-text.ts';

/** `live`: messages arrive. `connecting`: first try. `lost`: cut, trying again; screens poll meanwhile. */
export type LiveState = 'connecting' | 'live' | 'lost';

const RECONNECT_MS = 2000;
/** A proxy that knows no websockets may leave the question unanswered. */
const CONNECT_MS = 8000;
/** A log that grows while it is read may hand over many of these a second, so only its frame is looked at. */
const Frame = z.object({ type: z.string() });

export type LiveLines = Extract<ServerMessage, { type: 'lines' }>;
export type LogFollower = {
  /** Lines from the expected one on: never twice, never with a gap between two calls. */
  onLines: (message: LiveLines) => void;
  /** The reader was too slow, or lines are missing: fetch from `expected` by range, then follow again from there. */
  onBehind: (expected: number) => void;
  /** The log is complete with this many lines. */
  onSealed: (lines: number) => void;
  onRefused: (error: string) => void;
};
type Follow = { next: number; follower: LogFollower };

/** Address of the websocket next to the page that is open. */
export function liveUrl(): string {
  const url = new URL(`${readBasePath()}/api/ws`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * The one connection for live messages. It says hello, subscribes again after a cut from the line after the last one it
 * has seen, and comes back two seconds after every close until it is stopped.
 */
export class LiveSocket {
  readonly #url: string;
  readonly #listeners = new Set<(message: ServerMessage) => void>();
  readonly #stateListeners = new Set<() => void>();
  readonly #follows = new Map<number, Follow>();
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #state: LiveState = 'connecting';
  #isStopped = true;

  constructor(url: string) {
    this.#url = url;
  }

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    watchNetwork('addEventListener', this.#handleNetwork);
    this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#patience);
    watchNetwork('removeEventListener', this.#handleNetwork);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#setState('connecting');
  }

  /** Called with every message that is not about the lines of one log. Returns the end of it. */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called at every change of the state. Returns the end of it. */
  watchState(listener: () => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** Follows the log of a task from a line on; a second call for the same task takes the place of the first. */
  follow(taskId: number, from: number, follower: LogFollower): () => void {
    const follow: Follow = { next: from, follower };
    this.#follows.set(taskId, follow);
    this.#say({ type: 'subscribe', task_id: taskId, from });
    return () => {
      if (this.#follows.get(taskId) !== follow) return;
      this.#follows.delete(taskId);
      this.#say({ type: 'unsubscribe', task_id: taskId });
    };
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#patience = setTimeout(() => this.#lose(), CONNECT_MS);
    socket.addEventListener('open', () => {
      clearTimeout(this.#patience);
      this.#say({ type: 'hello' });
      for (const [taskId, { next }] of this.#follows) this.#say({ type: 'subscribe', task_id: taskId, from: next });
      this.#setState('live');
    });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#lose();
    });
  }

  /** A socket that hangs may tell of its end much later, so it is left to itself. */
  #lose(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    clearTimeout(this.#patience);
    this.#setState('lost');
    this.#timer = setTimeout(() => this.#connect(), RECONNECT_MS);
  }

  /** Without a network nothing says that the connection is gone, and with a new one it need not wait. */
  readonly #handleNetwork = ({ type }: Event): void => {
    if (type === 'offline' && this.#socket !== undefined) this.#lose();
    if (type === 'online' && this.#state === 'lost') {
      clearTimeout(this.#timer);
      clearTimeout(this.#patience);
      const waiting = this.#socket;
      this.#socket = undefined;
      waiting?.close();
      this.#connect();
    }
  };

  #say(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #setState(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }

  #receive(data: unknown): void {
    const message = readMessage(data);
    if (message === undefined) return;
    switch (message.type) {
      case 'lines':
        return this.#receiveLines(message);
      case 'behind':
        return this.#leave(message.task_id, ({ next, follower }) => follower.onBehind(next));
      case 'refused':
        return this.#leave(message.task_id, ({ follower }) => follower.onRefused(message.error));
      case 'sealed':
        return this.#follows.get(message.task_id)?.follower.onSealed(message.lines);
      default:
        for (const listener of this.#listeners) listener(message);
    }
  }

  #receiveLines(message: LiveLines): void {
    const follow = this.#follows.get(message.task_id);
    if (follow === undefined || message.next <= follow.next) return;
    if (message.first > follow.next) {
      this.#leave(message.task_id, ({ next, follower }) => follower.onBehind(next));
      this.#say({ type: 'unsubscribe', task_id: message.task_id });
      return;
    }
    const first = follow.next;
    follow.next = message.next;
    const lines = first === message.first ? message.lines : message.lines.filter((line) => line.line >= first);
    follow.follower.onLines({ ...message, first, lines });
  }

  #leave(taskId: number, tell: (follow: Follow) => void): void {
    const follow = this.#follows.get(taskId);
    if (follow === undefined) return;
    this.#follows.delete(taskId);
    tell(follow);
  }
}

/** Only a browser tells of its network. */
function watchNetwork(act: 'addEventListener' | 'removeEventListener', handle: (event: Event) => void): void {
  if (typeof window === 'undefined') return;
  for (const name of ['online', 'offline']) window[act](name, handle);
}

function readMessage(data: unknown): ServerMessage | undefined {
  if (typeof data !== 'string') return undefined;
  const value = parseJson(data);
  const frame = z.safeParse(Frame, value);
  if (!frame.success) return undefined;
  // The lines of a log are checked by the server's own schema; a second look at each of them here would cost frames.
  if (frame.data.type === 'lines') return value as LiveLines;
  const message = z.safeParse(ServerMessage, value);
  return message.success ? message.data : undefined;
}
