import { deliveryRoutes } from '@signalbox/contract/deliveries';
import { eventRoutes } from '@signalbox/contract/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { anIntegration, aProjectAlias, listDeliveriesOf, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { githubCall, gitlabCall } from '../../test/webhook-calls.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_WEBHOOK_CALLS_PER_MINUTE: '0' } });
  project = await aProject(server);
});
afterAll(() => server.stop());

const secret = 'agreed-with-the-forge';
const session = () => project.owner.session;
const at = (integration: number, delivery: number) => ({
  project_id: project.id,
  integration_id: integration,
  delivery_id: delivery,
});
const read = async (integration: number, delivery: number) =>
  (await server.ask(deliveryRoutes.get, { params: at(integration, delivery), session: session() })).body;
const replay = (integration: number, delivery: number, by = session()) =>
  server.ask(deliveryRoutes.replay, { params: at(integration, delivery), session: by });
const latest = async (integration: number) => {
  const [delivery] = await listDeliveriesOf(server, project, integration);
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery;
};

test('a delivery tells step by step what became of it, and shows what came', async () => {
  const { id, alias } = await anIntegration(server, project, {
    auth_method: 'github',
    secret,
    matchers: [
      { name: 'event', match_type: 'header', key: 'X-GitHub-Event', value: 'push' },
      { name: 'branch', key: 'ref', method: 'contains', value: 'main' },
    ],
    values: [
      { name: 'commit', key: 'after', variable: 'commit' },
      { name: 'gone', key: 'no.such', variable: 'gone' },
    ],
  });
  const { headers, body } = githubCall('push', { secret });
  await server.call('POST', `/integrations/${alias}`, { headers, body });
  const delivery = await latest(id);
  const [task] = await listTasksOf(server, id);
  expect(delivery).toMatchObject({
    integration_id: id,
    project_id: project.id,
    method: 'POST',
    task_id: task?.id,
    verdict: {
      outcome: 'started',
      text: `Task ID ${task?.id} was started`,
      reached_by: 'integration',
      authentication: { method: 'github', accepted: true, text: 'The signature is right' },
      matchers: [
        { name: 'event', expected: 'push', actual: 'push', matched: true },
        { name: 'branch', expected: 'main', actual: 'refs/heads/main', matched: true },
      ],
      values: [
        { name: 'commit', variable: 'commit', value: '5f6b7a8c9d0e1f23456789abcdef0123456789ab' },
        { name: 'gone', variable: 'gone', value: null },
      ],
      body: { size: body.length, kept: 'all' },
      replay: null,
    },
  });
  const detail = await read(id, delivery.id);
  expect(detail).toMatchObject(delivery);
  expect(detail.body).toBe(body.toString());
  expect(detail.headers).toMatchObject({
    'x-github-event': 'push',
    'x-hub-signature': '***',
    'x-hub-signature-256': '***',
  });
});

test('each reason for which no task was started is told', async () => {
  const template_id = await aTemplate(server, project, {
    survey_vars: [{ name: 'size', title: 'Size', type: 'int', required: true }],
  });
  const { id, alias } = await anIntegration(server, project, {
    auth_method: 'token',
    auth_header: 'X-Gitlab-Token',
    secret,
    template_id,
    matchers: [{ name: 'branch', key: 'ref', value: 'refs/heads/production' }],
    values: [{ name: 'size', key: 'size', variable: 'size' }],
  });
  const send = async (by: string, body: object) => {
    await server.call('POST', `/integrations/${alias}`, { headers: gitlabCall({ secret: by }).headers, body });
    const { verdict, task_id } = await latest(id);
    expect(task_id).toBeNull();
    return [verdict.outcome, verdict.text];
  };
  expect(await send('wrong', {})).toEqual(['refused', 'The token is wrong']);
  expect(await send(secret, { ref: 'x' })).toEqual(['not_matched', 'The matcher "branch" does not hold']);
  const ref = 'refs/heads/production';
  expect(await send(secret, { ref })).toEqual(['not_started', 'Size is required (size)']);
  expect(await send(secret, { ref, size: 'many' })).toEqual(['not_started', 'Size: Must be an integer (size)']);
});

test("of a refused call only the headers are kept, for its body may be anybody's", async () => {
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  await server.call('POST', `/integrations/${alias}`, githubCall('push', { secret: 'wrong' }));
  const { id: delivery } = await latest(id);
  const detail = await read(id, delivery);
  expect([detail.body, detail.verdict.body.kept, detail.verdict.matchers]).toEqual(['', 'nothing', []]);
  expect(detail.headers['x-github-event']).toBe('push');
  const refused = await server.ask(deliveryRoutes.replay, { params: at(id, delivery), session: session() });
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    409,
    { code: 'conflict', error: 'It was refused: nobody knows who sent it' },
  ]);
  expect(await listTasksOf(server, id)).toEqual([]);
});

