/**
 * The protocol between the server and its runners, version 1.
 *
 * There is no local execution: the built-in runner speaks exactly this over loopback. All calls go from the runner to
 * the server, under `/api/internal/runners`, with the header `X-Runner-Token`. Several servers may share one database;
 * any call may go to any of them.
 *
 * WORDS. A *runner* is a registration (name, tag, token); the built-in one has no row. An *instance* is one process of
 * it: a random id made at its start. A *job* is one task sealed for one instance. A *hold* is a task that an instance
 * has in hand. A *fence* is what proves a hold: the number of claims of that task so far, and a random claim id
 * (a counter alone could be handed out twice after a power loss).
 *
 * LIFECYCLE OF A TASK AT THE RUNNER
 *   1. `sync` brings a sealed job: the task is `starting`. The runner prepares a directory; nothing outside it changes.
 *   2. `report {kind: 'start'}`: may I start? The server commits `running` durably and answers `run`; or `stop`, when a
 *      stop came first. Only after `run` may the first process of the tool be spawned. The answer is the same for the
 *      same claim, so a lost answer is asked for again: the runner knows that it has not spawned. This makes
 *      "at most once" true.
 *   3. Log chunks go up while the tool runs (`log`). Each states its first line; the server stores what it expects next
 *      and answers the next line that it wants. The spool on the runner's disk lives until the log is sealed.
 *   4. A tool that plans before it acts: `report {kind: 'plan'}` carries what would change. The server stores it and answers
 *      `run` where the task was approved beforehand, else `wait`: the task is `waiting_confirmation`, and the runner keeps the
 *      plan, but no slot. The commands `confirm` and `reject` end the wait. After `confirm` the runner asks once more,
 *      `report {kind: 'resume'}`, and carries out exactly that plan only after `run`, which is committed first.
 *   5. `report {kind: 'finish'}` carries the outcome and the seal {lines, bytes, crc}. The server refuses it with
 *      `log_incomplete` and the next line while chunks are missing; else it seals the log first and makes the status final
 *      second. Repeating a finish is harmless: the answer is the same. Then the runner deletes spool and directory.
 *
 * SYNC. A runner keeps one `sync` open at all times, also when it has no free slot: it is heartbeat, claim and command
 * channel in one. The server answers at once when there is a job, a probe, a command or something to acknowledge, and
 * after 10 s otherwise. It sends its holds each time, and that reconciles everything both ways:
 *   - A task of this instance that the server handed out in an answer which the runner has *seen* (`seen`), or which an
 *     earlier sync must have carried, but which is not among the holds: the answer was lost. Not started: it waits again.
 *   - A hold that the server does not know, or under an old fence: command `forget`. The runner kills the tree, cleans
 *     up, uploads nothing more.
 * The answer's `batch` number is echoed in the next sync's `seen`; the server re-sends nothing by itself: a job whose
 * answer was lost is claimed anew, with a new fence.
 *
 * COMMANDS are derived from stored state, never queued in memory: as long as the state asks for it, each answer repeats
 * it. `stop` and `force` follow the stored stop request of the task; `confirm` and `reject` its status; `drain` says: take
 * no more work, finish what you hold, then exit. A runner that obeys twice does no harm.
 *
 * WHO RETRIES WHAT. The runner retries everything, with backoff from 100 ms to 2 s and jitter, for ever; it reads the
 * address file again before each attempt (built-in), or takes the next of its addresses. The server retries nothing.
 * `401` and `426` end a runner that holds nothing; one that holds tasks finishes them and keeps trying. A remote one that is
 * answered `401` for so long that a server would have given its tasks up (5 min) ends them, and itself.
 *
 * WHAT EACH DISCONNECT DOES
 *   - The server is gone: the runner goes on, spools the log, and hands it over when a server answers again. A lease can
 *     only run out while a server was able to hear the runner.
 *   - The runner is silent for 15 s: what it had not started waits again (safe: its start permission is fenced).
 *     For 30 s: its started tasks are shown as unreachable. For `lost_after`: they are `error`, and say what is not known.
 *   - The runner is proved dead (its kernel lock is free, or a new instance of it syncs, which by then has ended the
 *     processes in its predecessor's journal): not started waits again, started is `error`, "runner lost", at once.
 *   - Its successor, a new instance of the same runner, CARRIES ON the claims of its predecessor: it lists the started
 *     ones in `holds` with phase `ended`, uploads what is left in their spools, and finishes them itself as `error`,
 *     "runner lost", with a proper seal, so that no line is lost. So holds, log frames and finish reports are judged by
 *     fence and claim id alone, never by the instance that was given the job; a hold of a new instance moves the claim to
 *     it. Only a claim that the successor does not hold is for the server to end: what was still `preparing` (the
 *     successor drops it, the task waits again), and a started one whose directory is gone (`error`, "runner lost").
 *   - A runner that drains lets go of its lock at once, so that the next one can start while it ends its tasks: two
 *     instances of one runner then live side by side. The newer one names the older in `alongside`; an instance that is named there
 *     is not dead, whatever its successor holds, and only silence can end its claims.
 *   - A task is claimed at most 3 times.
 *
 * TWO KINDS OF WORK come from sync: a *task*, and a *probe*: a short question that only a runner may answer because
 * it runs git with a user's text (remote head of a branch, test of a repository). A probe has no task row, at most 30 s and
 * 64 kB of result, and is asked once more when its runner is lost.
 *
 * WHO SPEAKS. An instance belongs to the runner whose token first named it: anybody else who names it gets `401`.
 *
 * SEALING. Work is encrypted to the instance's X25519 public key (see `sealInfo`), so that a proxy that ends TLS, a
 * request log or a database dump does not show secrets. It is not isolation on one machine.
 *
 * VERSIONS. The server speaks `protocolVersion` and the one before. An older runner gets 426 `runner_outdated`.
 */
