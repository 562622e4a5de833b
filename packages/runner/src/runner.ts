import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Probe } from '@signalbox/contract/job';
import {
  type Command,
  type Machine,
  type ProbeAnswer,
  protocolVersion,
  type SealedJob,
  type SealedProbe,
  type SyncAnswer,
  type SyncRequest,
  sealProbeAad,
} from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import manifest from '../package.json' with { type: 'json' };
import type { RunnerOptions } from './config.ts';
import { type Inheritance, takeOver } from './journal/predecessor.ts';
import type { RunnerLock } from './journal/runner-lock.ts';
import { type Refused, ServerLink } from './link/server-link.ts';
import { SyncLoop } from './link/sync-loop.ts';
import { describeMachine, describeStrayMode, readVersions } from './machine.ts';
import { createSealKeys, openSealed, type SealKeys } from './open-sealed.ts';
import { pause } from './pause.ts';
import { listUnusedCopies } from './prepare/unused-copies.ts';
import { answerProbe } from './probe.ts';
import type { HeldTask } from './tasks/held-task.ts';
import { InheritedTask } from './tasks/inherited-task.ts';
import { takeJob } from './tasks/take-job.ts';
import type { Workshop } from './tasks/workshop.ts';
import { closeWorkshop, openWorkshop, strayModeOfWorkshop, tasksDirectoryOf } from './workplace.ts';

/** How long a runner that is shut down waits for the server to take what is left; its successor brings the rest. */
const farewellMs = 5000;
/** A server may hold the first sync; by then it has read it. */
const firstWordMs = 500;
/** Asking tools for their versions takes seconds of work: not while the first tasks are starting. */
const versionsAfterMs = 5000;

