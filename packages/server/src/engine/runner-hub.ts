import {
  type LogAnswer,
  protocolVersion,
  type ReportsAnswer,
  type ReportsRequest,
  type SyncAnswer,
  type SyncRequest,
  syncHoldMs,
} from '@signalbox/contract/runner-protocol';
import { isFinal } from '@signalbox/contract/task-state';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Clock } from './clock.ts';
import { closeLog, lossReason } from './log-end.ts';
import { type LogGrowth, takeLog } from './log-upload.ts';
import type { ProbeBoard } from './probes.ts';
import { takeContact } from './runner-contact.ts';
import type { RunnerIdentity } from './runner-identity.ts';
import { isPlaceholder } from './runner-instances.ts';
import { RunnerSession } from './runner-session.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';
import { takeReports } from './task-reports.ts';

export type RunnerHubParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly news: TaskNews;
  readonly probes: ProbeBoard;
  /** A runner waits for work. */
  readonly wake: () => void;
  readonly onLogGrowth: (growth: readonly LogGrowth[]) => void;
  readonly settings: {
    /** Version of the built-in runner that this server brings. */
    readonly version: string;
    /** Addresses of all servers, for runners that lose this one. */
    readonly servers: readonly string[];
    /** How long a plan waits for a person. */
    readonly confirmMs: number;
    /** Silence of a runner after which what it had not started waits again. */
    readonly runnerSilentMs: number;
  };
};

/** A process that is not heard of for so long has no session here any more. */
const sessionMs = 60_000;
/** Between two syncs of a runner that lives. */
const heardMs = 3000;

/** The server's end of the runner protocol: what each call of a runner does, and the syncs that are open. */
export class RunnerHub {
  readonly #parts: RunnerHubParts;
  readonly #sessions = new Map<string, RunnerSession>();
  #isClosing = false;

