import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer, type TestRunner } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let runner: TestRunner;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  runner = await aRunner(server);
  // The first one starts PostgreSQL.
}, 60_000);
afterEach(() => server.stop());

const newPeer = () => new RunnerPeer(runner.token, server.url);

async function launch(templateId?: number): Promise<number> {
  const template_id = templateId ?? (await aTemplate(server, project));
  const { status, body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id },
    session: project.owner.session,
  });
  expect(status).toBe(201);
  return body.id;
}

async function read(taskId: number) {
  return await server.database.read.selectFrom('task').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow();
}

async function stop(taskId: number, force = false): Promise<number> {
  const { status } = await server.ask(taskRoutes.stop, {
    params: { project_id: project.id, task_id: taskId },
    body: { force },
    session: project.owner.session,
  });
  return status;
}

describe('a task', () => {
  test('is claimed, started, logged, sealed and ended by a runner', async () => {
    const peer = newPeer();
    const taskId = await launch();
    const answer = await peer.sync();
    expect(answer.jobs.map((job) => job.task_id)).toEqual([taskId]);
    expect(peer.jobs.get(taskId)).toMatchObject({ playbook: 'hello.sh', app: { id: 'bash' } });
    expect(await read(taskId)).toMatchObject({ status: 'starting', fence: 1, runner_id: runner.id });

    expect(await peer.start(taskId)).toMatchObject({ verdict: 'run' });
    expect(await read(taskId)).toMatchObject({ status: 'running', commit_hash: 'c'.repeat(40) });
    expect(await peer.write(taskId, 'one', 'two')).toEqual({
      tasks: [{ task_id: taskId, next_line: 3, forget: false }],
    });
    expect(await peer.finish(taskId)).toMatchObject({ verdict: 'done' });
    expect(await read(taskId)).toMatchObject({ status: 'success', reason: '' });

    const { body } = await server.ask(taskRoutes.log, {
      params: { project_id: project.id, task_id: taskId },
      session: project.guest.session,
    });
    expect(body).toMatchObject({ total: 2, sealed: true });
    expect(body.lines.map((line) => line.output)).toEqual(['one', 'two']);
  });

  test('that is launched while a sync is open goes out with its answer', async () => {
    const peer = newPeer();
    const open = peer.sync();
    const taskId = await launch();
    expect((await open).jobs.map((job) => job.task_id)).toEqual([taskId]);
  });

  test('is handed over once: no later answer has its secrets again, before its start or after', async () => {
    const peer = newPeer();
    const first = await launch();
    await peer.sync();
    const second = await launch();
    expect((await peer.sync()).jobs.map((job) => job.task_id)).toEqual([second]);
    await peer.start(first);
    const third = await launch();
    expect((await peer.sync()).jobs.map((job) => job.task_id)).toEqual([third]);
  });

  test('leaves three lines in the activity list', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    await peer.finish(taskId);
    const events = await server.database.read
      .selectFrom('event')
      .select(['description', 'user_id'])
      .where('object_type', '=', 'task')
      .orderBy('id')
      .execute();
    expect(events.map((event) => event.description.replace(/\(.*\)/, '(name)'))).toEqual([
      `Task ID ${taskId} queued for running`,
      `Task ID ${taskId} (name) is running`,
      `Task ID ${taskId} (name) finished - SUCCESS`,
    ]);
    expect(events.every((event) => event.user_id === project.owner.id)).toBe(true);
  });
});

