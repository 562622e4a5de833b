import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import {
  aRunner,
  type EngineServer,
  startEngineServer,
  TestClock,
  type TestRunner,
} from '../test/start-engine-server.ts';
import { sweepSilent } from './silent-runners.ts';

let clock: TestClock;
let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let runner: TestRunner;

beforeEach(async () => {
  database = await openTestDatabase();
  clock = new TestClock();
  server = await startEngineServer({ clock, database });
  project = await aProject(server);
  runner = await aRunner(server, { lostAfterSeconds: 300 });
}, 60_000);
afterEach(() => server.stop());

/** A process that began later than those before it. */
function newPeer(): RunnerPeer {
  clock.advance(1);
  return new RunnerPeer(runner.token, server.url);
}
const place = (taskId: number) => ({ project_id: project.id, task_id: taskId });

async function launch(): Promise<number> {
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: await aTemplate(server, project) },
    session: project.owner.session,
  });
  return body.id;
}

async function read(taskId: number) {
  const { body } = await server.ask(taskRoutes.get, { params: place(taskId), session: project.guest.session });
  return body;
}

async function readLog(taskId: number) {
  const { body } = await server.ask(taskRoutes.log, { params: place(taskId), session: project.guest.session });
  return body;
}

/** A runner with one task that it prepares and one that it runs. */
async function aBusyPeer() {
  const peer = newPeer();
  const prepared = await launch();
  const started = await launch();
  await peer.sync();
  await peer.start(started);
  await peer.write(started, 'first line');
  return { peer, prepared, started };
}

/** Time passes as the server sees it: with a sweep every five seconds. */
async function passTime(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.advance(5000);
    await server.engine.sweep();
  }
}

describe('a runner that is silent', () => {
  test('loses after 15 s what it had not started, and nothing else', async () => {
    const { prepared, started } = await aBusyPeer();
    await passTime(10);
    expect(await read(prepared)).toMatchObject({ status: 'starting' });
    await passTime(5);
    expect(await read(prepared)).toMatchObject({ status: 'waiting' });
    expect(await read(started)).toMatchObject({ status: 'running', unreachable_since: null });
  });

  async function startPatient(runnerSilentMs: number): Promise<void> {
    await server.stop();
    database = await openTestDatabase();
    clock = new TestClock();
    server = await startEngineServer({ clock, database, settings: { runnerSilentMs } });
    project = await aProject(server);
    runner = await aRunner(server, { lostAfterSeconds: 300 });
  }

  test('is online as long as it speaks, however long the server is set to wait for a silent one', async () => {
    await startPatient(3_600_000);
    const { peer } = await aBusyPeer();
    clock.advance(14_000);
    await launch();
    await peer.sync();
    clock.advance(14_000);
    expect((await server.engine.readFacts()).problems).toEqual([]);
  });

  test('loses it sooner where the server is set to wait for less', async () => {
    await startPatient(5000);
    const { prepared, started } = await aBusyPeer();
    await passTime(10);
    expect(await read(prepared)).toMatchObject({ status: 'waiting' });
    await passTime(5);
    expect(await read(started)).toMatchObject({ status: 'running', unreachable_since: expect.any(String) });
  });

  test('has its started tasks shown as unreachable after 30 s, since it was last heard of', async () => {
    const { started } = await aBusyPeer();
    const lastHeard = new Date(clock.now()).toISOString();
    await passTime(30);
    expect(await read(started)).toMatchObject({ status: 'running', unreachable_since: lastHeard });
  });

  test('that comes back goes on with its started task as if nothing had been', async () => {
    const { peer, prepared, started } = await aBusyPeer();
    await passTime(60);
    const answer = await peer.sync();
    expect(answer.commands).toMatchObject([{ kind: 'forget', task_id: prepared }]);
    expect(await read(started)).toMatchObject({ status: 'running', unreachable_since: null });
    expect(await peer.finish(started)).toMatchObject({ verdict: 'done' });
    expect(await read(started)).toMatchObject({ status: 'success' });
  });

  test('is given up after its own limit, and the task says what is not known', async () => {
    const { started } = await aBusyPeer();
    const lastHeard = new Date(clock.now()).toISOString();
    await passTime(295);
    expect(await read(started)).toMatchObject({ status: 'running' });
    await passTime(5);
    const reason = `runner lost, not heard of since ${lastHeard}; what it started may still be running there`;
    expect(await read(started)).toMatchObject({ status: 'error', reason });
    const log = await readLog(started);
    expect(log).toMatchObject({ sealed: true, total: 2 });
    expect(log.lines[1]).toMatchObject({ line: 2, gap: 1 });
  });

  test('that comes back after it was given up is told to forget', async () => {
    const { peer, started } = await aBusyPeer();
    await passTime(300);
    const { commands } = await peer.sync();
    expect(commands).toContainEqual({ kind: 'forget', ...peer.claimOf(started) });
    expect(await read(started)).toMatchObject({ status: 'error' });
  });

  test('and whose task is stopped by force ends it as stopped, with the same honesty', async () => {
    const { started } = await aBusyPeer();
    await passTime(30);
    const { status } = await server.ask(taskRoutes.stop, {
      params: place(started),
      body: { force: true },
      session: project.owner.session,
    });
    expect(status).toBe(204);
    expect(await read(started)).toMatchObject({
      status: 'stopped',
      reason: expect.stringContaining('may still be running'),
    });
    expect(await readLog(started)).toMatchObject({ sealed: true });
  });
});

