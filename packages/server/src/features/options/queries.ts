import type { Option } from '@signalbox/contract/options';
import type { Db } from '../../db/database.ts';

export async function listOptions(db: Db): Promise<Option[]> {
  return await db.selectFrom('option').selectAll().orderBy('key').execute();
}

export async function saveOption(db: Db, option: Option): Promise<void> {
  await db
    .insertInto('option')
    .values(option)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: option.value }))
    .execute();
}

export async function deleteOption(db: Db, key: string): Promise<void> {
  await db.deleteFrom('option').where('key', '=', key).execute();
}
