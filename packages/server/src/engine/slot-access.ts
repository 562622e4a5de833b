import { chmodSync, readFileSync, statSync } from 'node:fs';

/** Users that an installer makes for tasks; the runner looks for the same names. */
const slotUser = /^signalbox-slot-\d+:/m;
/** Others may pass through a directory, and neither list it nor write to it. */
const passage = 0o011;

/**
 * Lets tasks that run as slot users reach their own directories, which lie below the data directory. Its files stay closed
 * to them: each is 0600 of the server's user. Where there are no such users nothing is opened.
 */
export function openToSlotUsers(dataDir: string, passwdFile = '/etc/passwd'): void {
  if (process.getuid?.() !== 0 || !slotUser.test(readFileSync(passwdFile, 'utf8'))) return;
  chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | passage);
}
