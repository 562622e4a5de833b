import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own, in memory: it is really full when it is. */
export class SmallDisk {
  readonly directory: string;

  constructor(directory: string, megabytes: number) {
    mkdirSync(directory, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', directory], { stdio: 'pipe' });
    this.directory = directory;
  }

  /** To the last byte. */
  fill(): void {
    const file = openSync(join(this.directory, 'filler'), 'w');
    const [large, small] = [Buffer.alloc(1024 * 1024), Buffer.alloc(512)];
    for (const block of [large, small]) while (hasRoomFor(file, block));
    closeSync(file);
  }

  makeRoom(): void {
    rmSync(join(this.directory, 'filler'), { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.directory], { stdio: 'pipe' });
  }
}

function hasRoomFor(file: number, block: Uint8Array): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/** Root may, but not in every container. */
export function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'sbr-mount-'));
  try {
    new SmallDisk(directory, 1).unmount();
    return true;
  } catch {
    return false; // no right to mount is the answer
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
