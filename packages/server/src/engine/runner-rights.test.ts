import { protocolVersion, sealAad } from '@signalbox/contract/runner-protocol';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
}, 60_000);
afterEach(() => server.stop());

async function launch(place: TestProject, tag: string | null = null): Promise<number> {
  const templateId = await aTemplate(server, place);
  await server.database.transact((db) =>
    db.updateTable('template').set({ runner_tag: tag }).where('id', '=', templateId).execute(),
  );
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: place.id },
    body: { template_id: templateId },
    session: place.runner.session,
  });
  return body.id;
}

/** What it is given within half a second: nothing, where it has no right to what waits. */
async function listen(peer: RunnerPeer): Promise<number[]> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  await peer.sync({}, controller.signal).catch(() => undefined);
  return [...peer.jobs.keys()];
}

async function readTask(id: number) {
  return await server.database.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

describe('a runner of a project', () => {
  test('gets the tasks of its project that have its tag, and none of another one', async () => {
    const other = await aProject(server);
    const { token } = await aRunner(server, { projectId: project.id, tag: 'edge' });
    const foreign = await launch(other, 'edge');
    const untagged = await launch(project);
    const own = await launch(project, 'edge');
    const peer = new RunnerPeer(token, server.url);
    expect(await listen(peer)).toEqual([own]);
    expect([(await readTask(foreign)).status, (await readTask(untagged)).status]).toEqual(['waiting', 'waiting']);
  });

  test('gets nothing of another one with a forged sync, whatever it says that it holds', async () => {
    const other = await aProject(server);
    const id = await launch(other);
    const honest = new RunnerPeer((await aRunner(server)).token, server.url);
    await honest.sync();
    await honest.start(id);
    const held = honest.claim(id);
    const thief = new RunnerPeer((await aRunner(server, { projectId: project.id, tag: 'edge' })).token, server.url);
    const before = await readTask(id);
    for (const claim of [held, { ...held, claim_id: '0'.repeat(32) }]) {
      thief.holds.set(id, { ...claim, phase: 'running', next_line: 1 });
      const answer = await thief.ask();
      expect(answer.jobs).toEqual([]);
      expect(answer.commands).toEqual([{ kind: 'forget', ...claim }]);
    }
    // Nor as the process that has it, whether or not this server has heard of that one.
    await expect(thief.ask({ instance: honest.instance })).rejects.toThrow(/^401 .*another runner/);
    server.engine.hub.forget(honest.instance);
    await expect(thief.ask({ instance: honest.instance })).rejects.toThrow(/^401 .*another runner/);
    const [verdict] = await thief.report({ kind: 'start', ...held, commit_hash: null, commit_message: '' });
    expect(verdict?.verdict).toBe('forget');
    expect(await readTask(id)).toEqual(before);
    expect((await honest.finish(id))?.verdict).toBe('done');
  });
});

test('who has stolen a token, and knows the public key that goes with it, gets boxes that he cannot open', async () => {
  const { id: runnerId, token } = await aRunner(server);
  const [honest, thief] = [new RunnerPeer(token, server.url), new RunnerPeer(token, server.url)];
  const { public_key } = honest.request();
  await server.database.transact((db) =>
    db.updateTable('runner').set({ public_key }).where('id', '=', runnerId).execute(),
  );
  await expect(thief.sync()).rejects.toThrow(/^401 .*another key/);
  const id = await launch(project);
  const [job] = (await thief.ask({ public_key })).jobs;
  expect(job?.task_id).toBe(id);
  if (job === undefined) return;
  const associated = sealAad(job, thief.instance);
  expect(() => thief.open(job.sealed, associated)).toThrow();
  expect(JSON.parse(honest.open(job.sealed, associated))).toMatchObject({ task_id: id });
});

describe('a tag', () => {
  test('is a right: of two runners each gets its own tasks, and says so while nobody is there', async () => {
    const [fast, slow] = [await launch(project, 'fast'), await launch(project, 'slow')];
    const peers = await Promise.all(
      ['fast', 'slow'].map(async (tag) => new RunnerPeer((await aRunner(server, { tag })).token, server.url)),
    );
    expect(await Promise.all(peers.map(listen))).toEqual([[fast], [slow]]);
    const gpu = await launch(project, 'gpu');
    await expect
      .poll(async () => (await readTask(gpu)).waiting_reason, { timeout: 10_000 })
      .toContain('No runner with the tag \\"gpu\\" is online');
  });
});

describe('the protocol before this one', () => {
  test('is spoken: a task runs to its end, and its runner counts as online', async () => {
    const { id: runnerId, token } = await aRunner(server, { tag: 'old' });
    const peer = new RunnerPeer(token, server.url);
    peer.protocol = protocolVersion - 1;
    const id = await launch(project, 'old');
    expect(await listen(peer)).toEqual([id]);
    expect((await peer.start(id))?.verdict).toBe('run');
    await peer.write(id, 'a line');
    expect((await peer.finish(id))?.verdict).toBe('done');
    expect(await readTask(id)).toMatchObject({ status: 'success', runner_id: runnerId });
    const facts = await server.engine.readFacts();
    expect(facts.problems).toEqual([]);
  });

  test('was the last: with an older or a newer one a runner is told what to update', async () => {
    const peer = new RunnerPeer((await aRunner(server)).token, server.url);
    peer.protocol = protocolVersion - 2;
    await expect(peer.sync()).rejects.toThrow(/^426 .*update the runner.*runner_outdated/);
    peer.protocol = protocolVersion + 1;
    await expect(peer.sync()).rejects.toThrow(/^426 .*update the server/);
  });
});
