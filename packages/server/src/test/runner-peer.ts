import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { crc32, zstdCompressSync } from 'node:zlib';
import type { Job, Probe } from '@signalbox/contract/job';
import { encodeFrame, encodeLineTable, joinChunk } from '@signalbox/contract/log-frame';
import {
  type Hold,
  type HoldPhase,
  type LogAnswer,
  type LogSeal,
  protocolVersion,
  type Report,
  type ReportAnswer,
  type Sealed,
  type SyncAnswer,
  type SyncRequest,
  sealAad,
  sealInfo,
  sealProbeAad,
} from '@signalbox/contract/runner-protocol';

export type Claim = { task_id: number; fence: number; claim_id: string };
type Finish = Extract<Report, { kind: 'finish' }>;

/**
 * A runner as the server sees it: it speaks the protocol over real HTTP, written from the protocol's text alone, and does
 * only what a test tells it to.
 */
export class RunnerPeer {
  readonly instance = randomBytes(16).toString('hex');
  readonly #token: string;
  readonly #urls: string[];
  #keys = generateKeyPairSync('x25519');
  readonly holds = new Map<number, Hold>();
  readonly jobs = new Map<number, Job>();
  readonly probes: Probe[] = [];
  free: number | null = null;
  seen = 0;
  protocol: number = protocolVersion;
  version = '0.1.0';
  draining = false;
  alongside: string[] | undefined;
  readonly #claims = new Map<number, Claim>();
  readonly #logs = new Map<number, { next: number; bytes: number; crc: number }>();

  constructor(token: string, ...urls: string[]) {
    this.#token = token;
    this.#urls = urls;
  }

