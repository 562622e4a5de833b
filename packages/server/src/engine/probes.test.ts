import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aPasswordKey, aProject, aRepository, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';
import type { Finding } from './probes.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(() => server.stop());

async function ask(): Promise<Promise<Finding>[]> {
  const keyId = await aPasswordKey(server, project.id, 'geheim-passwort');
  const repositoryId = await aRepository(server, { ...project, noneKeyId: keyId }, 'https://git.example.org/x.git');
  // In an array: a promise that is returned would be waited for.
  return [server.engine.askRunner({ projectId: project.id, kind: 'remote_head', repositoryId })];
}

const storedQuestions = () => server.database.read.selectFrom('probe').selectAll().execute();

describe('a question to a runner', () => {
  test('goes out sealed with the open sync, and is answered in the next one', async () => {
    const open = peer.sync();
    const [found] = await ask();
    await open;
    const [probe] = peer.probes;
    expect(probe).toMatchObject({
      kind: 'remote_head',
      repository: { branch: 'main', key: { type: 'login_password', password: 'geheim-passwort' } },
    });
    expect(JSON.stringify(await storedQuestions())).not.toContain('geheim');
    const answers = [{ probe_id: probe?.probe_id ?? '', ok: true, text: 'c'.repeat(40) }];
    const { probes_done } = await peer.sync({ probe_answers: answers });
    expect(probes_done).toEqual([probe?.probe_id]);
    expect(await found).toEqual({ ok: true, text: 'c'.repeat(40) });
    expect(await storedQuestions()).toEqual([]);
  });

  test('may be answered at once, beside the open sync', async () => {
    const [found] = await ask();
    await peer.sync();
    const probe_id = peer.probes[0]?.probe_id ?? '';
    const next = peer.sync();
    await peer.post('reports', {
      instance: peer.instance,
      reports: [],
      probe_answers: [{ probe_id, ok: false, text: 'The branch does not exist\0' }],
    });
    expect(await found).toEqual({ ok: false, text: 'The branch does not exist' });
    expect((await next).probes_done).toEqual([probe_id]);
  });

  test('is asked again when the answer that carried it was lost, but not for ever', async () => {
    const [found] = await ask();
    const lost = await peer.ask();
    expect(lost.probes).toHaveLength(1);
    await peer.sync();
    expect(peer.probes).toHaveLength(1);
    const answer = { probe_id: peer.probes[0]?.probe_id ?? '', ok: true, text: 'found' };
    await peer.sync({ probe_answers: [answer] });
    expect(await found).toMatchObject({ ok: true });
  });

  test('about a repository of another project is no question', async () => {
    const elsewhere = await aProject(server);
    const repositoryId = await aRepository(server, elsewhere);
    const found = await server.engine.askRunner({ projectId: project.id, kind: 'repository_test', repositoryId });
    expect(found).toEqual({ ok: false, text: 'There is no such repository in this project' });
  });

  test('is not given to a runner with a tag', async () => {
    const tagged = new RunnerPeer((await aRunner(server, { tag: 'gpu' })).token, server.url);
    const controller = new AbortController();
    const open = tagged.ask({}, controller.signal).catch(() => 'nothing');
    await expect.poll(() => [...server.engine.hub.sessions()].some((session) => session.isOpen)).toBe(true);
    const [found] = await ask();
    await peer.sync();
    expect(peer.probes).toHaveLength(1);
    controller.abort();
    expect(await open).toBe('nothing');
    await peer.sync({ probe_answers: [{ probe_id: peer.probes[0]?.probe_id ?? '', ok: true, text: '' }] });
    await found;
  });

  test('that was answered long ago is not answered again', async () => {
    const { probes_done } = await peer.sync({ probe_answers: [{ probe_id: 'unknown', ok: true, text: '' }] });
    expect(probes_done).toEqual(['unknown']);
  });
});
