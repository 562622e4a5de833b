import type { Option } from '@signalbox/contract/options';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { deleteOption, listOptions, saveOption } from './queries.ts';

export async function readOptions(db: Db): Promise<Record<string, string>> {
  return Object.fromEntries((await listOptions(db)).map(({ key, value }) => [key, value]));
}

/**
 * Options are kept for programs that use them. None changes this server: what looks like one of its settings, or like a part of
 * an app, is refused with the place where that is really set, because whoever stored it would believe that it works.
 *
 * @param settingNames variables of the server's settings
 */
export async function setOption(
  database: Database,
  settingNames: readonly string[],
  actor: Actor,
  option: Option,
): Promise<Option> {
  const { key, value } = option;
  refuseSetting(settingNames, key);
  await database.transact(async (db) => {
    if (value === '') await deleteOption(db, key);
    else await saveOption(db, option);
    await recordEvent(db, actor, {
      projectId: null,
      objectType: 'option',
      objectId: null,
      objectName: key,
      description: `Option ${key} ${value === '' ? 'deleted' : 'updated'}`,
    });
  });
  return option;
}

function refuseSetting(settingNames: readonly string[], key: string): void {
  const [first = '', appId] = key.split('.');
  const variable = `SIGNALBOX_${first.toUpperCase()}`;
  if (settingNames.includes(variable)) throw misplaced(`is a setting of the server: set ${variable} and start again`);
  if (first === 'apps') throw misplaced(`is a part of an app: change it with PUT /apps/${appId ?? '{id}'}`);
}

function misplaced(message: string): AppError {
  return new AppError('invalid', `key ${message}`, [{ path: 'key', message }]);
}