  constructor(parts: RunnerHubParts) {
    this.#parts = parts;
    parts.news.onTasks((rows) => this.#noteTasks(rows));
  }

  sessions(): Iterable<RunnerSession> {
    return this.#sessions.values();
  }

  /** When this server last heard of a process; 0 = never. */
  lastHeard(instance: string): number {
    return this.#sessions.get(instance)?.lastHeard ?? 0;
  }

  /** Whether the built-in runner of a data directory takes work and is being heard of. */
  hears(server: string): boolean {
    const since = this.#parts.clock.now() - heardMs;
    return [...this.#sessions.values()].some(
      (session) =>
        session.contact?.identity.server === server &&
        session.takesWork &&
        (session.isOpen || session.lastHeard > since),
    );
  }

  /**
   * Heartbeat, claim and command channel of a runner: answered at once when there is something to say, else after 10 s.
   * @param signal is aborted when the connection is gone
   */
  async sync(identity: RunnerIdentity, request: SyncRequest, signal: AbortSignal): Promise<SyncAnswer> {
    refuseForeignProtocol(request.protocol);
    refuseForeignInstance(identity, request.instance);
    refuseBadKey(identity, request.public_key);
    if (this.#isClosing) throw new AppError('unavailable', 'The server is shutting down');
    refuseForeignSession(this.#sessions.get(request.instance), identity);
    const session = this.#openSession(request.instance);
    return await session.inTurn(async (turn) => {
      await this.#begin(session, identity, request);
      // A runner that lives speaks again before it counts as silent.
      const holdMs = this.#isClosing ? 0 : Math.min(syncHoldMs, (this.#parts.settings.runnerSilentMs * 2) / 3);
      const isWaiting = session.waitForAnswer(turn, signal, holdMs);
      this.#parts.wake();
      await this.#parts.probes.offer(session);
      return { ...(await isWaiting), servers: [...this.#parts.settings.servers] };
    });
  }

  async #begin(session: RunnerSession, identity: RunnerIdentity, request: SyncRequest): Promise<void> {
    const { database, clock, news, probes, settings } = this.#parts;
    const now = clock.now();
    session.lastHeard = now;
    session.isFresh ||= identity.instance !== null && isPlaceholder(identity.instance);
    const result = await takeContact(database, session, { identity, request }, now, settings.runnerSilentMs);
    // They shall see at their next word that they were followed.
    for (const dead of result.dead) this.forget(dead);
    for (const task of result.lost) await closeLog(database.logs, task.id, lossReason, now);
    session.begin({
      identity,
      request,
      tasks: result.tasks,
      forget: result.forget,
      mustDrain: result.isReplaced || isOutdated(session, identity, request.version !== settings.version),
    });
    news.publish(result.changed);
    session.acknowledgeProbes(await probes.takeAnswers(request.probe_answers));
    await probes.reopen(session.takeLostProbes(request.seen));
  }

  async report(identity: RunnerIdentity, request: ReportsRequest): Promise<ReportsAnswer> {
    const { database, log, clock, news, probes } = this.#parts;
    const session = this.#hear(identity, request.instance);
    const { answers, changed } = await takeReports(
      database,
      log,
      { runnerId: identity.runnerId, request, confirmMs: this.#parts.settings.confirmMs },
      clock.now(),
    );
    const finished = changed.filter((row) => isFinal(row.status) && row.instance === request.instance);
    for (const _ of finished) session?.noteFinish();
    news.publish(changed);
    const done = await probes.takeAnswers(request.probe_answers ?? []);
    session?.acknowledgeProbes(done);
    return { answers };
  }

  async takeLog(identity: RunnerIdentity, body: Uint8Array): Promise<LogAnswer> {
    const { database, log, onLogGrowth } = this.#parts;
    const { answer, growth } = await takeLog(database, log, identity.runnerId, body);
    if (growth.length > 0) onLogGrowth(growth);
    return answer;
  }

  /** As if this server had never heard of a process. */
  forget(instance: string): void {
    this.#sessions.delete(instance);
  }

  /** Lets go of processes that are long gone. */
  sweep(): void {
    const now = this.#parts.clock.now();
    for (const [instance, session] of this.#sessions) {
      if (session.lastHeard < now - sessionMs && !session.isOpen) this.forget(instance);
    }
  }

  /** Tells idle runners of this machine to end; those with tasks go on without a server. */
  drainIdle(): void {
    for (const session of this.#sessions.values()) {
      if (session.contact?.identity.runnerId === null) session.drainIfIdle();
    }
  }

  /** Answers all open syncs; later ones are refused. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#sessions.values()) session.close();
  }

  #openSession(instance: string): RunnerSession {
    let session = this.#sessions.get(instance);
    if (session === undefined) {
      session = new RunnerSession(instance);
      this.#sessions.set(instance, session);
    }
    return session;
  }

  #hear(identity: RunnerIdentity, instance: string): RunnerSession | undefined {
    const session = this.#sessions.get(instance);
    if (session !== undefined && isOfRunner(session, identity)) session.lastHeard = this.#parts.clock.now();
    return session;
  }

  #noteTasks(rows: readonly TaskRow[]): void {
    for (const row of rows) {
      if (row.instance !== null) this.#sessions.get(row.instance)?.noteTask(row);
    }
  }
}

/** The protocol of this server and the one before are spoken. */
function refuseForeignProtocol(protocol: number): void {
  if (protocol === protocolVersion || protocol === protocolVersion - 1) return;
  const advice = protocol < protocolVersion ? 'update the runner' : 'update the server first';
  throw new AppError(
    'runner_outdated',
    `This server speaks version ${protocolVersion} of the runner protocol and the runner version ${protocol}: ${advice}`,
  );
}

/**
 * The built-in runner comes with the server: one that a server of another version has left finishes, and the next one takes
 * over. One that this server has started is what there is, whatever it calls itself.
 */
function isOutdated(session: RunnerSession, { runnerId }: RunnerIdentity, isOther: boolean): boolean {
  return runnerId === null && isOther && !session.isFresh;
}

/** Work could not be sealed for it, or would be sealed for somebody who has stolen a token. */
function refuseBadKey(identity: RunnerIdentity, said: string): void {
  const key = Buffer.from(said, 'base64');
  if (key.length !== 32) throw new AppError('invalid', 'public_key must be a raw X25519 key in base64');
  if (identity.publicKey === null || key.equals(Buffer.from(identity.publicKey, 'base64'))) return;
  throw new AppError('unauthenticated', 'The runner was registered with another key: use its private key');
}

function isOfRunner({ contact }: RunnerSession, { runnerId, server }: RunnerIdentity): boolean {
  return contact === undefined || (contact.identity.runnerId === runnerId && contact.identity.server === server);
}

/** Nobody speaks for a process of another runner, should he know its name. */
function refuseForeignSession(session: RunnerSession | undefined, identity: RunnerIdentity): void {
  if (session === undefined || isOfRunner(session, identity)) return;
  throw new AppError('unauthenticated', 'The process belongs to another runner');
}

/** The token of a built-in runner is that of one process. */
function refuseForeignInstance({ instance }: RunnerIdentity, said: string): void {
  if (instance === null || isPlaceholder(instance) || instance === said) return;
  throw new AppError('unauthenticated', 'The runner token belongs to another process');
}
