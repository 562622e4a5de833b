import type { ServerMessage } from '@signalbox/contract/live';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { projectKey } from '../lib/query-keys.ts';
import type { LiveSocket } from '../lib/socket.ts';
import { taskKeys } from '../lib/task-queries.ts';
import { followLiveUpdates } from './live-updates.ts';

type Update = Extract<ServerMessage, { type: 'update' }>;

function anUpdate(change: Partial<Update>): Update {
  const start = '2026-11-21T14:00:00.000Z';
  const fixed = { type: 'update', task_id: 7, template_id: 3, project_id: 1, version: null, end: null } as const;
  return { ...fixed, status: 'starting', start, ...change };
}

/** The part of a socket that updates need, with a hand to send messages and to cut it. */
class SocketEnd {
  state: LiveSocket['state'] = 'live';
  send: (message: ServerMessage) => void = () => undefined;
  #tell: () => void = () => undefined;

  listen(listener: (message: ServerMessage) => void): () => void {
    this.send = listener;
    return () => undefined;
  }

  watchState(listener: () => void): () => void {
    this.#tell = listener;
    return () => undefined;
  }

  change(state: LiveSocket['state']): void {
    this.state = state;
    this.#tell();
  }
}

function startConsole() {
  const client = new QueryClient();
  const socket = new SocketEnd();
  followLiveUpdates(client, socket);
  const list = [...taskKeys.lists(1), 'project', 200] as const;
  client.setQueryData(list, [
    { id: 7, status: 'waiting' },
    { id: 6, status: 'success' },
  ]);
  client.setQueryData(taskKeys.templates(1), [
    { id: 3, last_task_id: 7, last_task: { id: 7, status: 'waiting' } },
    { id: 4, last_task_id: 2, last_task: { id: 2, status: 'error' } },
  ]);
  const isStale = (key: readonly unknown[]): boolean => client.getQueryState(key)?.isInvalidated === true;
  return { client, socket, list, isStale };
}

describe('a live update of a task', () => {
  test('changes the task in every list that shows it, and no other task', () => {
    const { client, socket, list, isStale } = startConsole();
    socket.send(anUpdate({}));
    expect(client.getQueryData(list)).toMatchObject([
      { id: 7, status: 'starting' },
      { id: 6, status: 'success' },
    ]);
    expect(client.getQueryData(taskKeys.templates(1))).toMatchObject([
      { id: 3, last_task: { status: 'starting' } },
      { id: 4, last_task: { status: 'error' } },
    ]);
    expect(isStale(list)).toBe(false);
  });

  test('that no list knows makes the lists be fetched', () => {
    const { socket, list, isStale } = startConsole();
    socket.send(anUpdate({ task_id: 8 }));
    expect(isStale(list)).toBe(true);
    expect(isStale(taskKeys.templates(1))).toBe(true);
  });

  test('that has ended is fetched for its commit and its reason', () => {
    const { client, socket, list, isStale } = startConsole();
    client.setQueryData(taskKeys.one(1, 7), { id: 7, status: 'running' });
    socket.send(anUpdate({ status: 'error' }));
    expect(isStale(taskKeys.one(1, 7))).toBe(true);
    expect(isStale(list)).toBe(true);
  });

  test('that comes before the first answer, which may be older, is not lost', async () => {
    const { client, socket } = startConsole();
    const answers = ['starting', 'running'].map((status) => ({
      status,
      ...Promise.withResolvers<{ status: string }>(),
    }));
    let asked = 0;
    const observer = new QueryObserver(client, {
      queryKey: taskKeys.one(1, 7),
      queryFn: () => {
        asked += 1;
        return answers[asked - 1]?.promise ?? Promise.reject(new Error('asked too often'));
      },
    });
    const stopObserving = observer.subscribe(() => undefined);
    await expect.poll(() => asked).toBe(1);
    socket.send(anUpdate({ status: 'running' }));
    for (const { status, resolve } of answers) resolve({ status });
    await expect.poll(() => client.getQueryData(taskKeys.one(1, 7))).toEqual({ status: 'running' });
    expect(asked).toBe(2);
    stopObserving();
  });

  test('of another project touches nothing', () => {
    const { client, socket, list, isStale } = startConsole();
    socket.send(anUpdate({ project_id: 2 }));
    expect(client.getQueryData(list)).toMatchObject([{ status: 'waiting' }, { status: 'success' }]);
    expect(isStale(list)).toBe(false);
  });
});