import * as z from 'zod/mini';
import { Id } from './fields.ts';
import { Plan } from './plan.ts';

export const protocolVersion = 1;
export const runnerTokenHeader = 'x-runner-token';
/** How long a server holds a sync that has nothing to say, in milliseconds. */
export const syncHoldMs = 10_000;
/** HKDF info of a sealed job; salt is ephemeral public key, then the instance's public key; cipher AES-256-GCM. */
export const sealInfo = 'signalbox job v1';
/** Largest log upload in bytes. */
export const logRequestLimit = 256 * 1024;
export const maxClaims = 3;

const Claim = { task_id: Id, fence: z.int(), claim_id: z.string() };

/** How the processes of a task can be found and ended; best first. Shown on the runners page. */
export const strayModes = ['cgroup', 'uid', 'scan'] as const;
export const StrayMode = z.enum(strayModes);
export type StrayMode = z.infer<typeof StrayMode>;

export const Tool = z.object({ name: z.string(), path: z.string(), version: z.string() });
export type Tool = z.infer<typeof Tool>;

export const Machine = z.object({
  hostname: z.string(),
  platform: z.string(),
  user: z.string(),
  stray_mode: StrayMode,
  tools: z.array(Tool),
});
export type Machine = z.infer<typeof Machine>;

/** preparing: no process of the tool yet. ended: the tool is gone, log or finish report still on their way. */
export const HoldPhase = z.enum(['preparing', 'running', 'waiting_confirmation', 'ended']);
export type HoldPhase = z.infer<typeof HoldPhase>;

export const Hold = z.object({ ...Claim, phase: HoldPhase, next_line: z.int() });
export type Hold = z.infer<typeof Hold>;

export const ProbeAnswer = z.object({
  probe_id: z.string(),
  ok: z.boolean(),
  /** What was found (a commit hash), or one sentence on why not. */
  text: z.string().check(z.maxLength(65_536)),
});
export type ProbeAnswer = z.infer<typeof ProbeAnswer>;

export const SyncRequest = z.object({
  protocol: z.int(),
  version: z.string(),
  instance: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** Raw X25519 public key, base64. */
  public_key: z.string(),
  machine: Machine,
  /**
   * Tasks it could take when this sync was sent; null = no limit of its own. A sync is never cut short to correct it: the
   * server adds the tasks of this instance whose finish it has taken since.
   */
  free: z.nullable(z.int()),
  draining: z.boolean(),
  holds: z.array(Hold),
  probe_answers: z.array(ProbeAnswer),
  /** `batch` of the last answer that arrived; 0 at first. */
  seen: z.int(),
  /** Older instances of this runner whose process still lives, because they drain. Their claims are not its own. */
  alongside: z.optional(z.array(z.string())),
});
export type SyncRequest = z.infer<typeof SyncRequest>;

/** Associated data of a sealed job. The bytes are its UTF-8. */
export function sealAad(claim: { task_id: number; claim_id: string; fence: number }, instance: string): string {
  return `${claim.task_id}:${claim.claim_id}:${claim.fence}:${instance}`;
}

