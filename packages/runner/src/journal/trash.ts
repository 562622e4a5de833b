import { execFile } from 'node:child_process';

const delayMs = 250;
const mostAtOnce = 64;

/**
 * Removes directories later and together. A tree may be large, and thousands of small calls in this process would hold up the
 * logs of other tasks; one `rm` for many directories costs next to nothing.
 */
export class Trash {
  readonly #onProblem: (text: string) => void;
  #paths: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(onProblem: (text: string) => void) {
    this.#onProblem = onProblem;
  }

  add(...paths: string[]): void {
    this.#paths.push(...paths);
    if (this.#paths.length >= mostAtOnce) this.#empty();
    else this.#timer ??= setTimeout(() => this.#empty(), delayMs);
  }

  #empty(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const paths = this.#paths;
    this.#paths = [];
    if (paths.length > 0) this.#running = this.#running.then(() => this.#remove(paths));
  }

  #remove(paths: string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    execFile('rm', ['-rf', '--', ...paths], { env: { PATH: '/usr/bin:/bin' } }, (error, _output, complaint) => {
      if (error !== null) this.#onProblem(`Could not remove all of ${paths.join(', ')}: ${complaint.trim()}`);
      resolve();
    });
    return promise;
  }

  /** Removes what is left, and waits for it. */
  async close(): Promise<void> {
    this.#empty();
    await this.#running;
  }
}
