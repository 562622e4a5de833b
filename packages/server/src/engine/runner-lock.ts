import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/**
 * Whether a runner holds the kernel lock of its data directory: then it lives, whether or not it answers. Looking takes the
 * lock for a moment where it is free, so this is asked only when the answer decides something.
 */
export function isRunnerLockHeld(runnerDir: string): boolean {
  const file = path.join(runnerDir, 'lock.db');
  if (!existsSync(file)) return false;
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive; rollback');
    return false;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return true;
    throw error;
  } finally {
    lock.close();
  }
}
