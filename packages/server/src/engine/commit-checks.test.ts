import type { Probe } from '@signalbox/contract/job';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { aProject, aRepository, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import {
  aSchedule,
  changeSchedule,
  endTasks,
  listEvents,
  listTasks,
  reach,
  readSchedule,
} from '../test/schedule-world.ts';
import { aRunner, type EngineServer, startEngineServer, TestClock } from '../test/start-engine-server.ts';
import type { Finding } from './probes.ts';

const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

let clock: TestClock;
let database: TestDatabase;
let server: EngineServer;
let project: TestProject;
let repositoryId: number;
let templateId: number;
let minute: number;
/** What the runner answers, and what it was asked. */
let head: Finding;
let asked: Probe[];
let stopRunner: () => Promise<void>;

beforeEach(async () => {
  database = await openTestDatabase();
  clock = new TestClock();
  server = await startEngineServer({ clock, database });
  project = await aProject(server);
  repositoryId = await aRepository(server, project);
  templateId = await aTemplate(server, project, { repository_id: repositoryId });
  minute = Date.parse('2027-01-10T00:00:00Z');
  await reach(server, clock, minute + 1000);
  head = { ok: true, text: first };
  asked = [];
  stopRunner = await startRunner();
}, 60_000);
afterEach(async () => {
  await stopRunner();
  await server.stop();
});

/** A runner that answers questions and takes no task. */
async function startRunner(options: { tag?: string; projectId?: number } = {}): Promise<() => Promise<void>> {
  const peer = new RunnerPeer((await aRunner(server, options)).token, server.url);
  peer.free = 0;
  const ending = new AbortController();
  const run = async () => {
    for (;;) {
      const known = peer.probes.splice(0);
      asked.push(...known);
      const probe_answers = known.map(({ probe_id }) => ({ probe_id, ...head }));
      if (probe_answers.length > 0) {
        await peer.post('reports', { instance: peer.instance, reports: [], probe_answers }, ending.signal);
      }
      await peer.sync({}, ending.signal);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return async () => {
    ending.abort();
    await running;
  };
}

const aCheck = (input: object = {}) =>
  aSchedule(server, project, {
    template_id: templateId,
    cron_format: '* * * * *',
    repository_id: repositoryId,
    ...input,
  });

/** The next minute comes, and its look is over. */
async function passMinute(...ids: number[]): Promise<void> {
  minute += 60_000;
  await reach(server, clock, minute);
  const last_run = new Date(minute).toISOString();
  for (const id of ids) {
    await expect.poll(() => readSchedule(server, project, id), { timeout: 10_000 }).toMatchObject({ last_run });
  }
}

const commitsOf = async (id: number) => (await listTasks(server, id)).map((task) => task.commit_hash);

describe('a schedule that looks for new commits', () => {
  test('remembers the first one that it sees, and starts a task for each that comes after', async () => {
    const id = await aCheck();
    await passMinute(id);
    await passMinute(id);
    expect(await listTasks(server, id)).toEqual([]);
    head = { ok: true, text: second };
    await passMinute(id);
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second]);
    await endTasks(server);
    head = { ok: true, text: third };
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second, third]);
    expect(asked[0]).toMatchObject({ kind: 'remote_head', repository: { id: repositoryId, branch: 'main' } });
    expect(asked).toHaveLength(5);
  });

  test('never looks while it is switched off', async () => {
    const id = await aCheck({ active: false });
    const other = await aCheck();
    await changeSchedule(server, project, other, { active: false });
    await reach(server, clock, minute + 600_000);
    expect([asked, await listTasks(server, id)]).toEqual([[], []]);
    expect(await database.database.read.selectFrom('probe').selectAll().execute()).toEqual([]);
  });

  test('loses no commit whose task could not be started', async () => {
    templateId = await aTemplate(server, project, {
      repository_id: repositoryId,
      survey_vars: [{ name: 'stage', title: 'Stage', required: true }],
    });
    const id = await aCheck();
    await passMinute(id);
    head = { ok: true, text: second };
    await passMinute(id);
    await passMinute(id);
    expect(await listEvents(server, id)).toEqual(['Schedule Night started no task: Stage is required (stage)']);
    await changeSchedule(server, project, id, { params: { environment: '{"stage":"x"}' } });
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second]);
  });

  test('waits with a newer commit while the task of an older one waits', async () => {
    const id = await aCheck();
    await passMinute(id);
    head = { ok: true, text: second };
    await passMinute(id);
    head = { ok: true, text: third };
    await passMinute(id);
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second]);
    await endTasks(server);
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second, third]);
  });

  test('tells once of a branch that is not there, and goes on when it is', async () => {
    const id = await aCheck();
    head = { ok: false, text: 'The repository has no branch "main"' };
    await passMinute(id);
    head = { ok: false, text: 'The repository has no branch "main" (again)' };
    await passMinute(id);
    expect(await listEvents(server, id)).toEqual([
      'Schedule Night started no task: The repository has no branch "main"',
    ]);
    expect((await readSchedule(server, project, id)).problem?.code).toBe('unreachable');
    head = { ok: true, text: first };
    await passMinute(id);
    expect(await readSchedule(server, project, id)).toMatchObject({ problem: null });
    head = { ok: true, text: second };
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([second]);
  });

  test('takes the head of another branch or another address for no new commit', async () => {
    const id = await aCheck();
    await passMinute(id);
    const path = `/project/${project.id}/repositories/${repositoryId}`;
    const { body } = await server.call('GET', path, { session: project.guest.session });
    const change = { ...(body as object), git_branch: 'next' };
    expect((await server.call('PUT', path, { session: project.manager.session, body: change })).status).toBe(204);
    head = { ok: true, text: second };
    await passMinute(id);
    expect(asked.at(-1)?.repository.branch).toBe('next');
    expect(await listTasks(server, id)).toEqual([]);
    head = { ok: true, text: third };
    await passMinute(id);
    expect(await commitsOf(id)).toEqual([third]);
  });

  test('looks at the branch that its tasks run, and gives no commit of a repository to tasks of another', async () => {
    const ofBranch = await aCheck({ params: { git_branch: 'release' } });
    const other = await aTemplate(server, project);
    const ofOther = await aCheck({ template_id: other, params: { git_branch: 'release' } });
    await passMinute(ofBranch, ofOther);
    expect(asked.map((probe) => probe.repository.branch).sort()).toEqual(['main', 'release']);
    head = { ok: true, text: second };
    await passMinute(ofBranch, ofOther);
    expect(await commitsOf(ofBranch)).toEqual([second]);
    expect(await commitsOf(ofOther)).toEqual([null]);
  });

  test('believes no answer that is no commit', async () => {
    const id = await aCheck();
    await passMinute(id);
    head = { ok: true, text: '--upload-pack=x' };
    await passMinute(id);
    expect(await listTasks(server, id)).toEqual([]);
    expect((await readSchedule(server, project, id)).problem?.code).toBe('unreachable');
  });

  test('asks once where several look at the same branch at once', async () => {
    const ids = [await aCheck(), await aCheck(), await aCheck()];
    await passMinute(...ids);
    expect(asked).toHaveLength(1);
  });

  test('asks only a runner that may serve the tasks of its template', async () => {
    templateId = await aTemplate(server, project, { repository_id: repositoryId, runner_tag: 'inside' });
    const id = await aCheck();
    await reach(server, clock, minute + 60_000);
    const open = () => database.database.read.selectFrom('probe').select(['runner_tag', 'instance']).execute();
    await expect.poll(open).toEqual([{ runner_tag: 'inside', instance: null }]);
    expect(asked).toEqual([]);
    await stopRunner();
    stopRunner = await startRunner({ tag: 'inside', projectId: project.id });
    await expect.poll(() => readSchedule(server, project, id)).toMatchObject({ last_run: '2027-01-10T00:01:00.000Z' });
    expect(asked).toHaveLength(1);
  });

  test('is given up in time where no runner answers, and says so', async () => {
    await stopRunner();
    await server.halt();
    server = await startEngineServer({ clock, database, settings: { patienceMs: 1000 } });
    const id = await aCheck();
    await reach(server, clock, minute + 60_000);
    await expect
      .poll(() => readSchedule(server, project, id), { timeout: 10_000 })
      .toMatchObject({ problem: { code: 'unreachable', text: 'No runner has answered within 1 seconds' } });
    expect(await database.database.read.selectFrom('probe').selectAll().execute()).toEqual([]);
  });

  test('that is under way when the server ends leaves no wrong problem behind', async () => {
    await stopRunner();
    const id = await aCheck();
    await reach(server, clock, minute + 60_000);
    const open = () => database.database.read.selectFrom('probe').select('id').execute();
    await expect.poll(async () => (await open()).length).toBe(1);
    await server.halt();
    expect(await open()).toEqual([]);
    server = await startEngineServer({ clock, database });
    expect(await readSchedule(server, project, id)).toMatchObject({ problem: null, last_run: null });
  });
});
