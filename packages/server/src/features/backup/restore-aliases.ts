import { randomInt } from 'node:crypto';
import type { RestoredProject } from '@signalbox/contract/backup';
import type { Db } from '../../db/database.ts';
import type { Placed } from './file-lists.ts';
import type { ReadFile } from './restorable-file.ts';
import type { RestoredIds } from './restore-rows.ts';

/** As long as those that are made here, so that nobody takes a word for himself that others may guess. */
const goodAlias = /^[A-Za-z0-9_-]{16,50}$/;
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const batch = 200;

type AliasRow = { project_id: number; alias: string } & (
  | { integration_id: number | null }
  | { inventory_id: number; auth_key_id: number }
);
type Wanted = Placed<AliasRow>;

/**
 * The addresses of the integrations and of Terraform states. An alias is one of the whole server: those that somebody has
 * already, and those that are too short to be one, become new ones. @returns which ones
 */
export async function insertAliases(
  db: Db,
  { projectId, globalAlias }: { projectId: number; globalAlias: string | undefined },
  read: ReadFile,
  ids: RestoredIds,
): Promise<RestoredProject['new_aliases']> {
  const project_id = projectId;
  const integrationAliases: Wanted[] = [
    ...read.integrations.flatMap(({ path, aliases }, at) =>
      aliases.map((alias, place) => ({
        path: `${path}.aliases.${place}`,
        item: { project_id, alias, integration_id: ids.integrations[at] ?? null },
      })),
    ),
    ...read.aliases.map(({ path, item }) => ({ path, item: { project_id, alias: item, integration_id: null } })),
  ];
  const stateAliases: Wanted[] = read.inventories.flatMap(({ path, terraform_aliases }, at) =>
    terraform_aliases.map(({ alias, auth_key_id }, place) => ({
      path: `${path}.terraform_aliases.${place}`,
      item: {
        project_id,
        alias,
        inventory_id: ids.inventories[at] ?? 0,
        auth_key_id: ids.keys[auth_key_id - 1] ?? 0,
      },
    })),
  );
  const taken = new Set(globalAlias === undefined ? [] : [globalAlias]);
  return [
    ...(await insertFree(db, 'integration_alias', integrationAliases, taken)),
    ...(await insertFree(db, 'terraform_alias', stateAliases, new Set())),
  ];
}

async function insertFree(
  db: Db,
  table: 'integration_alias' | 'terraform_alias',
  wanted: readonly Wanted[],
  taken: Set<string>,
): Promise<RestoredProject['new_aliases']> {
  const changed: RestoredProject['new_aliases'] = [];
  // Their order is the order of the file, so each gets its text before it is inserted.
  for (let first = 0; first < wanted.length; first += batch) {
    const part = wanted.slice(first, first + batch);
    for (const alias of await listTaken(db, table, part)) taken.add(alias);
    const rows = part.map(({ path, item }) => {
      const isFree = goodAlias.test(item.alias) && !taken.has(item.alias);
      taken.add(item.alias);
      if (isFree) return item;
      const alias = drawAlias();
      changed.push({ path, alias: item.alias, new_alias: alias });
      return { ...item, alias };
    });
    await db
      .insertInto(table as 'integration_alias') // one of the two, for the types of the builder
      .values(rows as (AliasRow & { integration_id: number | null })[])
      .execute();
  }
  return changed;
}

async function listTaken(
  db: Db,
  table: 'integration_alias' | 'terraform_alias',
  wanted: readonly Wanted[],
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('alias')
    .where(
      'alias',
      'in',
      wanted.map(({ item }) => item.alias),
    )
    .execute();
  return rows.map(({ alias }) => alias);
}

function drawAlias(): string {
  return Array.from({ length: 16 }, () => letters.charAt(randomInt(letters.length))).join('');
}
