import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, zstdDecompressSync } from 'node:zlib';
import type { Job, Probe } from '@signalbox/contract/job';
import { decodeFrames, decodeLineTable, type FrameHeader, splitChunk } from '@signalbox/contract/log-frame';
import {
  type Command,
  type LogAnswer,
  type ProbeAnswer,
  type Report,
  type ReportAnswer,
  ReportsRequest,
  type SyncAnswer,
  SyncRequest,
  sealAad,
  sealProbeAad,
} from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import { seal } from './seal.ts';

export type Finish = Extract<Report, { kind: 'finish' }>;
export type Start = Extract<Report, { kind: 'start' }>;
export type PlanReport = Extract<Report, { kind: 'plan' }>;

/** What the server knows of one claim. */
export type Track = {
  job: Job;
  fence: number;
  claimId: string;
  /** Instance that it was handed to. */
  instance: string | null;
  isForgotten: boolean;
  stop: 'stop' | 'force' | null;
  next: number;
  crc: number;
  bytes: number;
  lines: { text: Buffer; continued: boolean; time: number }[];
  gaps: { first: number; count: number; reason: string }[];
  start: Start | null;
  plan: PlanReport | null;
  decision: 'confirm' | 'reject' | null;
  /** How often the runner asked to go on after a confirmation. */
  resumed: number;
  finish: Finish | null;
};

function decodeOrNull(body: Buffer): ReturnType<typeof decodeFrames> | null {
  try {
    return decodeFrames(body);
  } catch {
    return null; // it is the runner's to send it again
  }
}

type Held = { request: SyncRequest; response: ServerResponse; timer: NodeJS.Timeout };

