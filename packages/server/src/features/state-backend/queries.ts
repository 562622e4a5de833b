import type { StateLock } from '@signalbox/contract/state-backend';
import type { Db } from '../../db/database.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import type { Keyring } from '../../db/secrets.ts';

/** Whose state it is: that of a workspace, or of a template's code where no workspace of its own stands for it. */
export type StateOwner = { readonly projectId: number; readonly workspace: string } & (
  | { readonly inventoryId: number; readonly templateId: null }
  | { readonly inventoryId: null; readonly templateId: number }
);

/** Older ones are deleted: each apply stores several, and nobody goes back further. */
const mostStates = 200;

const ownColumns = (owner: StateOwner) => ({
  project_id: owner.projectId,
  inventory_id: owner.inventoryId,
  template_id: owner.templateId,
  workspace: owner.workspace,
});

function selectStates(db: Db, owner: StateOwner) {
  const query = db
    .selectFrom('terraform_state')
    .select(['id', 'serial', 'state'])
    .where('project_id', '=', owner.projectId)
    .where('workspace', '=', owner.workspace);
  return owner.inventoryId === null
    ? query.where('template_id', '=', owner.templateId)
    : query.where('inventory_id', '=', owner.inventoryId);
}

/** The newest state as it is stored: sealed. */
export function findNewestState(db: Db, owner: StateOwner): Promise<{ id: number; state: string } | undefined> {
  return selectStates(db, owner).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

export type NewState = { readonly text: string; readonly serial: number; readonly taskId: number | null };

export async function insertState(db: Db, keyring: Keyring, owner: StateOwner, state: NewState): Promise<void> {
  const { id } = await db
    .insertInto('terraform_state')
    .values({
      ...ownColumns(owner),
      task_id: state.taskId,
      created: Date.now(),
      serial: state.serial,
      state: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sealed = keyring.seal(state.text, placeOf('terraform_state', id));
  await db.updateTable('terraform_state').set({ state: sealed }).where('id', '=', id).execute();
  const kept = await selectStates(db, owner).orderBy('id', 'desc').offset(mostStates).limit(1).executeTakeFirst();
  if (kept === undefined) return;
  const old = await selectStates(db, owner).where('id', '<=', kept.id).execute();
  await db
    .deleteFrom('terraform_state')
    .where(
      'id',
      'in',
      old.map((row) => row.id),
    )
    .execute();
}

export type StoredLock = {
  readonly id: number;
  readonly lock_id: string;
  readonly lock: string;
  readonly task_id: number | null;
};

export function findLock(db: Db, owner: StateOwner): Promise<StoredLock | undefined> {
  const query = db
    .selectFrom('terraform_lock')
    .select(['id', 'lock_id', 'lock', 'task_id'])
    .where('project_id', '=', owner.projectId)
    .where('workspace', '=', owner.workspace);
  return (
    owner.inventoryId === null
      ? query.where('template_id', '=', owner.templateId)
      : query.where('inventory_id', '=', owner.inventoryId)
  ).executeTakeFirst();
}

export async function insertLock(db: Db, owner: StateOwner, lock: StateLock, taskId: number | null): Promise<void> {
  await db
    .insertInto('terraform_lock')
    .values({
      ...ownColumns(owner),
      lock_id: lock.ID,
      lock: JSON.stringify(lock),
      task_id: taskId,
      created: Date.now(),
    })
    .execute();
}

export async function deleteLock(db: Db, id: number): Promise<void> {
  await db.deleteFrom('terraform_lock').where('id', '=', id).execute();
}

/** What decides whether a task may still touch its state, and whether its lock still protects something. */
export function findTaskOfState(db: Db, id: number) {
  return db
    .selectFrom('task')
    .innerJoin('template', 'template.id', 'task.template_id')
    .select(['task.id', 'task.project_id', 'task.template_id', 'task.status', 'task.claim_id', 'task.reason'])
    .select(['task.inventory_id', 'template.inventory_id as template_inventory_id', 'template.name as template_name'])
    .where('task.id', '=', id)
    .executeTakeFirst();
}

export function findWorkspace(db: Db, projectId: number, id: number) {
  return db
    .selectFrom('inventory')
    .select(['id', 'type', 'inventory', 'template_id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findAddress(db: Db, alias: string) {
  return db
    .selectFrom('terraform_alias')
    .innerJoin('inventory', 'inventory.id', 'terraform_alias.inventory_id')
    .innerJoin('key', 'key.id', 'terraform_alias.auth_key_id')
    .select(['terraform_alias.project_id', 'inventory.id as inventory_id', 'inventory.inventory', 'inventory.name'])
    .select(['key.id as key_id', 'key.type as key_type', 'key.secret as key_secret'])
    .where('terraform_alias.alias', '=', alias)
    .executeTakeFirst();
}
