import { once } from 'node:events';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { openDatabase } from '../../db/open-database.ts';
import { openTestDatabase } from '../../test/databases.ts';
import { aUser } from '../../test/factories.ts';
import { startEngineServer } from '../../test/start-engine-server.ts';

test('a session that one server ends loses its websocket at another one at once', async () => {
  const opened = await openTestDatabase('postgres');
  const second = await openDatabase(opened.settings);
  const one = await startEngineServer({ database: opened });
  const two = await startEngineServer({ database: { ...opened, database: second, remove: () => second.close() } });
  const user = await aUser(one);
  const socket = new WebSocket(`${two.url.replace('http', 'ws')}/api/ws`, {
    headers: { cookie: `signalbox=${user.session}`, origin: two.url },
  });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  expect((await one.call('POST', '/auth/logout', { session: user.session })).status).toBe(204);
  expect((await closed)[0]).toBe(4401);
  await two.stop();
  await one.stop();
});