  get #publicKey(): Buffer {
    return Buffer.from(String(this.#keys.publicKey.export({ format: 'jwk' }).x), 'base64url');
  }

  /** Also of a task that was forgotten since. */
  claimOf(taskId: number): Claim | undefined {
    return this.#claims.get(taskId);
  }

  /** Proves itself with the private key of a registration instead of one of its own. */
  takeKey(pem: string): this {
    const privateKey = createPrivateKey(pem);
    this.#keys = { privateKey, publicKey: createPublicKey(privateKey) };
    return this;
  }

  /** Finds the server under another address. */
  at(url: string): this {
    this.#urls.splice(0, this.#urls.length, url);
    return this;
  }

  /** What the next sync says. */
  request(change: Partial<SyncRequest> = {}): SyncRequest {
    return {
      protocol: this.protocol,
      version: this.version,
      instance: this.instance,
      public_key: this.#publicKey.toString('base64'),
      machine: { hostname: 'peer', platform: 'linux', user: 'peer', stray_mode: 'scan', tools: [] },
      free: this.free,
      draining: this.draining,
      holds: [...this.holds.values()],
      probe_answers: [],
      seen: this.seen,
      ...(this.alongside === undefined ? {} : { alongside: this.alongside }),
      ...change,
    };
  }

  /** Sends a sync and takes its answer to heart. */
  async sync(change: Partial<SyncRequest> = {}, signal?: AbortSignal): Promise<SyncAnswer> {
    const answer = await this.ask(change, signal);
    this.take(answer);
    return answer;
  }

  /** Sends a sync and loses its answer. */
  async ask(change: Partial<SyncRequest> = {}, signal?: AbortSignal): Promise<SyncAnswer> {
    return (await this.post('sync', this.request(change), signal)) as SyncAnswer;
  }

  take(answer: SyncAnswer): void {
    this.seen = answer.batch;
    for (const { sealed, ...claim } of answer.jobs) {
      const job = JSON.parse(this.open(sealed, sealAad(claim, this.instance))) as Job;
      this.jobs.set(job.task_id, job);
      this.#claims.set(job.task_id, claim);
      this.holds.set(job.task_id, { ...claim, phase: 'preparing', next_line: 1 });
      this.#logs.set(job.task_id, { next: 1, bytes: 0, crc: 0 });
    }
    for (const { probe_id: id, sealed } of answer.probes) {
      this.probes.push(JSON.parse(this.open(sealed, sealProbeAad(id, this.instance))) as Probe);
    }
    for (const command of answer.commands) if (command.kind === 'forget') this.holds.delete(command.task_id);
  }

  open(sealed: Sealed, associated: string): string {
    const ephemeral = Buffer.from(sealed.ephemeral, 'base64');
    const key = { kty: 'OKP', crv: 'X25519', x: ephemeral.toString('base64url') };
    const shared = diffieHellman({
      privateKey: this.#keys.privateKey,
      publicKey: createPublicKey({ key, format: 'jwk' }),
    });
    const secret = Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, this.#publicKey]), sealInfo, 32));
    const box = Buffer.from(sealed.box, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(sealed.nonce, 'base64'));
    decipher.setAAD(Buffer.from(associated));
    decipher.setAuthTag(box.subarray(-16));
    return decipher.update(box.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
  }

  claim(taskId: number): Claim {
    const hold = this.holds.get(taskId);
    if (hold === undefined) throw new Error(`Task ${taskId} is not held`);
    return { task_id: taskId, fence: hold.fence, claim_id: hold.claim_id };
  }

  setPhase(taskId: number, phase: HoldPhase): void {
    const hold = this.holds.get(taskId);
    if (hold !== undefined) this.holds.set(taskId, { ...hold, phase });
  }

  /** The hold of another instance, as a successor finds it in the journal. */
  inherit(hold: Hold, log: { next: number; bytes: number; crc: number }): void {
    this.holds.set(hold.task_id, { ...hold, phase: 'ended' });
    this.#logs.set(hold.task_id, log);
  }

  logOf(taskId: number): { next: number; bytes: number; crc: number } {
    return this.#logs.get(taskId) ?? { next: 1, bytes: 0, crc: 0 };
  }

  async start(taskId: number): Promise<ReportAnswer | undefined> {
    const [answer] = await this.report({
      kind: 'start',
      ...this.claim(taskId),
      commit_hash: 'c'.repeat(40),
      commit_message: 'Subject',
    });
    if (answer?.verdict === 'run') this.setPhase(taskId, 'running');
    return answer;
  }

  async finish(taskId: number, change: Partial<Finish> = {}): Promise<ReportAnswer | undefined> {
    const [answer] = await this.report({
      kind: 'finish',
      ...this.claim(taskId),
      outcome: 'success',
      reason: '',
      exit_code: 0,
      strays: 0,
      seal: this.sealOf(taskId),
      ...change,
    });
    if (answer?.verdict === 'done' || answer?.verdict === 'forget') this.holds.delete(taskId);
    return answer;
  }

  sealOf(taskId: number): LogSeal {
    const { next, bytes, crc } = this.logOf(taskId);
    return { lines: next - 1, bytes, crc };
  }

  async report(...reports: Report[]): Promise<ReportAnswer[]> {
    const answer = await this.post('reports', { instance: this.instance, reports });
    return (answer as { answers: ReportAnswer[] }).answers;
  }

  /** Cuts lines into one frame, as the next ones of the task's log. */
  frame(taskId: number, lines: readonly string[]): Uint8Array {
    const log = this.logOf(taskId);
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const time = Date.now();
    const table = encodeLineTable(time, { times: lines.map(() => time), continued: lines.map(() => false) });
    const data = zstdCompressSync(joinChunk(table, text));
    const crc = crc32(text, log.crc);
    const header = {
      ...this.claim(taskId),
      first: log.next,
      count: lines.length,
      bytes: text.length,
      crc,
      time,
      size: data.length,
      gap: null,
    };
    this.#logs.set(taskId, { next: log.next + lines.length, bytes: log.bytes + text.length, crc });
    return encodeFrame(header, data);
  }

  async write(taskId: number, ...lines: string[]): Promise<LogAnswer> {
    return await this.upload(this.frame(taskId, lines));
  }

  async upload(...frames: Uint8Array[]): Promise<LogAnswer> {
    return (await this.post('log', Buffer.concat(frames))) as LogAnswer;
  }

  /** @throws with the status and the error body of a refusal */
  async post(call: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    const isBinary = body instanceof Uint8Array;
    const [url] = this.#urls;
    const answer = await fetch(`${url}/api/internal/runners/${call}`, {
      method: 'POST',
      headers: {
        'x-runner-token': this.#token,
        'content-type': isBinary ? 'application/octet-stream' : 'application/json',
      },
      body: isBinary ? new Uint8Array(body) : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
