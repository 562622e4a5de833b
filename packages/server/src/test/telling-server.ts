/**
 * A process that ends a task, says so when that is committed, and with an address sends what is to be told; then it stays until
 * it is killed.
 */
import { loadConfig } from '../config.ts';
import { openDatabase } from '../db/open-database.ts';
import { readForChange, takeSteps } from '../engine/task-steps.ts';
import { createLogger } from '../logger.ts';
import { NotificationSender } from '../notifications/sender.ts';

const [dataDir = '', url = '', encryptionKey = '', taskId = '', receiver = ''] = process.argv.slice(2);
const database = await openDatabase({ dataDir, url: url === '' ? undefined : url, encryptionKey });
await database.transact(async (db) => {
  const tasks = await readForChange(db, [Number(taskId)]);
  const steps = [...tasks.values()].map((task) => ({ task, event: 'finish_error' }) as const);
  await takeSteps(db, database.keyring, steps, Date.now());
});
process.stdout.write('committed\n');
setInterval(() => undefined, 60_000);
if (receiver !== '') {
  const env = { SIGNALBOX_DATA: dataDir, SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: receiver };
  const { notifications: settings } = loadConfig(env);
  const log = createLogger((line) => process.stderr.write(line));
  new NotificationSender({ database, log, settings, webUrl: 'http://localhost', now: () => Date.now() }).start();
}
