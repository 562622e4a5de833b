import type { LiveLine } from '@signalbox/contract/live';
import type { LiveConnection } from './live-connection.ts';
import type { LogGrowth } from './log-upload.ts';

const linesPerSecond = 500;
const tickMs = 100;

type Backlog = { projectId: number; from: number; next: number };
type Reader = { budget: number; skipped: number; skippedOf: { taskId: number; projectId: number } | undefined };

/**
 * Lines for clients of the older product, which subscribe to nothing and get every line of all their projects: at most 500
 * a second, then one line that says how many were left out.
 */
export class LegacyFeed {
  readonly #read: (taskId: number, from: number, count: number) => Promise<LiveLine[]>;
  readonly #readers = new Map<LiveConnection, Reader>();
  readonly #backlog = new Map<number, Backlog>();
  #timer: NodeJS.Timeout | undefined;
  #secondEnds = 0;
  #isRunning = false;

  constructor(read: (taskId: number, from: number, count: number) => Promise<LiveLine[]>) {
    this.#read = read;
  }

  get isWanted(): boolean {
    return this.#readers.size > 0;
  }

  add(connection: LiveConnection): void {
    this.#readers.set(connection, { budget: linesPerSecond, skipped: 0, skippedOf: undefined });
  }

  remove(connection: LiveConnection): void {
    this.#readers.delete(connection);
    if (this.#readers.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#backlog.clear();
  }

  note(growth: readonly LogGrowth[]): void {
    if (!this.isWanted) return;
    for (const { taskId, projectId, first, next } of growth) {
      const known = this.#backlog.get(taskId);
      if (known === undefined) this.#backlog.set(taskId, { projectId, from: first, next });
      else known.next = Math.max(known.next, next);
    }
    this.#timer ??= setInterval(() => void this.#tick(), tickMs);
  }

  async #tick(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#endSecond();
      for (const [taskId, backlog] of this.#backlog) await this.#feed(taskId, backlog);
      if (this.#isIdle()) this.stop();
    } catch {
      // The store did not answer: these clients read the whole log when they come back.
      for (const connection of this.#readers.keys()) connection.close(1011, 'Try again');
    } finally {
      this.#isRunning = false;
    }
  }

  #isIdle(): boolean {
    const hasBacklog = [...this.#backlog.values()].some(({ from, next }) => from < next);
    return !hasBacklog && [...this.#readers.values()].every(({ skipped }) => skipped === 0);
  }

  async #feed(taskId: number, backlog: Backlog): Promise<void> {
    const count = backlog.next - backlog.from;
    if (count <= 0) return;
    const lines = await this.#read(taskId, backlog.from, Math.min(count, linesPerSecond));
    backlog.from = backlog.next;
    for (const [connection, reader] of this.#readers) {
      if (!(await connection.maySee(backlog.projectId))) continue;
      const shown = connection.isSlow ? [] : lines.slice(0, reader.budget);
      for (const line of shown) sendLine(connection, taskId, backlog.projectId, line);
      reader.budget -= shown.length;
      if (count === shown.length) continue;
      reader.skipped += count - shown.length;
      reader.skippedOf = { taskId, projectId: backlog.projectId };
    }
  }

  async #endSecond(): Promise<void> {
    const now = performance.now();
    if (now < this.#secondEnds) return;
    this.#secondEnds = now + 1000;
    for (const [connection, reader] of this.#readers) {
      const { skipped, skippedOf } = reader;
      reader.budget = linesPerSecond;
      reader.skipped = 0;
      if (skipped === 0 || skippedOf === undefined || !(await connection.maySee(skippedOf.projectId))) continue;
      const output = `${skipped} lines skipped here, read the log`;
      const time = new Date().toISOString();
      connection.send({ type: 'log', task_id: skippedOf.taskId, project_id: skippedOf.projectId, output, time });
    }
  }
}

function sendLine(connection: LiveConnection, taskId: number, projectId: number, line: LiveLine): void {
  connection.send({ type: 'log', task_id: taskId, project_id: projectId, output: line.output, time: line.time });
}