/** Associated data of a sealed probe. The bytes are its UTF-8. */
export function sealProbeAad(probeId: string, instance: string): string {
  return `probe:${probeId}:${instance}`;
}

/**
 * What is encrypted, all in base64. `ephemeral`: the sender's raw X25519 public key, fresh for each box. Key: HKDF-SHA256 of the
 * shared secret, salt = ephemeral public key, then the instance's public key (raw, 64 bytes), info = `sealInfo`, 32 bytes.
 * `nonce`: 12 bytes. `box`: ciphertext, then the 16 bytes of the AES-256-GCM tag. The text is the JSON of a `Job` or a `Probe`.
 */
export const Sealed = z.object({ ephemeral: z.string(), nonce: z.string(), box: z.string() });
export type Sealed = z.infer<typeof Sealed>;

/** A job on the wire: its fence in clear (it is the associated data of the box), the rest sealed. */
export const SealedJob = z.object({ ...Claim, sealed: Sealed });
export type SealedJob = z.infer<typeof SealedJob>;
export const SealedProbe = z.object({ probe_id: z.string(), sealed: Sealed });
export type SealedProbe = z.infer<typeof SealedProbe>;

export const Command = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['stop', 'force', 'confirm', 'reject', 'forget']), ...Claim }),
  z.object({ kind: z.literal('drain') }),
]);
export type Command = z.infer<typeof Command>;

export const SyncAnswer = z.object({
  batch: z.int(),
  jobs: z.array(SealedJob),
  probes: z.array(SealedProbe),
  commands: z.array(Command),
  /** Probe answers that arrived and need not be sent again. */
  probes_done: z.array(z.string()),
  /**
   * Base URLs that this server knows: as yet its own alone. A runner keeps to the addresses that it was set up with; several of
   * them in turn are for remote runners.
   */
  servers: z.array(z.string()),
});
export type SyncAnswer = z.infer<typeof SyncAnswer>;

export const Outcome = z.enum(['success', 'error', 'stopped']);
export type Outcome = z.infer<typeof Outcome>;

/** The end of a log: lines, bytes and the running CRC-32 after the last line. See `log-frame.ts`. */
export const LogSeal = z.object({ lines: z.int(), bytes: z.int(), crc: z.int() });
export type LogSeal = z.infer<typeof LogSeal>;

export const Report = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    ...Claim,
    /** The commit of the tree that is about to run; null for a plain directory. */
    commit_hash: z.nullable(z.string()),
    commit_message: z.string(),
  }),
  z.object({
    kind: z.literal('plan'),
    ...Claim,
    plan: Plan,
    /** Whether the launch has approved it already, so that nobody is waited for. */
    approved: z.boolean(),
  }),
  z.object({ kind: z.literal('resume'), ...Claim }),
  z.object({
    kind: z.literal('finish'),
    ...Claim,
    outcome: Outcome,
    /** One sentence for a person when it is not a success; empty otherwise. */
    reason: z.string(),
    exit_code: z.nullable(z.int()),
    /** Processes that were left behind and had to be ended. */
    strays: z.int(),
    seal: LogSeal,
  }),
]);
export type Report = z.infer<typeof Report>;

export const ReportsRequest = z.object({
  instance: z.string(),
  /** Several tasks in one request: one is in flight at a time, the rest waits and goes together. */
  reports: z.array(Report).check(z.maxLength(256)),
  /**
   * The same answers as in the next sync, sent at once because a person waits for them while a sync is still held. The runner
   * goes on repeating them in its syncs until `probes_done` names them; a probe id that is not open any more is ignored.
   */
  probe_answers: z.optional(z.array(ProbeAnswer)),
});
export type ReportsRequest = z.infer<typeof ReportsRequest>;

/** The answers in the order of the reports. `forget`: the claim is not yours any more. */
export const ReportAnswer = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.enum(['run', 'wait', 'stop', 'done', 'forget']), task_id: Id }),
  z.object({ verdict: z.literal('log_incomplete'), task_id: Id, next_line: z.int() }),
]);
export type ReportAnswer = z.infer<typeof ReportAnswer>;

export const ReportsAnswer = z.object({ answers: z.array(ReportAnswer) });
export type ReportsAnswer = z.infer<typeof ReportsAnswer>;

/** Answer to a log upload: per task, the next line that the server wants; `forget` when the claim is not held any more. */
export const LogAnswer = z.object({
  tasks: z.array(z.object({ task_id: Id, next_line: z.int(), forget: z.boolean() })),
});
export type LogAnswer = z.infer<typeof LogAnswer>;
