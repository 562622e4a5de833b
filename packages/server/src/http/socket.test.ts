import { createHash } from 'node:crypto';
import type { ServerMessage } from '@signalbox/contract/live';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;
const browsers: Browser[] = [];

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(async () => {
  for (const browser of browsers.splice(0)) browser.close();
  await server.stop();
});

/** A websocket that remembers what it heard. */
class Browser {
  readonly messages: ServerMessage[] = [];
  readonly #socket: WebSocket;
  #closed: number | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data)) as ServerMessage));
    socket.on('close', (code) => {
      this.#closed = code;
    });
  }

  static async open(headers: Record<string, string>, path = '/api/ws'): Promise<Browser> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers });
    const browser = new Browser(socket);
    browsers.push(browser);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_request, response) => reject(new Error(`${response.statusCode}`)));
      socket.once('error', reject);
    });
    return browser;
  }

  say(message: object): void {
    this.sayText(JSON.stringify(message));
  }

  sayText(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.terminate();
  }

  get closed(): number | undefined {
    return this.#closed;
  }

  of<Type extends ServerMessage['type']>(type: Type): Extract<ServerMessage, { type: Type }>[] {
    return this.messages.filter((message) => message.type === type) as never;
  }

  /** All lines, in the order in which they came. */
  get lines(): [number, string][] {
    return this.of('lines').flatMap((message) =>
      message.lines.map((line): [number, string] => [line.line, line.output]),
    );
  }
}

const signIn = (session: string) => ({ cookie: `signalbox=${session}`, origin: server.url });
const openAs = (session: string) => Browser.open(signIn(session));

/** A task that runs, with its first lines stored. */
async function aRunningTask(...lines: string[]): Promise<number> {
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: await aTemplate(server, project) },
    session: project.owner.session,
  });
  await peer.sync();
  await peer.start(body.id);
  if (lines.length > 0) await peer.write(body.id, ...lines);
  return body.id;
}

