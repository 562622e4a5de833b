import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../test/factories.ts';
import { RunnerPeer } from '../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../test/start-engine-server.ts';

let server: EngineServer;
let project: TestProject;
let receiver: Server;
let received: unknown[];
let status: number;

beforeEach(async () => {
  received = [];
  status = 204;
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push(JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server = await startEngineServer();
  project = await aProject(server);
}, 60_000);
afterEach(async () => {
  await server.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** A runner whose webhook is at this address, with one task that it was given. */
async function takeTask(url: string) {
  const runner = await aRunner(server);
  await server.database.transact((db) =>
    db.updateTable('runner').set({ webhook: url }).where('id', '=', runner.id).execute(),
  );
  const templateId = await aTemplate(server, project);
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: templateId },
    session: project.runner.session,
  });
  const peer = new RunnerPeer(runner.token, server.url);
  await peer.sync();
  const facts = { project_id: project.id, task_id: body.id, template_id: templateId, runner_id: runner.id };
  return { peer, id: body.id, facts };
}

const urlOf = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?key=hidden`;
const readStatus = (id: number) =>
  server.database.read.selectFrom('task').select('status').where('id', '=', id).executeTakeFirst();

test('the webhook of a runner hears of each task that it is given, and of the end, once', async () => {
  const { peer, id, facts } = await takeTask(urlOf());
  await vi.waitFor(() => expect(received).toEqual([{ action: 'start', ...facts }]), 5000);
  await peer.start(id);
  await peer.finish(id);
  await vi.waitFor(() => expect(received.length).toBe(2), 5000);
  // What is published again says nothing new.
  await server.engine.sweep();
  expect(received).toEqual([
    { action: 'start', ...facts },
    { action: 'finish', ...facts },
  ]);
});

test.each([
  ['that refuses', 500],
  ['that wants to redirect', 302],
])('a webhook %s changes nothing about its task, and is told in the log without its address', async (_name, answer) => {
  status = answer;
  const { peer, id } = await takeTask(urlOf());
  await peer.start(id);
  await peer.finish(id);
  await vi.waitFor(() => expect(received.length).toBe(2), 5000);
  expect(await readStatus(id)).toEqual({ status: 'success' });
  const log = await vi.waitFor(() => {
    const text = server.logged.join('\n');
    expect(text).toContain(`it answered ${answer}`);
    return text;
  }, 5000);
  expect(log).not.toContain('hidden');
});

test('a webhook that nobody listens at does not hold up its task', async () => {
  const { peer, id } = await takeTask('http://127.0.0.1:9/nobody');
  await peer.start(id);
  await peer.finish(id);
  expect(await readStatus(id)).toEqual({ status: 'success' });
});

test('a webhook in a network that the settings deny is never called, and the log says why', async () => {
  const hidden = createServer((_request, response) => {
    received.push('denied');
    response.end();
  }).listen(0, '127.6.6.6');
  await once(hidden, 'listening');
  const { port } = hidden.address() as AddressInfo;
  const { peer, id } = await takeTask(`http://127.6.6.6:${port}/latest/meta-data`);
  await peer.start(id);
  await peer.finish(id);
  await vi.waitFor(() => expect(server.logged.join('')).toContain('denied by SIGNALBOX_DENIED_NETWORKS'), 5000);
  expect(received).toEqual([]);
  hidden.close();
});

test('a runner that is offline is told of a task that nobody else can take, once, and may then fetch it', async () => {
  const runner = await aRunner(server, { tag: 'cloud' });
  const templateId = await aTemplate(server, project);
  await server.database.transact(async (db) => {
    await db.updateTable('runner').set({ webhook: urlOf() }).where('id', '=', runner.id).execute();
    await db.updateTable('template').set({ runner_tag: 'cloud' }).where('id', '=', templateId).execute();
  });
  const { body } = await server.ask(taskRoutes.create, {
    params: { project_id: project.id },
    body: { template_id: templateId },
    session: project.runner.session,
  });
  const facts = { project_id: project.id, task_id: body.id, template_id: templateId, runner_id: runner.id };
  await vi.waitFor(() => expect(received).toEqual([{ action: 'start', ...facts }]), 15_000);
  const peer = new RunnerPeer(runner.token, server.url);
  await peer.sync();
  await peer.start(body.id);
  await peer.finish(body.id);
  await vi.waitFor(() => expect(received.at(-1)).toEqual({ action: 'finish', ...facts }), 5000);
  expect(received.length).toBe(2);
});
