import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../db/open-database.ts';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aTemplate } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let database: TestDatabase;
let server: EngineServer;
beforeEach(async () => {
  database = await openTestDatabase();
  server = await startEngineServer({ database });
}, 60_000);
afterEach(() => server.stop());

/** A task that runs, with lines in its log. */
async function aRunningTask(at: EngineServer, ...lines: string[]) {
  const project = await aProject(at);
  const peer = new RunnerPeer((await aRunner(at)).token, at.url);
  const answer = await at.call('POST', `/project/${project.id}/tasks`, {
    session: project.owner.session,
    body: { template_id: await aTemplate(at, project) },
  });
  const { id } = answer.body as { id: number };
  await peer.sync();
  await peer.start(id);
  if (lines.length > 0) await peer.write(id, ...lines);
  return { id, peer, project };
}

/** Somebody who may see everything, over a network that a test decides on. */
function aVisitor(bufferedAmount = 0) {
  const heard: Record<string, unknown>[] = [];
  return {
    heard,
    visitor: {
      socket: {
        send: (text: string) => heard.push(JSON.parse(text) as Record<string, unknown>),
        bufferedAmount: () => bufferedAmount,
        close: () => undefined,
      },
      userId: 1,
      loadRights: async () => ({ projects: 'all' }) as const,
    },
  };
}

test('a reader that is too slow is told how far the log is, and gets no lines until he asks again', async () => {
  const { id, peer } = await aRunningTask(server, 'one', 'two');
  const slow = aVisitor(2 * 1024 * 1024);
  const connection = server.engine.live.join(slow.visitor);
  await server.engine.live.receive(connection, JSON.stringify({ type: 'subscribe', task_id: id, from: 1 }));
  await expect.poll(() => slow.heard).toEqual([{ type: 'behind', task_id: id, next: 3 }]);
  await peer.write(id, 'three');
  await peer.finish(id);
  await expect.poll(() => slow.heard.at(-1)).toMatchObject({ type: 'update', status: 'success' });
  expect(slow.heard.filter(({ type }) => type !== 'update')).toHaveLength(1);
});

// One server has a SQLite file for itself.
if (process.env.SIGNALBOX_TEST_DATABASE === 'postgres') {
  test('a browser at one server sees the task that runs at another', async () => {
    const other = await startEngineServer({ database: await another() });
    try {
      const { id, peer } = await aRunningTask(server, 'one');
      const reader = aVisitor();
      const connection = other.engine.live.join(reader.visitor);
      await other.engine.live.receive(connection, JSON.stringify({ type: 'subscribe', task_id: id, from: 1 }));
      const lines = () =>
        reader.heard.flatMap((message) => (message.type === 'lines' ? (message.lines as { output: string }[]) : []));
      await expect.poll(() => lines().map((line) => line.output)).toEqual(['one']);
      await peer.write(id, 'two');
      await expect.poll(() => lines().map((line) => line.output)).toEqual(['one', 'two']);
      await peer.finish(id);
      await expect.poll(() => reader.heard.some(({ type }) => type === 'sealed')).toBe(true);
      await expect.poll(() => reader.heard.some(({ status }) => status === 'success')).toBe(true);
    } finally {
      await other.stop();
    }
  });

  test('a browser at one server is told of a change at another, once', async () => {
    const other = await startEngineServer({ database: await another() });
    try {
      const project = await aProject(server);
      const here = aVisitor();
      const there = aVisitor();
      server.engine.live.join(here.visitor);
      other.engine.live.join(there.visitor);
      for (const name of ['one', 'two']) {
        const body = { name, type: 'none' };
        const { status } = await server.call('POST', `/project/${project.id}/keys`, {
          session: project.owner.session,
          body,
        });
        expect(status).toBe(201);
      }
      const changed = { type: 'changed', project_id: project.id, object: 'keys' };
      await expect.poll(() => there.heard).toEqual([changed, changed]);
      expect(here.heard).toEqual([changed, changed]);
    } finally {
      await other.stop();
    }
  });

  test('a task that is launched at one server goes to a runner that waits at another', async () => {
    const other = await startEngineServer({ database: await another() });
    try {
      const project = await aProject(server);
      const peer = new RunnerPeer((await aRunner(server)).token, other.url);
      const open = peer.sync();
      await expect.poll(() => [...other.engine.hub.sessions()].some((session) => session.isOpen)).toBe(true);
      const { body } = await server.call('POST', `/project/${project.id}/tasks`, {
        session: project.owner.session,
        body: { template_id: await aTemplate(server, project) },
      });
      const { id } = body as { id: number };
      expect((await open).jobs.map((job) => job.task_id)).toEqual([id]);
      await peer.start(id);
      const next = peer.sync();
      await server.call('POST', `/project/${project.id}/tasks/${id}/stop`, { session: project.owner.session });
      expect((await next).commands).toMatchObject([{ kind: 'stop', task_id: id }]);
    } finally {
      await other.stop();
    }
  });
}

/** A second handle on the same database, as another server has it. */
async function another(): Promise<TestDatabase> {
  const opened = await openDatabase(database.settings);
  return { ...database, database: opened, remove: () => opened.close() };
}
