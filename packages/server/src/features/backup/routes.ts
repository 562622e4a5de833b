import { backupRoutes } from '@signalbox/contract/backup';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { writeBackup } from './backup.ts';
import { type RestoreRules, restoreProject } from './restore.ts';

export function backupApi(http: HttpApi, database: Database, rules: RestoreRules): void {
  register(http, backupRoutes.create, ({ params }) => writeBackup(database, params.project_id));
  register(http, backupRoutes.restore, ({ body, actor }) => restoreProject(database, rules, actor, body));
}