test('a replay starts a task with the integration as it is now, and says by whom', async () => {
  const { id, alias } = await anIntegration(server, project, {
    name: 'Replayed',
    auth_method: 'github',
    secret,
    matchers: [{ key: 'ref', value: 'refs/heads/other' }],
  });
  await server.call('POST', `/integrations/${alias}`, githubCall('push', { secret, number: 'r' }));
  const { id: first } = await latest(id);
  expect((await replay(id, first)).body).toMatchObject({ task_id: null, verdict: { outcome: 'not_matched' } });
  const [matcher] = (
    await server.call('GET', `/project/${project.id}/integrations/${id}/matchers`, { session: session() })
  ).body as { id: number }[];
  await server.call('DELETE', `/project/${project.id}/integrations/${id}/matchers/${matcher?.id}`, {
    session: session(),
  });
  const answers = [await replay(id, first), await replay(id, first)];
  for (const { status, body } of answers) {
    expect(status).toBe(201);
    expect(body.verdict).toMatchObject({
      outcome: 'started',
      replay: { delivery_id: first, user_id: project.owner.id, username: project.owner.actor.username },
      authentication: { accepted: true, text: 'The sender was proved when it came' },
    });
  }
  const tasks = await listTasksOf(server, id);
  expect(answers.map(({ body }) => body.task_id)).toEqual(tasks.map((task) => task.id));
  const params = { project_id: project.id };
  const { body: events } = await server.ask(eventRoutes.lastOfProject, { params, session: session() });
  const told = events.filter(
    ({ description }) => description === `Delivery ID ${first} to integration Replayed replayed`,
  );
  expect(told.map(({ user_id }) => user_id)).toEqual([project.owner.id, project.owner.id, project.owner.id]);
});

test('the sender can still deliver what was replayed, once', async () => {
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  const call = githubCall('push', { secret, number: 's' });
  await server.call('POST', `/integrations/${alias}`, call);
  const { id: first } = await latest(id);
  expect((await replay(id, first)).body.verdict.outcome).toBe('started');
  await server.call('POST', `/integrations/${alias}`, call);
  expect((await latest(id)).verdict.outcome).toBe('duplicate');
});

test('what came by a shared alias needs its matcher in a replay too', async () => {
  const own = await aProject(server);
  const alias = await aProjectAlias(server, own);
  const { id } = await anIntegration(server, own, { searchable: true });
  await server.call('POST', `/integrations/${alias}`, { body: {} });
  const [first] = await listDeliveriesOf(server, own, id);
  const params = { project_id: own.id, integration_id: id, delivery_id: first?.id ?? 0 };
  const answer = await server.ask(deliveryRoutes.replay, { params, session: own.owner.session });
  expect(answer.body.verdict).toMatchObject({ outcome: 'not_matched', reached_by: 'project' });
});

test('of a large body the first 256 KiB are kept, and it cannot be replayed', async () => {
  const { id, alias } = await anIntegration(server, project);
  const body = Buffer.alloc(300 * 1024, 'x');
  await server.call('POST', `/integrations/${alias}`, { headers: { 'content-type': 'text/plain' }, body });
  const { id: delivery, verdict } = await latest(id);
  expect(verdict.body).toEqual({ size: body.length, kept: 'part' });
  expect((await read(id, delivery)).body).toHaveLength(256 * 1024);
  expect((await replay(id, delivery)).status).toBe(409);
});

test('the list goes on from the last one that is known', async () => {
  const { id, alias } = await anIntegration(server, project);
  for (let call = 0; call < 5; call++) await server.call('POST', `/integrations/${alias}`);
  const params = { project_id: project.id, integration_id: id };
  const all = (await listDeliveriesOf(server, project, id)).map((delivery) => delivery.id);
  expect(all).toEqual(all.toSorted((one, other) => other - one));
  const page = async (query: { limit?: string; before?: string }) => {
    const answer = await server.ask(deliveryRoutes.list, { params, query, session: session() });
    return { ids: answer.body.map((delivery) => delivery.id), link: answer.headers.link };
  };
  const first = await page({ limit: '2' });
  expect(first.ids).toEqual(all.slice(0, 2));
  expect(first.link).toContain(`before=${all[1]}`);
  const second = await page({ limit: '2', before: String(all[1]) });
  expect(second.ids).toEqual(all.slice(2, 4));
  const last = await page({ limit: '2', before: String(all[3]) });
  expect(last).toEqual({ ids: all.slice(4), link: undefined });
});

test('deliveries are for those who may change the project, and of their own integration', async () => {
  const { id, alias } = await anIntegration(server, project);
  const sibling = await anIntegration(server, project);
  await server.call('POST', `/integrations/${alias}`);
  const { id: delivery } = await latest(id);
  for (const { session: by } of [project.manager, project.runner, project.guest]) {
    for (const route of [deliveryRoutes.get, deliveryRoutes.replay, deliveryRoutes.list]) {
      expect((await server.ask(route, { params: at(id, delivery), session: by })).status).toBe(403);
    }
  }
  for (const params of [at(sibling.id, delivery), at(id, delivery + 1000), at(4711, delivery)]) {
    expect((await server.ask(deliveryRoutes.get, { params, session: session() })).status).toBe(404);
    expect((await server.ask(deliveryRoutes.replay, { params, session: session() })).status).toBe(404);
  }
  expect((await server.ask(deliveryRoutes.list, { params: at(4711, 1), session: session() })).status).toBe(404);
  expect(await listTasksOf(server, id)).toHaveLength(1);
});