describe('a server or a database that was away', () => {
  test('ends nothing: no lease runs out while nobody could be heard', async () => {
    const { prepared, started } = await aBusyPeer();
    // Ten minutes without a sweep: the server was stopped, or the machine slept.
    clock.advance(600_000);
    await server.engine.sweep();
    await passTime(10);
    expect(await read(prepared)).toMatchObject({ status: 'starting' });
    expect(await read(started)).toMatchObject({ status: 'running', unreachable_since: null });
  });

  test('counts silence from its last failure on', async () => {
    const { prepared, started } = await aBusyPeer();
    const silence = {
      now: clock.now() + 600_000,
      lastHeard: () => 0,
      isBuiltInAlive: () => false,
      server: '',
      silentMs: 15_000,
    };
    const { changed } = await sweepSilent(server.database, { ...silence, healthySince: clock.now() + 590_000 });
    expect(changed).toEqual([]);
    const later = await sweepSilent(server.database, { ...silence, healthySince: clock.now() + 584_000 });
    expect(later.changed.map((task) => task.id)).toEqual([prepared]);
    expect(await read(started)).toMatchObject({ status: 'running' });
  });
});

describe('a successor', () => {
  test('proves its predecessor dead: what was prepared waits again, what nobody holds has lost its runner', async () => {
    const { prepared, started } = await aBusyPeer();
    const successor = newPeer();
    const answer = await successor.sync();
    // It is the next to prepare it.
    expect(answer.jobs).toMatchObject([{ task_id: prepared, fence: 2 }]);
    const task = await read(started);
    expect(task).toMatchObject({ status: 'error' });
    expect(task.reason).toContain('runner lost');
    expect(await readLog(started)).toMatchObject({ sealed: true });
  });

  test('carries on with the log and the end of what its predecessor had started', async () => {
    const { peer, started } = await aBusyPeer();
    const successor = newPeer();
    const hold = peer.holds.get(started);
    if (hold === undefined) throw new Error('The task is not held');
    successor.inherit(hold, peer.logOf(started));
    const answer = await successor.sync();
    expect(answer.commands).toEqual([]);
    expect(await read(started)).toMatchObject({ status: 'running' });

    expect(await successor.write(started, 'last line')).toMatchObject({ tasks: [{ next_line: 3, forget: false }] });
    const end = { outcome: 'error', reason: 'runner lost', exit_code: null } as const;
    expect(await successor.finish(started, end)).toMatchObject({ verdict: 'done' });
    expect(await read(started)).toMatchObject({ status: 'error', reason: 'runner lost' });
    const log = await readLog(started);
    expect(log.lines.map((line) => line.output)).toEqual(['first line', 'last line']);
    expect(log.sealed).toBe(true);
  });

  test('that lists what was never permitted to start does not end it', async () => {
    const { peer, prepared } = await aBusyPeer();
    const successor = newPeer();
    const hold = peer.holds.get(prepared);
    if (hold === undefined) throw new Error('The task is not held');
    successor.inherit(hold, { next: 1, bytes: 0, crc: 0 });
    const { commands } = await successor.sync();
    expect(commands).toMatchObject([{ kind: 'forget', task_id: prepared, fence: 1 }]);
    expect(await read(prepared)).not.toMatchObject({ status: 'error' });
    await expect.poll(() => successor.sync().then(() => successor.jobs.has(prepared))).toBe(true);
  });

  test('does not end the tasks of an older process that it names as alive', async () => {
    const { peer, prepared, started } = await aBusyPeer();
    const successor = newPeer();
    successor.alongside = [peer.instance];
    const controller = new AbortController();
    const open = successor.ask({}, controller.signal).catch(() => 'nothing');
    const isHeard = () => [...server.engine.hub.sessions()].some(({ instance }) => instance === successor.instance);
    await expect.poll(isHeard).toBe(true);
    await expect
      .poll(() => peer.sync({ draining: true }).then(({ commands }) => commands))
      .toEqual([{ kind: 'drain' }]);
    controller.abort();
    expect(await open).toBe('nothing');
    expect(await read(prepared)).toMatchObject({ status: 'starting' });
    expect(await peer.finish(started)).toMatchObject({ verdict: 'done' });
  });

  test('makes an older process that is not named end: it is told to drain and to forget', async () => {
    const { peer, started } = await aBusyPeer();
    await newPeer().sync();
    const { commands } = await peer.sync();
    expect(commands).toContainEqual({ kind: 'forget', ...peer.claimOf(started) });
    expect(commands).toContainEqual({ kind: 'drain' });
  });
});

describe('a restarted server', () => {
  test('goes on with the runner as it was', async () => {
    const { peer, prepared, started } = await aBusyPeer();
    await server.halt();
    server = await startEngineServer({ clock, database });
    const next = await launch();
    const { commands, jobs } = await peer.at(server.url).sync();
    expect(commands).toEqual([]);
    expect(jobs).toMatchObject([{ task_id: next }]);
    expect(await read(prepared)).toMatchObject({ status: 'starting' });
    expect(await peer.start(prepared)).toMatchObject({ verdict: 'run' });
    expect(await peer.write(started, 'after the restart')).toMatchObject({ tasks: [{ next_line: 3 }] });
    expect(await peer.finish(started)).toMatchObject({ verdict: 'done' });
  });
});
