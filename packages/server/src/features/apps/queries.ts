import type { App } from '@signalbox/contract/apps';
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

/** Leaves what is stored already. */
export async function insertMissingApps(db: Db, apps: readonly App[]): Promise<void> {
  const rows = apps.map((app) => ({ ...app, args: app.args === null ? null : JSON.stringify(app.args) }));
  await db
    .insertInto('app')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