/** A small server that speaks the runner protocol, with nothing behind it but memory. It checks what it is sent. */
export class ProtocolServer extends EventEmitter {
  readonly token = randomBytes(16).toString('hex');
  readonly tracks = new Map<number, Track>();
  readonly probeAnswers = new Map<string, ProbeAnswer>();
  readonly problems: string[] = [];
  readonly syncs: SyncRequest[] = [];
  logRequests = 0;
  isDraining = false;
  sealsWrongly = false;
  holdMs = 10_000;
  /** Answers of log uploads are cut off this many times. */
  dropLogAnswers = 0;
  refuseWith: number | null = null;
  /** A request with such a report is refused as a whole. */
  refusesReport: (report: Report) => boolean = () => false;
  base = '';
  #server: Server | null = null;
  #held: Held | null = null;
  #waiting: Track[] = [];
  #probes: Probe[] = [];
  #batch = 0;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.base}`;
  }

  async listen(port = 0): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.problems.push(String(error));
        response.writeHead(500).end('{}');
      });
    });
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#held = null;
    if (this.#server !== null) await once(this.#server, 'close');
    this.#server = null;
  }

  /** Queues a job. @returns its track */
  add(job: Job): Track {
    const track: Track = {
      job,
      fence: 1,
      claimId: randomBytes(8).toString('hex'),
      instance: null,
      isForgotten: false,
      stop: null,
      next: 1,
      crc: 0,
      bytes: 0,
      lines: [],
      gaps: [],
      start: null,
      plan: null,
      decision: null,
      resumed: 0,
      finish: null,
    };
    this.tracks.set(job.task_id, track);
    this.#waiting.push(track);
    this.#answerHeld();
    return track;
  }

  addProbe(probe: Probe): void {
    this.#probes.push(probe);
    this.#answerHeld();
  }

  decide(track: Track, decision: 'confirm' | 'reject'): void {
    track.decision = decision;
    this.#answerHeld(true);
  }

  stop(track: Track, kind: 'stop' | 'force'): void {
    track.stop = kind;
    this.#answerHeld();
  }

  forget(track: Track): void {
    track.isForgotten = true;
    this.#answerHeld();
  }

  drain(): void {
    this.isDraining = true;
    this.#answerHeld();
  }

  /** Waits for something to become true; checked after each request. */
  async until(check: () => boolean, timeout = 20_000): Promise<void> {
    const signal = AbortSignal.timeout(timeout);
    while (!check()) await once(this, 'change', { signal });
  }

  async finished(track: Track, timeout = 20_000): Promise<Finish> {
    await this.until(() => track.finish !== null, timeout);
    if (track.finish === null) throw new Error('not finished');
    return track.finish;
  }

  textOf(track: Track): string {
    return track.lines.map((line) => line.text.toString('utf8') + (line.continued ? '' : '\n')).join('');
  }

  /** The server loses the end of a log, as after a power failure. */
  loseAfter(track: Track, lines: number): void {
    track.lines.length = lines;
    track.next = lines + 1;
    track.crc = 0;
    track.bytes = 0;
    for (const line of track.lines) this.#sum(track, line);
  }

  #sum(track: Track, line: { text: Buffer; continued: boolean }): void {
    const bytes = line.continued ? line.text : Buffer.concat([line.text, Buffer.from('\n')]);
    track.crc = crc32(bytes, track.crc);
    track.bytes += bytes.length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts);
    const path = (request.url ?? '').slice(this.base.length).replace('/api/internal/runners', '');
    if (this.refuseWith !== null || request.headers['x-runner-token'] !== this.token) {
      response.writeHead(this.refuseWith ?? 401).end(JSON.stringify({ error: 'no', code: 'unauthenticated' }));
      return;
    }
    if (path === '/sync') this.#sync(z.parse(SyncRequest, JSON.parse(body.toString())), response);
    else if (path === '/reports') this.#reports(z.parse(ReportsRequest, JSON.parse(body.toString())), response);
    else if (path === '/log') this.#log(body, response);
    else response.writeHead(404).end('{}');
    this.emit('change');
  }

  #sync(request: SyncRequest, response: ServerResponse): void {
    this.syncs.push(request);
    for (const answer of request.probe_answers) this.probeAnswers.set(answer.probe_id, answer);
    const timer = setTimeout(() => this.#answerHeld(true), this.holdMs);
    this.#held = { request, response, timer };
    this.#answerHeld();
  }

  #answerHeld(isDue = false): void {
    const held = this.#held;
    if (held === null) return;
    const { request, response, timer } = held;
    const commands = this.#listCommands(request);
    const done = request.probe_answers.map((answer) => answer.probe_id);
    const isEmpty = commands.length + this.#waiting.length + this.#probes.length + done.length === 0;
    if (isEmpty && !isDue) return;
    clearTimeout(timer);
    this.#held = null;
    this.#batch += 1;
    const free = request.draining ? 0 : (request.free ?? Number.POSITIVE_INFINITY);
    const jobs = this.#waiting.splice(0, Math.min(free, this.#waiting.length));
    const answer: SyncAnswer = {
      batch: this.#batch,
      jobs: jobs.map((track) => {
        track.instance = request.instance;
        const claim = { task_id: track.job.task_id, fence: track.fence, claim_id: track.claimId };
        return {
          ...claim,
          sealed: seal(
            request.public_key,
            JSON.stringify(track.job),
            sealAad(claim, this.sealsWrongly ? 'another' : request.instance),
          ),
        };
      }),
      probes: this.#probes.splice(0).map((probe) => ({
        probe_id: probe.probe_id,
        sealed: seal(request.public_key, JSON.stringify(probe), sealProbeAad(probe.probe_id, request.instance)),
      })),
      commands,
      probes_done: done,
      servers: [this.url],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #listCommands(request: SyncRequest): Command[] {
    const commands: Command[] = this.isDraining && !request.draining ? [{ kind: 'drain' }] : [];
    for (const { task_id, fence, claim_id, phase } of request.holds) {
      const track = this.tracks.get(task_id);
      if (track === undefined || track.isForgotten) commands.push({ kind: 'forget', task_id, fence, claim_id });
      else if (track.stop !== null && phase !== 'ended') commands.push({ kind: track.stop, task_id, fence, claim_id });
      else if (track.decision !== null && phase === 'waiting_confirmation')
        commands.push({ kind: track.decision, task_id, fence, claim_id });
    }
    return commands;
  }

  #reports(request: ReportsRequest, response: ServerResponse): void {
    for (const answer of request.probe_answers ?? []) this.probeAnswers.set(answer.probe_id, answer);
    if (request.reports.some(this.refusesReport)) {
      response.writeHead(400).end(JSON.stringify({ error: 'bad report', code: 'invalid' }));
      return;
    }
    const answers = request.reports.map((report) => this.#report(report));
    response.writeHead(200).end(JSON.stringify({ answers }));
  }

  #report(report: Report): ReportAnswer {
    const { task_id } = report;
    const track = this.tracks.get(task_id);
    if (track === undefined || track.isForgotten || track.claimId !== report.claim_id)
      return { verdict: 'forget', task_id };
    return report.kind === 'finish' ? this.#finish(track, report) : this.#permit(track, report);
  }

  #permit(track: Track, report: Exclude<Report, Finish>): ReportAnswer {
    const { task_id } = report;
    if (track.finish !== null) return { verdict: 'forget', task_id };
    if (track.stop !== null) return { verdict: 'stop', task_id };
    if (report.kind === 'start') track.start = report;
    if (report.kind === 'plan') track.plan = report;
    if (report.kind === 'resume') track.resumed += 1;
    return { verdict: report.kind === 'plan' && !report.approved ? 'wait' : 'run', task_id };
  }

  #finish(track: Track, report: Finish): ReportAnswer {
    const { task_id } = report;
    if (track.next !== report.seal.lines + 1) return { verdict: 'log_incomplete', task_id, next_line: track.next };
    const isWhole = track.crc === report.seal.crc && track.bytes === report.seal.bytes;
    if (!isWhole) this.problems.push(`the seal of task ${task_id} does not fit`);
    if (track.finish !== null && JSON.stringify(track.finish) !== JSON.stringify(report))
      this.problems.push('two endings');
    track.finish = report;
    return { verdict: 'done', task_id };
  }

  #log(body: Buffer, response: ServerResponse): void {
    this.logRequests += 1;
    if (body.length > 256 * 1024) this.problems.push(`an upload of ${body.length} bytes`);
    const touched = new Map<number, boolean>();
    const frames = decodeOrNull(body);
    if (frames === null) {
      response.writeHead(400).end(JSON.stringify({ error: 'no frames', code: 'invalid' }));
      return;
    }
    for (const { header, data } of frames) {
      const track = this.tracks.get(header.task_id);
      const isOurs = track !== undefined && !track.isForgotten && track.claimId === header.claim_id;
      touched.set(header.task_id, !isOurs);
      if (isOurs) this.#store(track, header, data);
    }
    if (this.dropLogAnswers > 0) {
      this.dropLogAnswers -= 1;
      response.destroy();
      return;
    }
    const tasks = [...touched].map(([task_id, forget]) => ({
      task_id,
      forget,
      next_line: this.tracks.get(task_id)?.next ?? 1,
    }));
    response.writeHead(200).end(JSON.stringify({ tasks } satisfies LogAnswer));
  }

  #store(track: Track, header: FrameHeader, data: Uint8Array): void {
    const end = header.first + header.count;
    if (header.first > track.next || end <= track.next) return;
    if (header.gap !== null) {
      track.gaps.push({ first: track.next, count: end - track.next, reason: header.gap });
      for (; track.next < end; track.next += 1)
        track.lines.push({ text: Buffer.alloc(0), continued: true, time: header.time });
      return;
    }
    const { table, text } = splitChunk(zstdDecompressSync(data));
    const { times, continued } = decodeLineTable(table, header.time, header.count);
    let position = 0;
    for (let index = 0; index < header.count; index += 1) {
      const stop = text.indexOf(10, position);
      const line = {
        text: Buffer.from(text.subarray(position, stop)),
        continued: continued[index] ?? false,
        time: times[index] ?? 0,
      };
      position = stop + 1;
      if (header.first + index < track.next) continue;
      track.lines.push(line);
      track.next += 1;
      this.#sum(track, line);
    }
    if (position !== text.length) this.problems.push('a chunk has more text than lines');
    if (track.crc !== header.crc) this.problems.push(`the checksum after line ${end - 1} does not fit`);
  }
}
