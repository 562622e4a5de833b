/** A server with schedules and without a runner, which kills itself in the very moment after so many of its commits. */
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { startEngine } from '../engine/start.ts';
import { createLogger } from '../logger.ts';
import { quietSettings } from './quiet-settings.ts';

const [dataDir = '', url = '', commits = ''] = process.argv.slice(2);
const encryptionKey = process.env.SIGNALBOX_ENCRYPTION_KEY;
const opened = await openDatabase({ dataDir, url: url || undefined, encryptionKey, exclusive: true });
let left = Number(commits);
const transact: Database['transact'] = async (work) => {
  const result = await opened.transact(work);
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return result;
};
const log = createLogger((line) => process.stderr.write(line));
startEngine({ database: { ...opened, transact }, log, settings: { ...quietSettings, dataDir } });
setInterval(() => undefined, 60_000);
