import type { App } from '@signalbox/contract/apps';
import type { Reference } from '@signalbox/contract/references';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';

type AppRow = Omit<App, 'args'> & { args: string | null };

function toApp(row: AppRow): App {
  return { ...row, args: row.args === null ? null : z.parse(z.array(z.string()), JSON.parse(row.args)) };
}

export async function listApps(db: Db): Promise<App[]> {
  const rows = await db.selectFrom('app').selectAll().orderBy('priority', 'desc').orderBy('id').execute();
  return rows.map(toApp);
}

export async function findApp(db: Db, id: string): Promise<App | undefined> {
  const row = await db.selectFrom('app').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toApp(row);
}

const toRow = (app: App): AppRow => ({ ...app, args: app.args === null ? null : JSON.stringify(app.args) });

/** Leaves what is stored already. */
export async function insertMissingApps(db: Db, apps: readonly App[]): Promise<void> {
  await db
    .insertInto('app')
    .values(apps.map(toRow))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function saveApp(db: Db, app: App): Promise<void> {
  const row = toRow(app);
  await db
    .insertInto('app')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function deleteApp(db: Db, id: string): Promise<void> {
  await db.deleteFrom('app').where('id', '=', id).execute();
}

/** Templates of all projects that are run with an app, at most `limit` of them. */
export async function listTemplatesOfApp(db: Db, id: string, limit: number): Promise<Reference[]> {
  return await db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('app', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute();
}
