import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** How long nothing may have been added before the trash is emptied. */
const quietMs = 2000;
/** Beyond these it is emptied at once. */
const mostKept = 5000;
const mostKeptBytes = 2 * 1024 ** 3;
/** With less room than this on the disk, nothing is kept. */
const lowBytes = 256 * 1024 ** 2;
/** Directories for one `rm`, well below the limit of an argument list. */
const mostAtOnce = 1000;

/**
 * Removes directories later and together. A tree may be large, and thousands of small calls in this process would hold up the
 * logs of other tasks; one `rm` for many directories costs next to nothing.
 *
 * Not while one task follows the other: ext4 gives no inode away again within a minute of its removal, and steps over all of
 * these, one by one, for each new file. Removing in between makes every new file ten times as dear.
 */
export class Trash {
  readonly #disk: string;
  readonly #onProblem: (text: string) => void;
  #paths: string[] = [];
  /** What was free on the disk when the trash was last empty. */
  #freeBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  /** @param disk a directory on the disk that fills */
  constructor(disk: string, onProblem: (text: string) => void) {
    this.#disk = disk;
    this.#onProblem = onProblem;
  }

  add(...paths: string[]): void {
    const free = this.#readFree();
    if (this.#paths.length === 0) this.#freeBytes = free;
    this.#paths.push(...paths);
    const isDue = this.#paths.length >= mostKept || this.#freeBytes - free > mostKeptBytes || free < lowBytes;
    if (isDue) this.#empty();
    else {
      this.#stopClock();
      this.#timer = setTimeout(() => this.#empty(), quietMs);
    }
  }

  /** Removes what a task needs no more at once where the disk is nearly full: so the next one finds the room that this one has taken. */
  async relieve(...paths: string[]): Promise<void> {
    if (this.#readFree() >= lowBytes) return;
    try {
      await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
    } catch (error) {
      this.#onProblem(`Could not make room: ${error instanceof Error ? error.message : error}`);
    }
  }

  #readFree(): number {
    const { bavail, bsize } = statfsSync(this.#disk);
    return bavail * bsize;
  }

  #stopClock(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #empty(): void {
    this.#stopClock();
    const paths = this.#paths;
    this.#paths = [];
    for (let from = 0; from < paths.length; from += mostAtOnce) {
      const some = paths.slice(from, from + mostAtOnce);
      this.#running = this.#running.then(() => this.#remove(some));
    }
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
