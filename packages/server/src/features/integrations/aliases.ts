import { randomInt } from 'node:crypto';
import type { IntegrationAlias } from '@signalbox/contract/integration-aliases';
import type { Actor } from '../../auth/actor.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { requireIntegration } from './integrations.ts';
import { deleteAlias, insertAlias, listAliases } from './queries.ts';

/** Whose aliases: those of one integration, or those of the project that reach all its searchable ones. */
export type AliasOwner = { readonly projectId: number; readonly integrationId: number | null };

export type AliasRules = {
  /** Of this server, without a slash at the end. */
  readonly publicUrl: string;
  /** The alias of SIGNALBOX_GLOBAL_INTEGRATION_ALIAS: it would hide any other of that text. */
  readonly globalAlias: string | undefined;
  /** Where the text of an alias comes from; tests bring their own. */
  readonly drawText?: () => string;
};

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const length = 16;
/** Two in a row have never been seen, so more than a few mean that something is wrong. */
const maxDraws = 5;

function drawAliasText(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
}

export async function listOwnAliases(db: Db, rules: AliasRules, owner: AliasOwner): Promise<IntegrationAlias[]> {
  await requireOwner(db, owner);
  const rows = await listAliases(db, owner.projectId, owner.integrationId);
  return rows.map(({ id, alias }) => ({ id, url: urlOf(rules, alias) }));
}

/** Makes an alias of a text that no other project and no other server has. */
export async function createAlias(
  database: Database,
  rules: AliasRules,
  actor: Actor,
  owner: AliasOwner,
): Promise<IntegrationAlias> {
  for (let draw = 1; ; draw++) {
    const alias = (rules.drawText ?? drawAliasText)();
    if (alias === rules.globalAlias) continue;
    try {
      return await database.transact(async (db) => {
        const name = await requireOwner(db, owner);
        const id = await insertAlias(db, owner.projectId, owner.integrationId, alias);
        await recordChange(db, actor, owner, name, 'created');
        return { id, url: urlOf(rules, alias) };
      });
    } catch (error) {
      if (!isUniqueViolation(error) || draw === maxDraws) throw error;
    }
  }
}

export async function removeAlias(database: Database, actor: Actor, owner: AliasOwner, id: number): Promise<void> {
  await database.transact(async (db) => {
    const name = await requireOwner(db, owner);
    if (!(await deleteAlias(db, owner.projectId, owner.integrationId, id))) {
      throw new AppError('not_found', 'There is no such alias here');
    }
    await recordChange(db, actor, owner, name, 'deleted');
  });
}

/** @returns the name of the integration, if it is one's */
async function requireOwner(db: Db, { projectId, integrationId }: AliasOwner): Promise<string | undefined> {
  if (integrationId === null) return undefined;
  const { name } = await requireIntegration(db, projectId, integrationId);
  return name;
}

const urlOf = ({ publicUrl }: AliasRules, alias: string): string => `${publicUrl}/api/integrations/${alias}`;

/** Without the text of the alias: whoever knows that can call it. */
async function recordChange(
  db: Db,
  actor: Actor,
  { projectId, integrationId }: AliasOwner,
  name: string | undefined,
  verb: 'created' | 'deleted',
): Promise<void> {
  const whose = name === undefined ? 'Alias of the project' : `Alias of integration ${name}`;
  await recordEvent(db, actor, {
    projectId,
    objectType: integrationId === null ? 'project' : 'integration',
    objectId: integrationId ?? projectId,
    objectName: name ?? '',
    description: `${whose} ${verb}`,
  });
}
