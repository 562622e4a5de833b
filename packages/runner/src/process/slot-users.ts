import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A user of the system that runs one task at a time and owns nothing else. */
export type SlotUser = { name: string; uid: number; gid: number };

const slotName = /^signalbox-slot-\d+$/;

/** The slot users that exist. @param names by default the ones that an installer or an image makes: signalbox-slot-0, -1, ... */
export function listSlotUsers(names: string[] | null): SlotUser[] {
  const users: SlotUser[] = [];
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name = '', , uid, gid] = line.split(':');
    const isSlot = names === null ? slotName.test(name) : names.includes(name);
    if (isSlot && Number(uid) > 0) users.push({ name, uid: Number(uid), gid: Number(gid) });
  }
  return users;
}

/** Whether another user can reach this directory: every one above it can be passed through. */
export function canBeReached(directory: string): boolean {
  for (let path = directory; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

export class SlotUsers {
  readonly #free: SlotUser[];

  constructor(users: SlotUser[]) {
    this.#free = [...users].reverse();
  }

  get free(): number {
    return this.#free.length;
  }

  take(): SlotUser {
    const user = this.#free.pop();
    if (user === undefined) throw new Error('no slot user is free');
    return user;
  }

  release(user: SlotUser): void {
    this.#free.push(user);
  }
}

/** Living processes of a user. */
export function isOwnedBy(pid: number, uid: number): boolean {
  try {
    const owner = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(owner) === uid;
  } catch {
    return false; // it is gone
  }
}

/** Ends every process of a user in one step that no fork can outrun: the kernel does it, asked by that user. */
export async function killAllOf(user: { uid: number; gid: number }): Promise<void> {
  const child = spawn('/bin/sh', ['-c', 'kill -9 -1'], { uid: user.uid, gid: user.gid, stdio: 'ignore', env: {} });
  await once(child, 'exit');
}