describe('a change in a project', () => {
  test('makes all that the project shows be fetched but its tasks, and nothing of others', async () => {
    const { client, socket, list, isStale } = startConsole();
    for (const place of ['keys', 'repositories', 'events', 'role'] as const)
      client.setQueryData(projectKey(1, place), []);
    client.setQueryData(projectKey(2, 'keys'), []);
    client.setQueryData(['session', 'projects'], []);
    socket.send({ type: 'changed', project_id: 1, object: 'keys' });
    await expect.poll(() => isStale(projectKey(1, 'keys'))).toBe(true);
    expect(isStale(projectKey(1, 'repositories'))).toBe(true);
    expect(isStale(projectKey(1, 'events'))).toBe(true);
    expect(isStale(list)).toBe(false);
    expect(isStale(projectKey(2, 'keys'))).toBe(false);
    expect(isStale(['session', 'projects'])).toBe(false);
  });

  test('of what machines change all the time makes only the screens of that be fetched', async () => {
    const { client, socket, isStale } = startConsole();
    client.setQueryData(projectKey(1, 'schedules'), []);
    client.setQueryData(projectKey(1, 'keys'), []);
    socket.send({ type: 'changed', project_id: 1, object: 'schedules' });
    await expect.poll(() => isStale(projectKey(1, 'schedules'))).toBe(true);
    expect(isStale(projectKey(1, 'keys'))).toBe(false);
    expect(isStale(taskKeys.templates(1))).toBe(false);
  });

  test('of a template makes the tasks be fetched too, which show its name', async () => {
    const { socket, list, isStale } = startConsole();
    socket.send({ type: 'changed', project_id: 1, object: 'templates' });
    await expect.poll(() => isStale(list)).toBe(true);
  });

  test('that comes with many others is fetched once with them', async () => {
    const { client, socket } = startConsole();
    let fetches = 0;
    const fetchKeys = async () => {
      fetches += 1;
      return [];
    };
    const observer = new QueryObserver(client, { queryKey: projectKey(1, 'keys'), queryFn: fetchKeys });
    const stopObserving = observer.subscribe(() => undefined);
    await expect.poll(() => fetches).toBe(1);
    for (let change = 0; change < 50; change += 1) socket.send({ type: 'changed', project_id: 1, object: 'keys' });
    await expect.poll(() => fetches).toBe(2);
    stopObserving();
  });
});

test('a change of the installation makes what no project has be fetched, and the role in each project', async () => {
  const { client, socket, list, isStale } = startConsole();
  client.setQueryData(['session', 'projects'], []);
  client.setQueryData(['users'], []);
  client.setQueryData(projectKey(1, 'role'), {});
  client.setQueryData(projectKey(1, 'keys'), []);
  socket.send({ type: 'changed', project_id: null, object: 'projects' });
  await expect.poll(() => isStale(['session', 'projects'])).toBe(true);
  expect(isStale(['users'])).toBe(true);
  expect(isStale(projectKey(1, 'role'))).toBe(true);
  expect(isStale(projectKey(1, 'keys'))).toBe(false);
  expect(isStale(list)).toBe(false);
});

test('the start and the end of a task make the list of events be fetched, and an end the statistics', async () => {
  const { client, socket, isStale } = startConsole();
  client.setQueryData(projectKey(1, 'events'), []);
  client.setQueryData(projectKey(1, 'stats', 'week'), []);
  socket.send(anUpdate({}));
  await expect.poll(() => isStale(projectKey(1, 'events'))).toBe(true);
  expect(isStale(projectKey(1, 'stats', 'week'))).toBe(false);
  socket.send(anUpdate({ status: 'success' }));
  await expect.poll(() => isStale(projectKey(1, 'stats', 'week'))).toBe(true);
});

test('while the connection is cut, what is shown is asked for every five seconds, and nothing else', async () => {
  vi.useFakeTimers();
  const { client, socket } = startConsole();
  let fetches = 0;
  const fetchKeys = async () => {
    fetches += 1;
    return [];
  };
  const observer = new QueryObserver(client, { queryKey: projectKey(1, 'keys'), queryFn: fetchKeys });
  const stopObserving = observer.subscribe(() => undefined);
  try {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetches).toBe(1);
    socket.change('lost');
    await vi.advanceTimersByTimeAsync(10_100);
    expect(fetches).toBe(3);
    socket.change('live');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetches).toBe(4);
  } finally {
    stopObserving();
    vi.useRealTimers();
  }
});

test('a connection that took its time makes what was fetched before be fetched again', () => {
  const { client, socket, isStale } = startConsole();
  client.setQueryData(projectKey(1, 'keys'), [], { updatedAt: Date.now() - 60_000 });
  client.setQueryData(projectKey(1, 'repositories'), []);
  socket.change('live');
  expect(isStale(projectKey(1, 'keys'))).toBe(true);
  expect(isStale(projectKey(1, 'repositories'))).toBe(false);
});

test('after a cut everything is fetched again', () => {
  const { client, socket, list, isStale } = startConsole();
  client.setQueryData(['session', 'projects'], []);
  socket.change('lost');
  expect(isStale(list)).toBe(false);
  socket.change('live');
  expect(isStale(list)).toBe(true);
  expect(isStale(['session', 'projects'])).toBe(true);
});
