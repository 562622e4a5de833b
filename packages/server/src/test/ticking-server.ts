/** A server with schedules and without a runner, which kills itself in the very moment after so many ticks are committed. */
import type { Database, Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { startEngine } from '../engine/start.ts';
import { createLogger } from '../logger.ts';
import { quietSettings } from './quiet-settings.ts';

const [dataDir = '', url = '', ticks = ''] = process.argv.slice(2);
const encryptionKey = process.env.SIGNALBOX_ENCRYPTION_KEY;
const opened = await openDatabase({ dataDir, url: url || undefined, encryptionKey, exclusive: true });
const countTicks = async (db: Db): Promise<number> => {
  const { count } = await db.selectFrom('schedule_tick').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};
const last = (await countTicks(opened.read)) + Number(ticks);
// Only ticks count: how many other writes there are between them is the speed of the machine.
const transact: Database['transact'] = async (work) => {
  const { result, count } = await opened.transact(async (db) => ({
    result: await work(db),
    count: await countTicks(db),
  }));
  if (count >= last) process.kill(process.pid, 'SIGKILL');
  return result;
};
const log = createLogger((line) => process.stderr.write(line));
startEngine({ database: { ...opened, transact }, log, settings: { ...quietSettings, dataDir } });
setInterval(() => undefined, 60_000);