/** Takes work from the server and does it, until it is told to end or has nobody to work for. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #lock: RunnerLock;
  readonly #link: ServerLink;
  readonly #workshop: Workshop;
  readonly #sync: SyncLoop;
  readonly #keys: SealKeys;
  readonly #machine: Machine;
  readonly #quit = new AbortController();
  readonly #ended = Promise.withResolvers<number>();
  readonly #tasks = new Map<string, HeldTask>();
  readonly #heard = Promise.withResolvers<void>();
  readonly #openProbes = new Set<string>();
  #probeAnswers: ProbeAnswer[] = [];
  #alongside: string[] = [];
  #seen = 0;
  #isDraining = false;
  #isShutDown = false;
  /** Monotonic time since when the server knows our token no more. */
  #refusedSince: number | null = null;

  constructor(options: RunnerOptions, lock: RunnerLock, note: (text: string) => void) {
    this.#options = options;
    this.#lock = lock;
    this.#keys = options.keys ?? createSealKeys();
    this.#link = new ServerLink(options.server, options.token, options.network);
    this.#workshop = openWorkshop(options, this.#link, note);
    this.#machine = describeMachine(strayModeOfWorkshop(this.#workshop), options.toolEnv.PATH ?? '');
    this.#sync = new SyncLoop(this.#link, {
      describe: () => this.#describe(),
      take: (answer) => this.#take(answer),
      onRefused: (refusal) => this.#leaveRefused(refusal),
      onSilence: () => this.#leaveAlone(),
    });
  }

  /** Works until the end. @returns the exit code */
  async run(): Promise<number> {
    const { dataDir } = this.#options;
    const inherited = this.#inherit(await takeOver(tasksDirectoryOf(this.#options), dataDir));
    await this.#workshop.fifos.prepare();
    const { stray_mode } = this.#machine;
    this.#workshop.note(`The runner works in ${dataDir}. ${describeStrayMode(stray_mode)}`);
    this.#sync.start();
    void this.#handOverInherited(inherited);
    void this.#learnVersions();
    const code = await this.#ended.promise;
    this.#quit.abort();
    await this.#sync.stop();
    await closeWorkshop(this.#workshop);
    this.#link.close();
    this.#lock.release();
    return code;
  }

  /** @returns tasks that are held, and wait to be handed over */
  #inherit({ started, dropped, alongside }: Inheritance): InheritedTask[] {
    this.#alongside = alongside;
    const { trash } = this.#workshop;
    if (dropped.length > 0) trash.add(...dropped);
    const inherited = started.map((task) => new InheritedTask(this.#workshop, task));
    for (const task of inherited) this.#tasks.set(task.hold.claim_id, task);
    if (alongside.length > 0) return inherited;
    const unused = listUnusedCopies(this.#options.dataDir);
    if (unused.length > 0) trash.add(...unused);
    // Key files and FIFOs of runners that were killed.
    const { memory, scratch } = this.#workshop;
    for (const name of readdirSync(memory)) {
      if (join(memory, name) !== scratch) rmSync(join(memory, name), { recursive: true, force: true });
    }
    return inherited;
  }

  /** The server is to hear from a sync that they are ours, before it hears of their logs. */
  async #handOverInherited(tasks: InheritedTask[]): Promise<void> {
    if (tasks.length > 0) await Promise.race([this.#heard.promise, pause(firstWordMs, this.#quit.signal)]);
    for (const task of tasks) this.#keep(task);
  }

  #describe(): SyncRequest {
    return {
      protocol: protocolVersion,
      version: manifest.version,
      instance: this.#workshop.instance,
      public_key: this.#keys.publicKey.toString('base64'),
      machine: this.#machine,
      free: this.#countFree(),
      draining: this.#isDraining,
      holds: [...this.#tasks.values()].map((task) => task.hold),
      probe_answers: this.#probeAnswers,
      seen: this.#seen,
      alongside: this.#alongside,
    };
  }

  #countFree(): number | null {
    if (this.#isDraining) return 0;
    const limit = this.#options.oneOff ? 1 : this.#options.maxParallelTasks;
    // Who waits for a person keeps nobody else from working.
    const busy = [...this.#tasks.values()].filter((task) => task.hold.phase !== 'waiting_confirmation').length;
    const own = limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - busy);
    const free = Math.min(own, this.#workshop.slots?.free ?? Number.POSITIVE_INFINITY);
    return free === Number.POSITIVE_INFINITY ? null : free;
  }

  #take(answer: SyncAnswer): void {
    this.#heard.resolve();
    this.#refusedSince = null;
    this.#seen = answer.batch;
    this.#probeAnswers = this.#probeAnswers.filter((probe) => !answer.probes_done.includes(probe.probe_id));
    for (const id of answer.probes_done) this.#openProbes.delete(id);
    for (const job of answer.jobs) this.#begin(job);
    for (const probe of answer.probes) void this.#probe(probe);
    for (const command of answer.commands) this.#obey(command);
  }

  #begin(sealed: SealedJob): void {
    // It crossed our last sync. Not among the holds, it waits again at once.
    if (this.#isShutDown || this.#isDraining) return;
    this.#keep(takeJob(this.#workshop, this.#keys, sealed));
    if (this.#options.oneOff) this.#isDraining = true;
  }

  #keep(task: HeldTask): void {
    const claimId = task.hold.claim_id;
    this.#tasks.set(claimId, task);
    task.run().then(
      () => this.#drop(claimId),
      (error: unknown) => {
        this.#workshop.note(`Task ${task.hold.task_id}: ${error instanceof Error ? error.stack : error}`);
        this.#drop(claimId);
      },
    );
  }

  #drop(claimId: string): void {
    this.#tasks.delete(claimId);
    this.#leaveIfDone();
  }

  async #probe(sealed: SealedProbe): Promise<void> {
    const { probe_id } = sealed;
    if (this.#openProbes.has(probe_id)) return;
    this.#openProbes.add(probe_id);
    const { room, scratch, instance, reports } = this.#workshop;
    try {
      const text = openSealed(this.#keys, sealed.sealed, sealProbeAad(probe_id, instance));
      const answer = await answerProbe(room, z.parse(Probe, JSON.parse(text)), scratch);
      this.#probeAnswers.push(answer);
      reports.sendProbeAnswer(answer);
    } catch {
      this.#openProbes.delete(probe_id); // not for us: the server asks once more
    }
  }

  #obey(command: Command): void {
    if (command.kind === 'drain') {
      this.drain();
      return;
    }
    const task = this.#tasks.get(command.claim_id);
    if (command.kind === 'stop' || command.kind === 'force') task?.stop(command.kind);
    if (command.kind === 'confirm' || command.kind === 'reject') task?.decide?.(command.kind);
    if (command.kind === 'forget') task?.stop('forgotten');
  }

  /** No more work, and the end after the last task. The next runner may start beside this one from now on. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#lock.release();
    this.#sync.renew();
    this.#leaveIfDone();
  }

  /** @param now kill at once, instead of asking the tools to end */
  shutDown(now: boolean): void {
    this.#isDraining = true;
    this.#isShutDown = true;
    for (const task of this.#tasks.values()) task.stop(now ? 'shutdown_now' : 'shutdown');
    this.#leaveIfDone();
    void this.#sayFarewell();
  }

  /** With a server that does not answer, what is left stays on disk for the next runner. */
  async #sayFarewell(): Promise<void> {
    for (let waited = 0; waited < farewellMs; ) {
      await pause(100, this.#quit.signal);
      if (this.#quit.signal.aborted) return;
      if ([...this.#tasks.values()].every((task) => task.hold.phase === 'ended')) waited += 100;
    }
    this.#ended.resolve(0);
  }

  #leaveIfDone(): void {
    if (this.#isDraining && this.#tasks.size === 0) this.#ended.resolve(0);
  }

  #leaveAlone(): void {
    const isAlone = this.#tasks.size === 0 && this.#link.silentForMs > this.#options.leaveAfterMs;
    if (isAlone && (this.#options.leaves || this.#isShutDown)) this.#ended.resolve(0);
  }

  #leaveRefused(refusal: Refused): void {
    if (refusal.status !== 401 && refusal.status !== 426) return;
    if (this.#tasks.size > 0) {
      if (refusal.status === 401) this.#giveUpRefused();
      return;
    }
    this.#workshop.note(`The server refuses this runner: ${refusal.message}`);
    this.#ended.resolve(2);
  }

  /** A mistake can be undone for a while; after it, what runs here is nobody's any more. */
  #giveUpRefused(): void {
    const now = performance.now();
    this.#refusedSince ??= now;
    if (now - this.#refusedSince < this.#options.giveUpAfterMs) return;
    for (const task of this.#tasks.values()) task.stop('forgotten');
  }

  async #learnVersions(): Promise<void> {
    await pause(versionsAfterMs, this.#quit.signal);
    if (this.#quit.signal.aborted) return;
    const { ownEnv, options } = this.#workshop;
    this.#machine.tools = await readVersions(this.#machine.tools, { ...options.toolEnv, ...ownEnv }, this.#quit.signal);
  }
}
