import { ClientMessage, type ServerMessage } from '@signalbox/contract/live';
import * as z from 'zod/mini';

/** What a connection needs of the network. */
export type LiveSocket = {
  send(text: string): void;
  /** Bytes that were sent and have not left. */
  bufferedAmount(): number;
  close(code: number, reason: string): void;
};

/** The projects that somebody may see. */
export type LiveRights = { readonly projects: ReadonlySet<number> | 'all' };

/** Whoever has connected: his rights are looked up again and again, because they may end. */
export type Visitor = {
  readonly socket: LiveSocket;
  readonly userId: number;
  /** Undefined when he is not signed in any more. */
  loadRights(): Promise<LiveRights | undefined>;
};

/** How old known rights may be when something is sent. */
const rightsMs = 1000;
/** A client that says nothing for so long is one of the older product. */
const silenceMs = 1000;
/** Beyond this a reader is too slow for lines, and beyond that for anything. */
const slowBytes = 1024 * 1024;
const deafBytes = 16 * 1024 * 1024;

/** One websocket: who listens, which protocol he speaks, and what he may see now. */
export class LiveConnection {
  readonly #visitor: Visitor;
  readonly #onLegacy: () => void;
  #rights: { value: Promise<LiveRights | undefined>; since: number } | undefined;
  #silence: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isLegacy = false;
  /** Messages go out in the order in which they came up, although each waits for the rights. */
  #last: Promise<void> = Promise.resolve();

  /** @param onLegacy is told when the client is one of the older product */
  constructor(visitor: Visitor, onLegacy: () => void) {
    this.#visitor = visitor;
    this.#onLegacy = onLegacy;
    this.#silence = setTimeout(() => {
      this.#isLegacy = true;
      this.#onLegacy();
    }, silenceMs);
  }

  get userId(): number {
    return this.#visitor.userId;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isSlow(): boolean {
    return this.#visitor.socket.bufferedAmount() > slowBytes;
  }

  /** What the client says; undefined for what no client of ours says. */
  read(text: string): ClientMessage | undefined {
    clearTimeout(this.#silence);
    try {
      const message = z.safeParse(ClientMessage, JSON.parse(text));
      return message.success ? message.data : undefined;
    } catch {
      return undefined; // not JSON: an old client's keep-alive
    }
  }

  /** @param projectId null = what everybody who is signed in may know */
  async maySee(projectId: number | null): Promise<boolean> {
    const rights = await this.#readRights();
    if (rights === undefined) {
      this.close(4401, 'Sign in again');
      return false;
    }
    return projectId === null || rights.projects === 'all' || rights.projects.has(projectId);
  }

  /** Rights may have changed: the next message looks them up. */
  forgetRights(): void {
    this.#rights = undefined;
  }

  /** Looks at once, not only with the next message: whoever is signed out hears nothing more and is told so. */
  checkRights(): void {
    this.forgetRights();
    this.#readRights().then(
      (rights) => {
        if (rights === undefined) this.close(4401, 'Sign in again');
      },
      // Nothing is sent before the rights are known, so the next message finds out.
      () => this.forgetRights(),
    );
  }

  send(message: ServerMessage): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string): void {
    if (this.#isClosed) return;
    if (this.#visitor.socket.bufferedAmount() > deafBytes) this.close(4408, 'Too slow');
    else this.#visitor.socket.send(text);
  }

  /** Sends what the client may see of some messages, after everything that was queued before. */
  queue(messages: readonly { projectId: number | null; text: string; isLegacy: boolean }[]): void {
    this.#last = this.#last.then(async () => {
      for (const { projectId, text, isLegacy } of messages) {
        if ((isLegacy || !this.#isLegacy) && (await this.maySee(projectId))) this.sendText(text);
      }
    });
    // Without rights that can be read nothing is sent: the client comes back and starts anew.
    this.#last = this.#last.catch(() => this.close(1011, 'Try again'));
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.leave();
    this.#visitor.socket.close(code, reason);
  }

  /** The socket is gone. */
  leave(): void {
    this.#isClosed = true;
    clearTimeout(this.#silence);
  }

  #readRights(): Promise<LiveRights | undefined> {
    const now = performance.now();
    if (this.#rights === undefined || now - this.#rights.since > rightsMs) {
      this.#rights = { value: this.#visitor.loadRights(), since: now };
    }
    return this.#rights.value;
  }
}
