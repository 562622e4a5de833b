import { hasPassword } from '@signalbox/contract/git-url';
import { isInsidePath } from '@signalbox/contract/inventories';
import type { FileLists, Item, Note, Placed } from './file-lists.ts';
import { adaptTemplates } from './older-templates.ts';

/**
 * Brings a file of Semaphore UI into our form. It knows fewer rules than we do, and other ones: what can be understood is
 * changed, what cannot be kept is left out and told. A file of our own goes through unchanged.
 */
export function adaptOlderFile(lists: FileLists, note: Note): FileLists {
  const keys = lists.keys.filter((key) => keepKey(key, note));
  const keyNames = new Set(keys.map(({ item }) => item.name.trim()));
  const inventories = lists.inventories.map((inventory) => adaptInventory(inventory, note));
  return {
    ...lists,
    keys,
    views: lists.views.map(({ path, item }, at) => ({ path, item: { ...item, position: item.position ?? at } })),
    environments: lists.environments.map((environment) => adaptEnvironment(environment, note)),
    repositories: lists.repositories.map((repository) => adaptRepository(repository, note)),
    integrations: lists.integrations.flatMap((integration) => adaptIntegration(integration, keyNames, note)),
    ...adaptTemplates({ ...lists, inventories }, note),
  };
}

/** Secrets of variable groups are keys there; they are not meant to be in a file. */
function keepKey({ path, item }: Placed<Item<'keys'>>, note: Note): boolean {
  if (item.type !== 'string') return true;
  note(path, 'is the secret of a variable group: it is added there');
  return false;
}

function adaptEnvironment({ path, item }: Placed<Item<'environments'>>, note: Note): Placed<Item<'environments'>> {
  if (item.password) note(`${path}.password`, 'is not used any more');
  const env = item.env === '' ? null : item.env;
  return {
    path,
    item: { ...item, json: item.json || '{}', env: env ? writeTexts(env) : env },
  };
}

/** Numbers and flags of a process environment as the texts that they become. */
function writeTexts(json: string): string {
  let variables: unknown;
  try {
    variables = JSON.parse(json);
  } catch {
    return json; // refused with the other fields
  }
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return json;
  const entries = Object.entries(variables);
  const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  if (!entries.some(([, value]) => isPlain(value))) return json;
  return JSON.stringify(
    Object.fromEntries(entries.map(([name, value]) => [name, isPlain(value) ? String(value) : value])),
  );
}

function adaptRepository({ path, item }: Placed<Item<'repositories'>>, note: Note): Placed<Item<'repositories'>> {
  if (!hasPassword(item.git_url)) return { path, item };
  note(`${path}.git_url`, 'had a password in it, which everybody could read: store it as a key, and choose that key');
  return { path, item: { ...item, git_url: item.git_url.replace(/^([^:]+:\/\/[^/:]*):[^/]*@/, '$1@') } };
}

function adaptInventory({ path, item }: Placed<Item<'inventories'>>, note: Note): Placed<Item<'inventories'>> {
  const file = (item.inventory ?? '').trim();
  if (item.type !== 'file' || isInsidePath(file)) return { path, item };
  note(`${path}.inventory`, 'is a path outside of a repository: the inventory holds it as a comment and no hosts');
  return {
    path,
    item: { ...item, type: 'static', inventory: `# ${file.replace(/[\r\n]+/g, ' ')}`, repository: null },
  };
}

const authMethods: readonly unknown[] = [null, undefined, '', 'none', 'github', 'token', 'hmac'];

function adaptIntegration(
  { path, item }: Placed<Item<'integrations'>>,
  keyNames: ReadonlySet<string>,
  note: Note,
): Placed<Item<'integrations'>>[] {
  const leaveOut = (message: string) => {
    note(path, `${message}: it is left out`);
    return [];
  };
  if (!item.template) return leaveOut('names no template');
  // Without its way to prove who calls, anybody could.
  if (!authMethods.includes(item.auth_method)) return leaveOut('has a way of authentication that is not known');
  const needsHeader = item.auth_method === 'token' || item.auth_method === 'hmac';
  if (needsHeader && !item.auth_header?.trim()) return leaveOut('names no header for its authentication');
  if (!item.auth_secret || keyNames.has(item.auth_secret.trim())) return [{ path, item }];
  note(`${path}.auth_secret`, 'names no key of the file: calls are refused until one is chosen');
  return [{ path, item: { ...item, auth_secret: null } }];
}
