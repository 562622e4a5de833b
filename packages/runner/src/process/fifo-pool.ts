import { execFile } from 'node:child_process';
import { constants, fchownSync, fstatSync, mkdirSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const batch = 32;
const low = 8;

/** Both ends of a FIFO that has no name any more. */
export type Fifo = { read: number; write: number; inode: bigint };

/**
 * FIFOs for the output of tools. One for stdout and stderr together keeps the order of what is written; and unlike the socket pairs
 * that Node makes, a FIFO can be opened again as /dev/stderr. They are made in batches: a process for each task would be too dear.
 */
export class FifoPool {
  readonly #directory: string;
  #names: string[] = [];
  #made = 0;
  #refill: Promise<void> | null = null;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  async prepare(): Promise<void> {
    this.#refill ??= this.#make();
    await this.#refill;
  }

  async #make(): Promise<void> {
    const names: string[] = [];
    for (let count = 0; count < batch; count += 1) {
      this.#made += 1;
      names.push(join(this.#directory, `${process.pid}-${this.#made}`));
    }
    try {
      await runFile('mkfifo', ['-m', '600', '--', ...names], { env: { PATH: '/usr/bin:/bin' } });
      this.#names.push(...names);
    } finally {
      this.#refill = null;
    }
  }

  /** @param owner who shall be able to open it again, as /dev/stderr */
  async take(owner: { uid: number; gid: number } | null): Promise<Fifo> {
    if (this.#names.length === 0) await this.prepare();
    else if (this.#names.length <= low) this.prepare().catch(() => undefined); // tried again, and told, when it is needed
    const name = this.#names.pop();
    // Another task took the last one while we waited.
    if (name === undefined) return this.take(owner);
    // The reading end first, without waiting for a writer; then the other one finds a reader and need not wait either.
    const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openSync(name, constants.O_WRONLY);
    unlinkSync(name);
    if (owner !== null) fchownSync(write, owner.uid, owner.gid);
    return { read, write, inode: fstatSync(read, { bigint: true }).ino };
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
