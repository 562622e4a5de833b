import { environmentRoutes } from '@signalbox/contract/environments';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { anIntegration, listTasksOf } from '../../test/integrations.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;
beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(() => server.stop());

const call = (alias: string, body: object) =>
  fetch(`${server.url}/api/integrations/${alias}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a runner gets the values of the call, which win over the variable group; secret answers come as secrets', async () => {
  const group = await server.ask(environmentRoutes.create, {
    params: { project_id: project.id },
    body: {
      name: 'group',
      json: JSON.stringify({ region: 'group', size: 'group' }),
      secrets: [{ type: 'var', name: 'colour', secret: 'group' }],
    },
    session: project.owner.session,
  });
  const template_id = await aTemplate(server, project, {
    environment_id: group.body.id,
    survey_vars: [{ name: 'pin', title: 'Pin', type: 'secret' }],
  });
  const values = ['region', 'colour', 'pin', 'missing'].map((name) => ({ name, key: name, variable: name }));
  const { id, alias } = await anIntegration(server, project, { template_id, values });
  expect((await call(alias, { region: 'call', colour: 'call', pin: 42 })).status).toBe(204);
  await peer.sync();
  const [task] = await listTasksOf(server, id);
  const job = peer.jobs.get(task?.id ?? 0);
  expect(job?.variables).toEqual({ region: 'call', colour: 'call', size: 'group' });
  expect(job?.secret_variables).toEqual({ pin: '42' });
  expect(job?.given_variables).toEqual(['region', 'colour', 'pin']);
});

test('a call that comes while the server ends is not lost: its task waits for the next start', async () => {
  const { id, alias } = await anIntegration(server, project);
  await server.engine.endWork();
  expect((await call(alias, {})).status).toBe(204);
  expect(await listTasksOf(server, id)).toHaveLength(1);
  const rows = await server.database.read.selectFrom('task').select('status').execute();
  expect(rows).toEqual([{ status: 'waiting' }]);
});
