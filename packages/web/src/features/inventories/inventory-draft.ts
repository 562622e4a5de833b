import type { HostKeyPolicy } from '@signalbox/contract/host-keys';
import { type Inventory, InventoryInput, type InventoryType } from '@signalbox/contract/inventories';
import { findProblems } from '../../lib/form-problems.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';

/** Types by their word. Workspaces belong to a template and are made there. */
export const inventoryTypeNames: Record<InventoryType, MessageKey> = {
  static: 'inventories.static',
  'static-yaml': 'inventories.staticYaml',
  file: 'inventories.file',
  'tofu-workspace': 'inventories.tofuWorkspace',
  'terraform-workspace': 'inventories.terraformWorkspace',
};
export const editableTypes = ['static', 'static-yaml', 'file'] as const satisfies readonly InventoryType[];

/** Ids are texts here, as lists of choices want them. */
export type InventoryDraft = {
  name: string;
  ssh_key_id: string | null;
  become_key_id: string | null;
  type: InventoryType | null;
  /** Content of each kind side by side, so that changing the type loses nothing. */
  content: string;
  path: string;
  repository_id: string | null;
  host_key_policy: HostKeyPolicy;
};

function toText(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id);
}

function toId(text: string | null): number | null {
  return text === null ? null : Number(text);
}

export function draftOf(inventory: Inventory | undefined): InventoryDraft {
  const isFile = inventory?.type === 'file';
  return {
    name: inventory?.name ?? '',
    ssh_key_id: toText(inventory?.ssh_key_id),
    become_key_id: toText(inventory?.become_key_id),
    type: inventory?.type ?? null,
    content: isFile ? '' : (inventory?.inventory ?? ''),
    path: isFile ? inventory.inventory : '',
    repository_id: toText(inventory?.repository_id),
    host_key_policy: inventory?.host_key_policy ?? 'accept-new',
  };
}

export function toInventoryInput(draft: InventoryDraft): InventoryInput {
  const isFile = draft.type === 'file';
  return {
    name: draft.name.trim(),
    type: draft.type ?? 'static',
    inventory: (isFile ? draft.path : draft.content).trim(),
    ssh_key_id: toId(draft.ssh_key_id),
    become_key_id: toId(draft.become_key_id),
    repository_id: isFile ? toId(draft.repository_id) : null,
    host_key_policy: draft.host_key_policy,
  };
}

/** Title of every field that the server may refuse, by its name on the wire. */
export function listTitles(): Record<string, string> {
  return {
    name: t('inventories.name'),
    ssh_key_id: t('inventories.userKey'),
    become_key_id: t('inventories.becomeKey'),
    repository_id: t('inventories.repository'),
    inventory: t('inventories.path'),
  };
}

/** Problems by field of the draft. */
export function findInventoryProblems(draft: InventoryDraft): Record<string, string> {
  const { inventory, ...problems } = findProblems(InventoryInput, toInventoryInput(draft), listTitles());
  if (draft.ssh_key_id === null) problems.ssh_key_id = t('field.required', { field: t('inventories.userKey') });
  if (draft.type === null) problems.type = t('field.required', { field: t('inventories.type') });
  if (inventory !== undefined) problems[draft.type === 'file' ? 'path' : 'content'] = inventory;
  return problems;
}
