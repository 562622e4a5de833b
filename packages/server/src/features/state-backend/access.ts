import { createHash, timingSafeEqual } from 'node:crypto';
import { isWorkspaceType } from '@signalbox/contract/inventories';
import { isFinal } from '@signalbox/contract/task-state';
import { countStateAttempt, forgiveAttempt } from '../../auth/login-limits.ts';
import type { Database, Db } from '../../db/database.ts';
import type { EventActor } from '../../db/events.ts';
import { isStatePassword } from '../../engine/state-access.ts';
import { openKey } from '../../engine/stored-secrets.ts';
import { AppError } from '../../errors.ts';
import { findAddress, findLock, findTaskOfState, findWorkspace, type StateOwner } from './queries.ts';

/** Who calls from where. */
export type StateCaller = { readonly authorization: string | undefined; readonly address: string };

/** A state, and in whose name it is used. */
export type OpenedState = {
  readonly owner: StateOwner;
  readonly taskId: number | null;
  /** By what people know it. */
  readonly name: string;
  readonly actor: EventActor;
};

function readBasic(header: string | undefined): { login: string; password: string } | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

const refusal = () => new AppError('unauthenticated', 'The login and the password of this state are needed');

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/**
 * The state of a task, for the tool that it runs. The password is good while the task is, and beyond its end for as long as it holds
 * the lock: a tool that outlived its runner writes what it has done, and nobody else can have changed the state meanwhile.
 *
 * @throws AppError
 */
export async function openStateOfTask(database: Database, taskId: number, caller: StateCaller): Promise<OpenedState> {
  const task = await findTaskOfState(database.read, taskId);
  const { password = '' } = readBasic(caller.authorization) ?? {};
  if (task === undefined || !isStatePassword(database.keyring, task, password)) throw refusal();
  const owner = await findOwner(database.read, task);
  if (isFinal(task.status) && (await findLock(database.read, owner))?.task_id !== taskId) {
    throw new AppError('forbidden', 'The task has ended, and does not hold the lock of its state any more');
  }
  const actor = { userId: null, address: caller.address };
  return { owner, taskId, name: task.template_name, actor };
}

type StateTask = NonNullable<Awaited<ReturnType<typeof findTaskOfState>>>;

/** A workspace that belongs to the template carries the state with it; else it is the template's own, under the same name. */
async function findOwner(db: Db, task: StateTask): Promise<StateOwner> {
  const { project_id: projectId, template_id: templateId } = task;
  const id = task.inventory_id ?? task.template_inventory_id;
  const found = id === null ? undefined : await findWorkspace(db, projectId, id);
  const workspace = found !== undefined && isWorkspaceType(found.type) ? found : undefined;
  const name = workspace?.inventory ?? 'default';
  if (workspace === undefined || workspace.template_id !== templateId) {
    return { projectId, workspace: name, inventoryId: null, templateId };
  }
  return { projectId, workspace: name, inventoryId: workspace.id, templateId: null };
}

/** The state behind an address that people give to their own Terraform. @throws AppError */
export async function openStateOfAddress(database: Database, alias: string, caller: StateCaller): Promise<OpenedState> {
  const basic = readBasic(caller.authorization);
  if (basic === undefined) throw refusal();
  const attempt = await countStateAttempt(database, alias, Date.now());
  const found = await findAddress(database.read, alias);
  const key = found && openKey(database.keyring, { id: found.key_id, type: found.key_type, secret: found.key_secret });
  const isGood =
    key?.type === 'login_password' &&
    key.password !== '' &&
    [isSame(basic.login, key.login), isSame(basic.password, key.password)].every(Boolean);
  if (found === undefined || !isGood) throw refusal();
  await database.transact((db) => forgiveAttempt(db, attempt));
  const owner = {
    projectId: found.project_id,
    workspace: found.inventory,
    inventoryId: found.inventory_id,
    templateId: null,
  };
  return { owner, taskId: null, name: found.name, actor: { userId: null, address: caller.address } };
}
