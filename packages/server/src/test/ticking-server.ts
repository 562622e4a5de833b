/** A server with schedules and without a runner, until it is killed. Prints a line for each task. */
import { openDatabase } from '../db/open-database.ts';
import { startEngine } from '../engine/start.ts';
import { createLogger } from '../logger.ts';
import { quietSettings } from './quiet-settings.ts';

const [dataDir = '', url] = process.argv.slice(2);
const database = await openDatabase({
  dataDir,
  url: url === '' ? undefined : url,
  encryptionKey: process.env.SIGNALBOX_ENCRYPTION_KEY,
  exclusive: true,
});
const log = createLogger((line) => process.stderr.write(line));
const engine = startEngine({ database, log, settings: { ...quietSettings, dataDir } });
engine.news.onTasks((rows) => process.stdout.write(rows.map(({ id }) => `${id}\n`).join('')));
setInterval(() => undefined, 60_000);
