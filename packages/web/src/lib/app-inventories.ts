import { type InventoryType, isWorkspaceType } from '@signalbox/contract/inventories';

/** Whether code of an app runs in a workspace, which is an inventory of a type of its own. */
export function hasWorkspaces(app: string): boolean {
  return app === 'terraform' || app === 'tofu';
}

/** Whether an app can use an inventory: workspaces are for their own tool, and Ansible has none. */
export function fitsApp(app: string, type: InventoryType): boolean {
  if (hasWorkspaces(app)) return type === `${app}-workspace`;
  return app !== 'ansible' || !isWorkspaceType(type);
}
