import { LogAnswer, logRequestLimit } from '@signalbox/contract/runner-protocol';
import type { TaskLog } from '../log/task-log.ts';
import { Backoff } from '../pause.ts';
import { Refused, type ServerLink } from './server-link.ts';

const timeoutMs = 30_000;
/** So often the same lines are sent before they are taken for damaged: about ten seconds. */
const mostFailures = 8;
const damaged = 'the copy of these lines on the disk of the runner is damaged';

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
  /** How often the server has not taken what a source sent. */
  readonly #failures = new Map<LogSource, number>();
  /** Requests that carry one source each, to find the one that the server refuses. */
  #turnsAlone = 0;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  add(source: LogSource): void {
    this.#sources.push(source);
    this.wake();
  }

  remove(source: LogSource): void {
    this.#sources = this.#sources.filter((candidate) => candidate !== source);
    this.#failures.delete(source);
  }

  wake(): void {
    if (this.#isBusy || this.#stopped.signal.aborted) return;
    this.#isBusy = true;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    const backoff = new Backoff();
    while (!this.#stopped.signal.aborted) {
      const { frames, senders } = this.#collect();
      if (frames.length === 0) break;
      try {
        const answer = await this.#link.postBytes('/log', Buffer.concat(frames), LogAnswer, {
          timeoutMs,
          signal: this.#stopped.signal,
        });
        if (this.#take(answer)) backoff.reset();
        else await backoff.wait(this.#stopped.signal);
      } catch (error) {
        // Whatever failed, nothing is lost: the next attempt sends from the last line that was acknowledged.
        if (error instanceof Refused && (error.status === 400 || error.status === 413)) this.#blame(senders);
        await backoff.wait(this.#stopped.signal);
      }
    }
    this.#isBusy = false;
  }

  #collect(): { frames: Uint8Array[]; senders: LogSource[] } {
    const frames: Uint8Array[] = [];
    const senders: LogSource[] = [];
    let room = logRequestLimit;
    for (const source of this.#sources) {
      if (room <= 0 || (this.#turnsAlone > 0 && senders.length > 0)) break;
      for (const frame of readFrames(source.log, room)) {
        // The first frame of a source may be larger than what room is left: it waits, unless it is alone.
        if (frame.length > room && frames.length > 0) break;
        frames.push(frame);
        room -= frame.length;
        if (senders.at(-1) !== source) senders.push(source);
      }
    }
    this.#turnsAlone = Math.max(0, this.#turnsAlone - 1);
    // Those who had their turn go to the end; one that has nothing to send has no turn to lose.
    const [first = this.#sources[0]] = senders;
    if (first !== undefined) this.#sources = [...this.#sources.filter((source) => source !== first), first];
    return { frames, senders };
  }

  /** One log that the server cannot take must not hold up all others. */
  #blame(senders: LogSource[]): void {
    this.#turnsAlone = this.#sources.length;
    const [only, ...others] = senders;
    if (only !== undefined && others.length === 0) this.#countFailure(only);
  }

  #countFailure(source: LogSource): void {
    const count = (this.#failures.get(source) ?? 0) + 1;
    this.#failures.set(source, count);
    if (count >= mostFailures) source.log.breakOff(damaged);
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
      if (next_line === source.log.wanted) this.#countFailure(source);
      else {
        this.#failures.delete(source);
        moved = true;
      }
      source.log.acknowledge(next_line);
      source.onAcknowledged();
    }
    return moved;
  }

  stop(): void {
    this.#stopped.abort();
  }
}

function readFrames(log: TaskLog, room: number): Uint8Array[] {
  try {
    return log.readFrames(room);
  } catch {
    // Shorter than it was, or gone: the log says from which line on.
    log.breakOff(damaged);
    return log.readFrames(room);
  }
}
