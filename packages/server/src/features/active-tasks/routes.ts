import { activeTaskRoutes } from '@signalbox/contract/active-tasks';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import type { TaskEngine } from '../tasks/tasks.ts';
import { stopAnywhere } from './active-tasks.ts';
import { listActiveTasks } from './queries.ts';

const maxTasks = 1000;

export function activeTaskApi(http: HttpApi, database: Database, engine: TaskEngine): void {
  register(http, activeTaskRoutes.list, () => listActiveTasks(database.read, maxTasks));
  register(http, activeTaskRoutes.stop, ({ params, actor }) => stopAnywhere(database, engine, actor, params.task_id));
}
