import { notificationRoutes } from '@signalbox/contract/notifications';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { sendPage } from '../../http/next-link.ts';
import { register } from '../../http/register.ts';
import { readLimit } from '../../list-limit.ts';
import type { NotificationSender } from '../../notifications/sender.ts';
import { testNotifications } from './notifications.ts';
import { listAllNotifications, listProjectNotifications } from './queries.ts';

const most = 100;

export function notificationApi(http: HttpApi, database: Database, sender: NotificationSender): void {
  register(http, notificationRoutes.list, async ({ params, query, ...exchange }) => {
    const request = { ...query, limit: readLimit(query.limit, most) };
    return sendPage(exchange, await listProjectNotifications(database.read, params.project_id, request));
  });
  register(http, notificationRoutes.listAll, async ({ query, ...exchange }) => {
    const request = { ...query, limit: readLimit(query.limit, most) };
    return sendPage(exchange, await listAllNotifications(database.read, request));
  });
  register(http, notificationRoutes.test, ({ params, body, actor }) =>
    testNotifications(database, sender, actor, {
      projectId: params.project_id,
      channel: body?.channel ?? undefined,
    }),
  );
}
