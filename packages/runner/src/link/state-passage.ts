import { ErrorBody } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { keepRefusedState, type StateAccess, type StateJournal, type UnsavedState } from '../journal/unsaved-state.ts';
import { Backoff } from '../pause.ts';
import type { Forwarded, ServerLink } from './server-link.ts';

const timeoutMs = 60_000;

/** What the tool asked for: the part of the address behind that of its state, and the rest as it came. */
export type StateCall = {
  readonly method: string;
  readonly part: '' | '/lock';
  readonly search: string;
  readonly type: string;
  readonly body: Buffer;
};
export type StateAnswer = { readonly status: number; readonly text: string };

export type PassageRoom = {
  readonly journal: StateJournal;
  readonly dataDir: string;
  readonly directory: string;
  /** A line for the task's log. */
  readonly say: (line: string) => void;
};

export function makeBasic({ username, password }: Pick<StateAccess, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

const LockBody = z.looseObject({ ID: z.string() });

/**
 * The way of one task's tool to its state. Each call waits until a server has answered it, however long none does and wherever the
 * next one is: the tool never learns that the server was away. A state that was handed in is brought there even when its tool is gone.
 */
export class StatePassage {
  readonly access: StateAccess;
  readonly #link: ServerLink;
  readonly #room: PassageRoom;
  readonly #abandoned = new AbortController();
  /** One call after the other, in the order in which they came. */
  #last: Promise<unknown> = Promise.resolve();
  #refusal: string | null = null;
  /** Of the state that was handed in last: the one that is on disk. */
  #newest: Buffer | null = null;

  constructor(link: ServerLink, access: StateAccess, room: PassageRoom) {
    this.#link = link;
    this.access = access;
    this.#room = room;
  }

  /** @param gone aborted when nobody waits for the answer any more @throws when the call is given up */
  serve(call: StateCall, gone: AbortSignal): Promise<StateAnswer> {
    const isWrite = call.part === '' && call.method === 'POST';
    if (isWrite) {
      this.#room.journal.noteUnsaved(call.body);
      this.#newest = call.body;
    }
    // What was done must be told, and a lock given back; a question whose asker is gone needs no answer.
    const mustArrive = isWrite || call.method === 'DELETE';
    const signals = mustArrive ? [this.#abandoned.signal] : [this.#abandoned.signal, gone];
    const run = this.#last.then(() => this.#carry(call, isWrite, AbortSignal.any(signals)));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #carry(call: StateCall, isWrite: boolean, signal: AbortSignal): Promise<StateAnswer> {
    let isLate = false;
    const answer = await bringToServer(this.#link, this.access, call, signal, () => {
      if (!isLate) this.#room.say('The server does not answer: its part of the state waits here until it does');
      isLate = true;
    });
    if (isLate) this.#room.say('The server answers again');
    const isGood = answer.status < 300;
    if (call.part === '/lock' && isGood) this.#room.journal.noteLock(readLockId(call));
    if (isWrite) this.#settleWrite(call.body, answer);
    return answer;
  }

  #settleWrite(body: Buffer, answer: StateAnswer): void {
    if (answer.status < 300) {
      this.#refusal = null;
      this.#forgetBody(body);
      return;
    }
    const path = keepRefusedState(this.#room.dataDir, this.#room.directory, body);
    this.#refusal = `The server did not take the state (${explainAnswer(answer)}); a copy is kept on the runner in ${path}`;
    this.#room.say(this.#refusal);
    this.#forgetBody(body);
  }

  /** A tool that asked again meanwhile has put a newer one in its place. */
  #forgetBody(body: Buffer): void {
    if (body === this.#newest) this.#room.journal.noteSaved();
  }

  /** Returns when the server has all that was handed in; or why it did not take the last state. */
  async settle(): Promise<string | null> {
    await this.#last;
    return this.#refusal;
  }

  /** Nobody wants it any more. */
  abandon(): void {
    this.#abandoned.abort(new Error('the task is given up'));
  }
}

/** The lock that holds from now on. */
function readLockId({ method, body }: StateCall): string | null {
  if (method === 'DELETE') return null;
  const parsed = z.safeParse(LockBody, JSON.parse(body.toString('utf8')));
  return parsed.success ? parsed.data.ID : null;
}

/** Asks until a server has answered. @throws the reason of the signal */
async function bringToServer(
  link: ServerLink,
  access: StateAccess,
  call: StateCall,
  signal: AbortSignal,
  onFailure: () => void,
): Promise<StateAnswer> {
  const backoff = new Backoff();
  const request: Forwarded = {
    method: call.method,
    path: `${access.path}${call.part}${call.search}`,
    headers: { authorization: makeBasic(access), 'content-type': call.type, 'content-length': call.body.length },
    body: call.body,
    timeoutMs,
    signal,
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      const answer = await link.forward(request);
      if (isWordOfServer(answer)) return answer;
    } catch {
      signal.throwIfAborted(); // else no server, or none that could answer: asked again
    }
    onFailure();
    await backoff.wait(signal);
  }
}

/** "There is no state" of something that stands in front of the server would make the tool build everything anew. */
function isWordOfServer({ status, text }: StateAnswer): boolean {
  if (status < 400) return true;
  return status < 500 && readError({ status, text }) !== null;
}

function readError({ text }: StateAnswer): string | null {
  try {
    const body = z.safeParse(ErrorBody, JSON.parse(text));
    // Of a lock, the answer is the lock itself.
    return body.success ? body.data.error : z.parse(LockBody, JSON.parse(text)).ID;
  } catch {
    return null; // not of a Signalbox server
  }
}

const explainAnswer = (answer: StateAnswer): string => readError(answer) ?? `HTTP status ${answer.status}`;

/** Brings what an earlier runner could not. @returns why the server does not take it, or null @throws when it is given up */
export async function bringUnsavedState(
  link: ServerLink,
  { access, lock, body }: UnsavedState,
  signal: AbortSignal,
): Promise<string | null> {
  const search = lock === null ? '' : `?ID=${encodeURIComponent(lock)}`;
  const call: StateCall = { method: 'POST', part: '', search, type: 'application/json', body };
  const answer = await bringToServer(link, access, call, signal, () => undefined);
  return answer.status < 300 ? null : explainAnswer(answer);
}