describe('an answer of a sync that is lost', () => {
  test('leaves nothing behind: the task waits again, and goes out under a new fence', async () => {
    const peer = newPeer();
    const taskId = await launch();
    const lost = await peer.ask();
    expect(lost.jobs).toHaveLength(1);

    const answer = await peer.sync();
    expect(answer.jobs).toMatchObject([{ task_id: taskId, fence: 2 }]);
    expect(answer.jobs[0]?.claim_id).not.toBe(lost.jobs[0]?.claim_id);
  });

  test('does not bring a task to the tool a second time: the old claim may not start', async () => {
    const peer = newPeer();
    await launch();
    const [job] = (await peer.ask()).jobs;
    if (job === undefined) throw new Error('No job came');
    await peer.sync();
    const { sealed: _, ...claim } = job;
    const [answer] = await peer.report({ kind: 'start', ...claim, commit_hash: null, commit_message: '' });
    expect(answer).toMatchObject({ verdict: 'forget' });
  });

  test('counts as a claim, and after three of them the task ends', async () => {
    const peer = newPeer();
    const taskId = await launch();
    for (let claim = 1; claim <= 3; claim += 1) expect((await peer.ask()).jobs).toMatchObject([{ fence: claim }]);
    const controller = new AbortController();
    const last = peer.ask({}, controller.signal).catch(() => undefined);
    await expect.poll(async () => (await read(taskId)).status).toBe('error');
    expect((await read(taskId)).reason).toBe('could not be prepared: the runner was lost 3 times');
    controller.abort();
    await last;
  });

  test('that carried the start permission is asked for again and is the same', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    expect(await peer.start(taskId)).toMatchObject({ verdict: 'run' });
    const first = await read(taskId);
    expect(await peer.start(taskId)).toMatchObject({ verdict: 'run' });
    expect(await read(taskId)).toEqual(first);
  });

  test('that carried the end is asked for again and is the same', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    const report = {
      kind: 'finish',
      ...peer.claim(taskId),
      outcome: 'success',
      reason: '',
      exit_code: 0,
      strays: 0,
      seal: { lines: 0, bytes: 0, crc: 0 },
    } as const;
    expect(await peer.report(report)).toMatchObject([{ verdict: 'done' }]);
    const first = await read(taskId);
    expect(await peer.report({ ...report, outcome: 'error', reason: 'other' })).toMatchObject([{ verdict: 'done' }]);
    expect(await read(taskId)).toEqual(first);
  });
});

describe('a stop', () => {
  test('of a waiting task is done at once', async () => {
    const taskId = await launch();
    expect(await stop(taskId)).toBe(204);
    expect(await read(taskId)).toMatchObject({ status: 'stopped' });
    expect(await stop(taskId)).toBe(409);
  });

  test('wins over a start that is asked for later', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await stop(taskId);
    expect(await peer.start(taskId)).toMatchObject({ verdict: 'stop' });
    expect(await peer.finish(taskId, { outcome: 'stopped' })).toMatchObject({ verdict: 'done' });
    expect(await read(taskId)).toMatchObject({ status: 'stopped', start: null });
  });

  test('that races with the start ends in one of two ways, never in both', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    const [answer] = await Promise.all([peer.start(taskId), stop(taskId)]);
    const { status, start } = await read(taskId);
    expect(status).toBe('stopping');
    expect(answer?.verdict).toBe(start === null ? 'stop' : 'run');
  });

  test('reaches the runner through its open sync, and force after it', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    const open = peer.sync();
    await stop(taskId);
    expect((await open).commands).toEqual([{ kind: 'stop', ...peer.claim(taskId) }]);
    const next = peer.sync();
    await stop(taskId, true);
    expect((await next).commands).toEqual([{ kind: 'force', ...peer.claim(taskId) }]);
  });

  test('ends as stopped, whatever the tool makes of it', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    await stop(taskId);
    await peer.finish(taskId, { outcome: 'success' });
    expect(await read(taskId)).toMatchObject({ status: 'stopped', reason: '' });
  });

  test('is repeated to a runner that lost the answer', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    await stop(taskId);
    expect((await peer.ask()).commands).toHaveLength(1);
    expect((await peer.ask()).commands).toHaveLength(1);
  });
});

