import type { Job } from '@signalbox/contract/job';
import type { Keyring } from '../db/secrets.ts';
import type { TaskRow } from './task-record.ts';

/** Tools that speak the protocol of Terraform's http backend. */
const stateApps = ['terraform', 'tofu'];

const placeOf = (taskId: number) => ({ table: 'task', column: 'claim_id', id: taskId });

/**
 * The way of one claim to the state of its template. The password is the sealed claim id: nothing is stored for it, nobody
 * else can make one, and it ends with the claim.
 */
export function makeStateAccess(keyring: Keyring, task: Pick<TaskRow, 'id' | 'claim_id'>, app: string): Job['state'] {
  if (!stateApps.includes(app) || task.claim_id === null) return null;
  return {
    path: `/terraform/tasks/${task.id}`,
    username: `task-${task.id}`,
    password: keyring.seal(task.claim_id, placeOf(task.id)),
  };
}

/** Whether a password is that of the claim under which the task is held now. */
export function isStatePassword(keyring: Keyring, task: Pick<TaskRow, 'id' | 'claim_id'>, password: string): boolean {
  if (task.claim_id === null) return false;
  try {
    return keyring.open(password, placeOf(task.id)) === task.claim_id;
  } catch {
    return false; // made up, of another task, or of a key that is gone
  }
}
