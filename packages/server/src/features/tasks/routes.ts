import { Readable } from 'node:stream';
import { taskRoutes } from '@signalbox/contract/tasks';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { sendPage } from '../../http/next-link.ts';
import { register } from '../../http/register.ts';
import { readLimit } from '../../list-limit.ts';
import { listTasks } from './queries.ts';
import {
  decideByPerson,
  launchTask,
  readLogRange,
  removeTask,
  requireTask,
  requireTaskPlace,
  searchTaskLog,
  stopByPerson,
  type TaskEngine,
} from './tasks.ts';

const maxTasks = 1000;
const maxLastTasks = 200;

export function taskApi(http: HttpApi, database: Database, engine: TaskEngine): void {
  register(http, taskRoutes.list, async ({ params, query, ...exchange }) => {
    const filter = { ...query, limit: readLimit(query.limit, maxTasks) };
    return sendPage(exchange, await listTasks(database.read, params.project_id, filter));
  });
  register(http, taskRoutes.last, async ({ params, query, ...exchange }) => {
    const filter = { ...query, limit: readLimit(query.limit, maxLastTasks) };
    return sendPage(exchange, await listTasks(database.read, params.project_id, filter));
  });
  register(http, taskRoutes.create, ({ params, body, actor }) =>
    launchTask(database, engine, actor, params.project_id, body),
  );
  register(http, taskRoutes.get, ({ params }) => requireTask(database.read, params));
  register(http, taskRoutes.stop, ({ params, body, actor }) =>
    stopByPerson(database, engine, actor, params, body?.force === true),
  );
  register(http, taskRoutes.confirm, ({ params, actor }) => decideByPerson(database, engine, actor, params, 'confirm'));
  register(http, taskRoutes.reject, ({ params, actor }) => decideByPerson(database, engine, actor, params, 'reject'));
  register(http, taskRoutes.remove, ({ params, actor }) => removeTask(database, actor, params));
  logApi(http, database);
}

function logApi(http: HttpApi, database: Database): void {
  register(http, taskRoutes.log, ({ params, query }) => readLogRange(database, params, query));
  register(http, taskRoutes.searchLog, ({ params, query, actor }) => searchTaskLog(database, actor, params, query));
  register(http, taskRoutes.rawOutput, async ({ params, reply }) => {
    await requireTaskPlace(database.read, params);
    void reply.type('text/plain; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="task_${params.task_id}.log"`);
    return Readable.from(database.reader.streamRaw(params.task_id), { objectMode: false });
  });
  register(http, taskRoutes.output, async ({ params, reply }) => {
    await requireTaskPlace(database.read, params);
    void reply.type('application/json; charset=utf-8');
    return Readable.from(database.reader.streamOutput(params.task_id), { objectMode: false });
  });
}
