import { isWorkspaceType } from '@signalbox/contract/inventories';
import { workspaceType } from '../inventories/inventories.ts';
import type { FileLists, Item, Note, Placed } from './file-lists.ts';

type Template = Placed<Item<'templates'>>;
type Inventory = Placed<Item<'inventories'>>;
type Lists = { templates: Template[]; inventories: Inventory[] };

/**
 * A workspace belongs to one template, and is of the kind of its app. There it may belong to none and to several, and is
 * always one of Terraform: the first template keeps it, others get one of the same name.
 */
export function giveWorkspaces(lists: Pick<FileLists, 'templates' | 'inventories'>, note: Note): Lists {
  const inventories = [...lists.inventories];
  const places = new Map(inventories.map(({ item }, at) => [item.name.trim(), at]));
  const taken = new Set(places.keys());
  const templates = lists.templates.map((template): Template => {
    const { path, item } = template;
    const type = workspaceType(item.app ?? '');
    const at = places.get(item.inventory?.trim() ?? '');
    const inventory = at === undefined ? undefined : inventories[at];
    // A name that is not in the file is refused with the other references.
    if (type === undefined || (item.inventory && inventory === undefined)) return template;
    const held = inventory && holdFor(inventory, item.name, type);
    if (held !== undefined && at !== undefined) {
      inventories[at] = held;
      return template;
    }
    const name = findFreeName(`${item.name} - ${workspaceOf(inventory)}`, taken);
    inventories.push(
      createWorkspace({ path: `${path}.inventory`, item: { name, type, template: item.name } }, inventory),
    );
    if (item.inventory) note(`${path}.inventory`, `is not a workspace of this template alone: it has "${name}" now`);
    return { path, item: { ...item, inventory: name } };
  });
  return { templates, inventories };
}

/** The inventory as the workspace of the template; undefined where it cannot be that. */
function holdFor({ path, item }: Inventory, template: string, type: string): Inventory | undefined {
  const holder = item.template?.trim();
  const isFree = !holder || (holder === template.trim() && item.type === type);
  return isWorkspace(item) && isFree ? { path, item: { ...item, type, template } } : undefined;
}

function createWorkspace({ path, item }: Inventory, like: Inventory | undefined): Inventory {
  return { path, item: { ...item, inventory: workspaceOf(like), ssh_key: like?.item.ssh_key } };
}

const isWorkspace = ({ type }: { type: string }): boolean =>
  isWorkspaceType(type as Parameters<typeof isWorkspaceType>[0]);

function workspaceOf(inventory: Inventory | undefined): string {
  return (inventory && isWorkspace(inventory.item) && inventory.item.inventory?.trim()) || 'default';
}

function findFreeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted} (${number})`;
  taken.add(name);
  return name;
}
