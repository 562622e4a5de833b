import { LogAnswer, logRequestLimit } from '@signalbox/contract/runner-protocol';
import type { TaskLog } from '../log/task-log.ts';
import { Backoff } from './pause.ts';
import type { ServerLink } from './server-link.ts';

const timeoutMs = 30_000;

export type LogSource = {
  taskId: number;
  log: TaskLog;
  /** The server took lines; or lost some, then its wish is lower than before. */
  onAcknowledged: () => void;
  onForgotten: () => void;
};

/** Sends the logs of all tasks: one request in flight, frames of several tasks together, each task in its turn. */
export class LogUploader {
  readonly #link: ServerLink;
  readonly #stopped = new AbortController();
  #sources: LogSource[] = [];
  #isBusy = false;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  add(source: LogSource): void {
    this.#sources.push(source);
    this.wake();
  }

  remove(source: LogSource): void {
    this.#sources = this.#sources.filter((candidate) => candidate !== source);
  }

  wake(): void {
    if (this.#isBusy || this.#stopped.signal.aborted) return;
    this.#isBusy = true;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    const backoff = new Backoff();
    while (!this.#stopped.signal.aborted) {
      const frames = this.#collect();
      if (frames.length === 0) break;
      try {
        const answer = await this.#link.postBytes('/log', Buffer.concat(frames), LogAnswer, {
          timeoutMs,
          signal: this.#stopped.signal,
        });
        if (this.#take(answer)) backoff.reset();
        else await backoff.wait(this.#stopped.signal);
      } catch {
        // Whatever failed, nothing is lost: the next attempt sends from the last line that was acknowledged.
        await backoff.wait(this.#stopped.signal);
      }
    }
    this.#isBusy = false;
  }

  #collect(): Uint8Array[] {
    const frames: Uint8Array[] = [];
    let room = logRequestLimit;
    const count = this.#sources.length;
    for (let turn = 0; turn < count && room > 0; turn += 1) {
      const source = this.#sources[turn];
      if (source === undefined) break;
      for (const frame of source.log.readFrames(room)) {
        // The first frame of a source may be larger than what room is left: it waits, unless it is alone.
        if (frame.length > room && frames.length > 0) break;
        frames.push(frame);
        room -= frame.length;
      }
    }
    const first = this.#sources.shift();
    if (first !== undefined) this.#sources.push(first);
    return frames;
  }

  /** Answers whether anything moved. */
  #take(answer: LogAnswer): boolean {
    let moved = false;
    for (const { task_id, next_line, forget } of answer.tasks) {
      const source = this.#sources.find((candidate) => candidate.taskId === task_id);
      if (source === undefined) continue;
      if (forget) {
        source.onForgotten();
        moved = true;
        continue;
      }
      if (next_line !== source.log.wanted) moved = true;
      source.log.acknowledge(next_line);
      source.onAcknowledged();
    }
    return moved;
  }

  stop(): void {
    this.#stopped.abort();
  }
}