describe('a websocket', () => {
  test('opens for a session on our own page, and for an API token from anywhere', async () => {
    await openAs(project.guest.session);
    const token = 'token-of-the-guest';
    await server.database.transact((db) =>
      db
        .insertInto('api_token')
        .values({
          id: 'guest',
          user_id: project.guest.id,
          name: '',
          token_hash: createHash('sha256').update(token).digest('hex'),
          created: 1,
          expires: null,
          last_used: null,
          revoked: false,
        })
        .execute(),
    );
    await Browser.open({ authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' });
  });

  const refused: [string, () => Record<string, string>, string][] = [
    ['without a session', () => ({ origin: server.url }), '401'],
    ['from a foreign page', () => ({ ...signIn(project.guest.session), origin: 'https://evil.example' }), '403'],
    ['by cookie without an origin', () => ({ cookie: `signalbox=${project.guest.session}` }), '403'],
  ];
  test.each(refused)('%s is refused', async (_name, headers, status) => {
    await expect(Browser.open(headers())).rejects.toThrow(status);
  });

  test('exists under one address only', async () => {
    await expect(Browser.open(signIn(project.guest.session), '/api/other')).rejects.toThrow('404');
  });

  test('keeps no session alive', async () => {
    const sessions = () => server.database.read.selectFrom('session').select(['user_id', 'last_active']).execute();
    const longAgo = Date.now() - 3_600_000;
    await server.database.transact((db) => db.updateTable('session').set({ last_active: longAgo }).execute());
    const guest = await openAs(project.guest.session);
    server.engine.live.noteChange(project.id, 'keys');
    await expect.poll(() => guest.of('changed').length).toBe(1);
    for (const session of await sessions()) expect(session.last_active).toBe(longAgo);
  });

  test('takes nonsense without harm', async () => {
    const browser = await openAs(project.guest.session);
    for (const text of ['', 'hello', '[]', '{"type":"subscribe"}', '{"type":"subscribe","task_id":-1,"from":0}']) {
      browser.sayText(text);
    }
    const taskId = await aRunningTask('one');
    browser.say({ type: 'subscribe', task_id: taskId, from: 1 });
    await expect.poll(() => browser.lines).toEqual([[1, 'one']]);
  });
});

describe('updates', () => {
  test('reach the members of the project, and nobody else', async () => {
    const guest = await openAs(project.guest.session);
    const stranger = await openAs(project.stranger.session);
    const taskId = await aRunningTask();
    await expect
      .poll(() => guest.of('update').at(-1))
      .toMatchObject({ task_id: taskId, project_id: project.id, status: 'running' });
    expect(stranger.messages).toEqual([]);
  });

  test('end with the membership', async () => {
    const guest = await openAs(project.guest.session);
    await aRunningTask();
    await expect.poll(() => guest.of('update').length).toBeGreaterThan(0);
    await removeMember(project.guest.id);
    const before = guest.messages.length;
    const owner = await openAs(project.owner.session);
    const taskId = await aRunningTask();
    await expect.poll(() => owner.of('update').some((update) => update.task_id === taskId)).toBe(true);
    expect(guest.messages.length).toBe(before);
  });

  test('end with the session: the socket is closed', async () => {
    const guest = await openAs(project.guest.session);
    await server.database.transact((db) => db.deleteFrom('session').where('user_id', '=', project.guest.id).execute());
    server.engine.live.noteRights();
    await aRunningTask();
    await expect.poll(() => guest.closed).toBe(4401);
  });
});

async function removeMember(userId: number): Promise<void> {
  await server.database.transact((db) =>
    db.deleteFrom('project_user').where('project_id', '=', project.id).where('user_id', '=', userId).execute(),
  );
  server.engine.live.noteRights();
}

describe('a subscription', () => {
  test('brings what is stored, then what comes, then the end', async () => {
    const taskId = await aRunningTask('one', 'two');
    const browser = await openAs(project.guest.session);
    browser.say({ type: 'subscribe', task_id: taskId, from: 1 });
    await expect
      .poll(() => browser.lines)
      .toEqual([
        [1, 'one'],
        [2, 'two'],
      ]);
    await peer.write(taskId, 'three');
    await peer.finish(taskId);
    await expect.poll(() => browser.of('sealed')).toMatchObject([{ task_id: taskId, lines: 3 }]);
    expect(browser.lines.map(([line]) => line)).toEqual([1, 2, 3]);
  });

  test('resumes after a cut from the line after the last one that is there', async () => {
    const taskId = await aRunningTask('one', 'two', 'three');
    const browser = await openAs(project.guest.session);
    browser.say({ type: 'subscribe', task_id: taskId, from: 3 });
    await expect.poll(() => browser.lines).toEqual([[3, 'three']]);
    expect(browser.of('lines')[0]).toMatchObject({ first: 3, next: 4 });
  });

  test('has no gap and no double line while lines pour in', async () => {
    const taskId = await aRunningTask();
    const browser = await openAs(project.guest.session);
    const write = async () => {
      for (let block = 0; block < 40; block += 1) {
        const lines = Array.from({ length: 250 }, (_, index) => `line ${block * 250 + index + 1}`);
        await peer.write(taskId, ...lines);
        if (block === 5) browser.say({ type: 'subscribe', task_id: taskId, from: 1 });
      }
      await peer.finish(taskId);
    };
    await write();
    await expect.poll(() => browser.of('sealed').length, { timeout: 20_000 }).toBe(1);
    expect(browser.lines).toEqual(Array.from({ length: 10_000 }, (_, index) => [index + 1, `line ${index + 1}`]));
  });

  test('of a task of another project is refused, as one that does not exist', async () => {
    const taskId = await aRunningTask('one');
    const stranger = await openAs(project.stranger.session);
    stranger.say({ type: 'subscribe', task_id: taskId, from: 1 });
    stranger.say({ type: 'subscribe', task_id: 4711, from: 1 });
    await expect.poll(() => stranger.of('refused')).toHaveLength(2);
    expect(stranger.of('refused')[0]?.error).toBe(stranger.of('refused')[1]?.error);
    expect(stranger.lines).toEqual([]);
  });

  test('ends when the right to it ends', async () => {
    const taskId = await aRunningTask('one');
    const guest = await openAs(project.guest.session);
    guest.say({ type: 'subscribe', task_id: taskId, from: 1 });
    await expect.poll(() => guest.lines).toHaveLength(1);
    await removeMember(project.guest.id);
    await expect.poll(() => guest.of('refused')).toMatchObject([{ task_id: taskId }]);
    await peer.write(taskId, 'not for him');
    const owner = await openAs(project.owner.session);
    owner.say({ type: 'subscribe', task_id: taskId, from: 1 });
    await expect.poll(() => owner.lines).toHaveLength(2);
    expect(guest.lines).toHaveLength(1);
  });

  test('can be given up', async () => {
    const taskId = await aRunningTask('one');
    const browser = await openAs(project.guest.session);
    browser.say({ type: 'subscribe', task_id: taskId, from: 1 });
    await expect.poll(() => browser.lines).toHaveLength(1);
    browser.say({ type: 'unsubscribe', task_id: taskId });
    browser.say({ type: 'subscribe', task_id: 4711, from: 1 });
    await expect.poll(() => browser.of('refused')).toHaveLength(1);
    await peer.write(taskId, 'two');
    await peer.finish(taskId);
    await expect.poll(() => browser.of('update').at(-1)?.status).toBe('success');
    expect(browser.lines).toHaveLength(1);
  });
});

describe('a client of the older product', () => {
  test('that says nothing gets updates and lines of all its projects', async () => {
    const taskId = await aRunningTask('before');
    const old = await openAs(project.guest.session);
    const stranger = await openAs(project.stranger.session);
    await expect
      .poll(
        async () => {
          await peer.write(taskId, 'live');
          return old.of('log').length;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    expect(old.of('log')[0]).toMatchObject({ task_id: taskId, project_id: project.id, output: 'live' });
    expect(stranger.of('log')).toEqual([]);
  });

  test('is told of no other change', async () => {
    const taskId = await aRunningTask();
    const old = await openAs(project.guest.session);
    const own = await openAs(project.guest.session);
    own.say({ type: 'hello' });
    const hears = async () => {
      await peer.write(taskId, 'live');
      return old.of('log').length;
    };
    await expect.poll(hears, { timeout: 10_000, interval: 200 }).toBeGreaterThan(0);
    server.engine.live.noteChange(project.id, 'keys');
    await expect.poll(() => own.of('changed').length).toBe(1);
    expect(old.of('changed')).toEqual([]);
  });

  test('gets at most 500 lines a second, and is told how many were left out', async () => {
    const taskId = await aRunningTask();
    const old = await openAs(project.guest.session);
    await expect
      .poll(
        async () => {
          await peer.write(taskId, 'x');
          return old.of('log').length;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    await peer.upload(
      ...Array.from({ length: 6 }, (_, block) =>
        peer.frame(
          taskId,
          Array.from({ length: 500 }, (_line, index) => `flood ${block * 500 + index}`),
        ),
      ),
    );
    const isNotice = ({ output }: { output: string }) => /^\d+ lines skipped here, read the log$/.test(output);
    await expect.poll(() => old.of('log').some(isNotice), { timeout: 10_000 }).toBe(true);
    expect(old.of('log').length).toBeLessThan(1500);
  });

  test('is nobody who has said hello', async () => {
    const browser = await openAs(project.guest.session);
    browser.say({ type: 'hello' });
    const old = await openAs(project.guest.session);
    const taskId = await aRunningTask();
    await expect
      .poll(
        async () => {
          await peer.write(taskId, 'x');
          return old.of('log').length;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBeGreaterThan(0);
    expect(browser.of('log')).toEqual([]);
  });
});