describe('the log', () => {
  test('must be complete before its task can end', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    await peer.write(taskId, 'one');
    const rest = peer.frame(taskId, ['two', 'three']);
    expect(await peer.finish(taskId)).toEqual({ verdict: 'log_incomplete', task_id: taskId, next_line: 2 });
    expect(await read(taskId)).toMatchObject({ status: 'running' });
    await peer.upload(rest);
    expect(await peer.finish(taskId)).toMatchObject({ verdict: 'done' });
  });

  test('takes a frame once, however often it is sent', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.start(taskId);
    const frame = peer.frame(taskId, ['one', 'two']);
    await peer.upload(frame);
    expect(await peer.upload(frame)).toMatchObject({ tasks: [{ next_line: 3 }] });
    expect(await peer.finish(taskId)).toMatchObject({ verdict: 'done' });
  });

  test('is refused for a claim that is not held any more', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    const frame = peer.frame(taskId, ['of the old claim']);
    peer.holds.clear();
    await peer.sync();
    expect(await peer.upload(frame)).toEqual({ tasks: [{ task_id: taskId, next_line: 1, forget: true }] });
  });

  test('begins anew with each claim', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    await peer.write(taskId, 'of the first claim');
    peer.holds.clear();
    await peer.sync();
    await peer.write(taskId, 'of the second');
    await peer.start(taskId);
    await peer.finish(taskId);
    const { text } = await server.call('GET', `/project/${project.id}/tasks/${taskId}/raw_output`, {
      session: project.guest.session,
    });
    expect(text).toBe('of the second\n');
  });

  test('that is no frames is refused with a clear error', async () => {
    const peer = newPeer();
    await expect(peer.upload(Buffer.from('this is not a frame'))).rejects.toThrow('400');
  });
});

describe('a runner', () => {
  test('with a limit gets no more than it has room for, and the next when one has ended', async () => {
    const peer = newPeer();
    peer.free = 2;
    const ids = [await launch(), await launch(), await launch()];
    expect((await peer.sync()).jobs).toHaveLength(2);
    peer.free = 0;
    const open = peer.sync();
    await peer.start(ids[0] ?? 0);
    await peer.finish(ids[0] ?? 0);
    expect((await open).jobs.map((job) => job.task_id)).toEqual([ids[2]]);
  });

  test('is told to forget what it holds and the server does not know', async () => {
    const peer = newPeer();
    const hold = { task_id: 4711, fence: 1, claim_id: 'unknown', phase: 'running', next_line: 1 } as const;
    peer.holds.set(4711, hold);
    const { commands } = await peer.sync();
    expect(commands).toEqual([{ kind: 'forget', task_id: 4711, fence: 1, claim_id: 'unknown' }]);
  });

  test('of an older protocol is told to update', async () => {
    const peer = newPeer();
    peer.protocol = -1;
    await expect(peer.sync()).rejects.toThrow(/426.*runner_outdated/);
  });

  test('with an unknown token is refused', async () => {
    await expect(new RunnerPeer('guess', server.url).sync()).rejects.toThrow('401');
  });

  test('cannot touch a task of another runner', async () => {
    const peer = newPeer();
    const taskId = await launch();
    await peer.sync();
    const other = new RunnerPeer((await aRunner(server)).token, server.url);
    const claim = peer.claim(taskId);
    expect(await other.report({ kind: 'start', ...claim, commit_hash: null, commit_message: '' })).toMatchObject([
      { verdict: 'forget' },
    ]);
    expect(await other.upload(peer.frame(taskId, ['foreign']))).toMatchObject({ tasks: [{ forget: true }] });
    expect(await read(taskId)).toMatchObject({ status: 'starting' });
  });

  test('that drains gets no work', async () => {
    const peer = newPeer();
    await launch();
    const controller = new AbortController();
    const open = peer.ask({ draining: true }, controller.signal).catch(() => 'nothing');
    await server.engine.sweep();
    controller.abort();
    expect(await open).toBe('nothing');
  });

  test('whose newest sync wins: the older one is answered at once', async () => {
    const peer = newPeer();
    const older = peer.ask();
    await expect.poll(() => [...server.engine.hub.sessions()].some((session) => session.isOpen)).toBe(true);
    const newer = peer.ask();
    expect((await older).jobs).toEqual([]);
    const taskId = await launch();
    expect((await newer).jobs.map((job) => job.task_id)).toEqual([taskId]);
  });
});

describe('a task that cannot be made ready', () => {
  test('ends with the reason, and the queue goes on', async () => {
    const peer = newPeer();
    const templateId = await aTemplate(server, project);
    const taskId = await launch(templateId);
    await server.database.transact((db) =>
      db.updateTable('template').set({ repository_id: null }).where('id', '=', templateId).execute(),
    );
    const open = peer.sync();
    await expect.poll(async () => (await read(taskId)).status).toBe('error');
    expect(await read(taskId)).toMatchObject({ reason: 'Its template has no repository' });
    const next = await launch();
    expect((await open).jobs.map((job) => job.task_id)).toEqual([next]);
  });
});
