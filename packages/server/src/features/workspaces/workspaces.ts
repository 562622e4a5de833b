import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { freeWorkspace, holdWorkspace, requireInventory } from '../inventories/inventories.ts';
import { requireTemplate, setTemplateInventory } from '../templates/templates.ts';

/** A template, and the workspace that is its own or shall be. */
export type WorkspacePlace = {
  readonly projectId: number;
  readonly templateId: number;
  readonly inventoryId: number;
};

/** A free workspace is attached by it. */
export function setDefaultWorkspace(database: Database, actor: Actor, place: WorkspacePlace): Promise<void> {
  return changeWorkspace(database, actor, place, 'made the default', async (db) => {
    await holdWorkspace(db, place.projectId, place);
    await setTemplateInventory(db, { projectId: place.projectId, id: place.templateId }, place.inventoryId);
  });
}

export function attachWorkspace(database: Database, actor: Actor, place: WorkspacePlace): Promise<void> {
  return changeWorkspace(database, actor, place, 'attached', (db) => holdWorkspace(db, place.projectId, place));
}

export function detachWorkspace(database: Database, actor: Actor, place: WorkspacePlace): Promise<void> {
  return changeWorkspace(database, actor, place, 'detached', (db) => freeWorkspace(db, place.projectId, place));
}

async function changeWorkspace(
  database: Database,
  actor: Actor,
  { projectId, templateId, inventoryId }: WorkspacePlace,
  what: string,
  change: (db: Db) => Promise<void>,
): Promise<void> {
  await database.transact(async (db) => {
    const template = await requireTemplate(db, projectId, templateId);
    const workspace = await requireInventory(db, projectId, inventoryId);
    await change(db);
    await recordEvent(db, actor, {
      projectId,
      objectType: 'template',
      objectId: templateId,
      objectName: template.name,
      description: `Template ${template.name}: workspace ${workspace.name} ${what}`,
    });
  });
}
