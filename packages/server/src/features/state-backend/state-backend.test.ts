import { terraformRoutes } from '@signalbox/contract/terraform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainDoubt } from '../../engine/lost-tasks.ts';
import { makeStateAccess } from '../../engine/state-access.ts';
import { aPasswordKey, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

type Method = 'GET' | 'POST' | 'DELETE';
type Caller = { path: string; authorization: string };

const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const send = ({ path, authorization }: Caller, method: Method, more = '', body?: unknown) =>
  server.call(method, `${path}${more}`, { headers: { authorization }, ...(body === undefined ? {} : { body }) });

let claims = 0;
async function aRunningTask(template_id: number, change: object = {}): Promise<Caller & { id: number }> {
  claims += 1;
  const claim_id = `claim-${claims}`;
  const id = await server.database.transact((db) =>
    insertTask(db, {
      project_id: project.id,
      template_id,
      status: 'running',
      start: 1,
      claim_id,
      parallel: true,
      ...change,
    }),
  );
  const { password } = makeStateAccess(server.database.keyring, { id, claim_id }, 'terraform') ?? { password: '' };
  return { id, path: `/terraform/tasks/${id}`, authorization: basic(`task-${id}`, password) };
}

const end = (id: number, change: { status: 'success' | 'error' | 'stopped'; reason?: string }) =>
  server.database.transact((db) =>
    db
      .updateTable('task')
      .set({ ...change, end: 2 })
      .where('id', '=', id)
      .execute(),
  );

/** A number that no double holds: what came is what is given back. */
const stateText = (serial: number) => `{"version":4,"serial":${serial},"big":12345678901234567890123}`;
const lock = (ID: string) => ({ ID, Operation: 'OperationTypeApply', Who: 'ann@host' });

test('a task writes the state of its template, and the next task reads it letter by letter', async () => {
  const template = await aTemplate(server, project);
  const first = await aRunningTask(template);
  expect((await send(first, 'GET')).status).toBe(404);
  expect((await send(first, 'POST', '/lock', lock('l1'))).status).toBe(200);
  expect((await send(first, 'POST', '?ID=l1', stateText(1))).status).toBe(200);
  expect((await send(first, 'DELETE', '/lock', lock('l1'))).status).toBe(200);
  const second = await aRunningTask(template);
  expect((await send(second, 'GET')).text).toBe(stateText(1));
  const other = await aRunningTask(await aTemplate(server, project));
  expect((await send(other, 'GET')).status).toBe(404);
});

test('a password is good for its own task only, and not after its end', async () => {
  const template = await aTemplate(server, project);
  const [one, two] = [await aRunningTask(template), await aRunningTask(template)];
  await send(one, 'POST', '', stateText(1));
  expect((await send({ ...one, path: two.path }, 'GET')).status).toBe(401);
  for (const authorization of ['', basic('task', ''), basic('', 'x'), 'Basic !!!', 'Bearer x']) {
    const answer = await send({ ...one, authorization }, 'GET');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="Terraform state"']);
  }
  await end(one.id, { status: 'success' });
  expect((await send(one, 'GET')).status).toBe(403);
  expect((await send(one, 'POST', '', stateText(2))).status).toBe(403);
  expect((await send(two, 'GET')).text).toBe(stateText(1));
});

test('a lock keeps everybody else out, and says who holds it', async () => {
  const template = await aTemplate(server, project);
  const [one, two] = [await aRunningTask(template), await aRunningTask(template)];
  await send(one, 'POST', '/lock', lock('l1'));
  expect((await send(one, 'POST', '/lock', lock('l1'))).status).toBe(200);
  const refused = await send(two, 'POST', '/lock', lock('l2'));
  expect(refused.status).toBe(423);
  expect(refused.body).toMatchObject({ ...lock('l1'), code: 'locked' });
  expect((await send(two, 'POST', '', stateText(1))).status).toBe(423);
  expect((await send(two, 'POST', '?ID=l2', stateText(1))).status).toBe(423);
  expect((await send(two, 'DELETE', '/lock', lock('l2'))).status).toBe(423);
  expect((await send(one, 'GET')).status).toBe(404);
});

test('of many that lock at once one gets the lock', async () => {
  const template = await aTemplate(server, project);
  const tasks = await Promise.all(Array.from({ length: 8 }, () => aRunningTask(template)));
  const answers = await Promise.all(tasks.map((task, index) => send(task, 'POST', '/lock', lock(`l${index}`))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 423)]);
});

test('the lock of a task that has ended is taken over, but not where the task may still run somewhere', async () => {
  const template = await aTemplate(server, project);
  const [gone, next, lost, after] = await Promise.all([1, 2, 3, 4].map(() => aRunningTask(template)));
  if (!gone || !next || !lost || !after) throw new Error('no tasks');
  await send(gone, 'POST', '/lock', lock('l1'));
  await end(gone.id, { status: 'stopped', reason: 'The task was stopped by force' });
  expect((await send(next, 'POST', '/lock', lock('l2'))).status).toBe(200);
  expect((await send(next, 'DELETE', '/lock', lock('l2'))).status).toBe(200);

  await send(lost, 'POST', '/lock', lock('l3'));
  await end(lost.id, { status: 'error', reason: explainDoubt('runner lost,', 1000) });
  expect((await send(after, 'POST', '/lock', lock('l4'))).status).toBe(423);
  // What outlived its runner still brings home what it has done.
  expect((await send(lost, 'POST', '?ID=l3', stateText(9))).status).toBe(200);
  expect((await send(lost, 'DELETE', '/lock', lock('l3'))).status).toBe(200);
  expect((await send(lost, 'POST', '', stateText(10))).status).toBe(403);
  expect((await send(after, 'GET')).text).toBe(stateText(9));
});

test('people reach the state of a workspace by an address and the key that belongs to it', async () => {
  const { caller, params, template } = await anAddress();
  expect((await send(caller, 'POST', '/lock', lock('mine'))).status).toBe(200);
  expect((await send(caller, 'POST', '?ID=mine', stateText(3))).status).toBe(200);
  const task = await aRunningTask(template, { inventory_id: params.inventory_id });
  expect((await send(task, 'GET')).text).toBe(stateText(3));
  expect((await send(task, 'POST', '/lock', lock('l1'))).status).toBe(423);
  // As `force-unlock` does it.
  expect((await send(caller, 'DELETE', '/lock')).status).toBe(200);
  expect((await send(task, 'POST', '/lock', lock('l1'))).status).toBe(200);
  expect((await send(task, 'POST', '?ID=l1', stateText(4))).status).toBe(200);
  const { body } = await server.ask(terraformRoutes.listStates, { params, session: project.owner.session });
  expect(body.map(({ serial, task_id }) => [serial, task_id])).toEqual([
    [4, task.id],
    [3, null],
  ]);
  const [newest] = body;
  const state = { ...params, state_id: newest?.id ?? 0 };
  const read = await server.ask(terraformRoutes.getState, { params: state, session: project.owner.session });
  expect(read.body.state).toBe(stateText(4));
});

async function anAddress() {
  const template = await aTemplate(server, project, { app: 'terraform', playbook: '' });
  const owner = project.owner.session;
  const inventory = await server.call('GET', `/project/${project.id}/templates/${template}`, { session: owner });
  const { inventory_id } = inventory.body as { inventory_id: number };
  const params = { project_id: project.id, inventory_id };
  const key = await aPasswordKey(server, project.id, 'swordfish');
  const made = await server.ask(terraformRoutes.createAlias, { params, body: { auth_key_id: key }, session: owner });
  const path = new URL(made.body.url).pathname.replace('/api', '');
  return { template, params, caller: { path, authorization: basic('root', 'swordfish') } };
}

test('guesses at the key of an address are refused, and soon not even looked at', async () => {
  const { caller } = await anAddress();
  for (const guess of ['a', 'b', 'c', 'd', 'e']) {
    expect((await send({ ...caller, authorization: basic('root', guess) }, 'GET')).status).toBe(401);
  }
  expect((await send(caller, 'GET')).status).toBe(429);
  expect((await send({ ...caller, path: '/terraform/0000' }, 'GET')).status).toBe(401);
});

test('Terraform without other settings locks by methods of its own', async () => {
  const { caller } = await anAddress();
  const { port } = await listen();
  const call = (method: string, body: object) =>
    fetch(`http://127.0.0.1:${port}/api${caller.path}`, {
      method,
      headers: { authorization: caller.authorization },
      body: JSON.stringify(body),
    });
  expect((await call('LOCK', lock('l1'))).status).toBe(200);
  expect((await call('LOCK', lock('l2'))).status).toBe(423);
  expect((await call('UNLOCK', lock('l1'))).status).toBe(200);
  expect((await call('LOCK', lock('l2'))).status).toBe(200);
});

async function listen(): Promise<{ port: number }> {
  await server.http.fastify.listen({ host: '127.0.0.1', port: 0 });
  const address = server.http.fastify.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address;
}

test.each(['', 'null', '[]', '{"serial":1}', '{"version":"4"}', '{', '\u0000'])(
  'what is no state is refused and stored nowhere: %j',
  async (body) => {
    const task = await aRunningTask(await aTemplate(server, project));
    expect((await send(task, 'POST', '', body)).status).toBe(400);
    expect((await send(task, 'POST', '/lock', body)).status).toBe(400);
    expect((await send(task, 'GET')).status).toBe(404);
  },
);

test('a state that was removed is not there any more, and its history is', async () => {
  const task = await aRunningTask(await aTemplate(server, project));
  await send(task, 'POST', '', stateText(1));
  expect((await send(task, 'DELETE')).status).toBe(200);
  expect((await send(task, 'GET')).status).toBe(404);
  const rows = await server.database.read
    .selectFrom('terraform_state')
    .select('id')
    .where('task_id', '=', task.id)
    .execute();
  expect(rows).toHaveLength(2);
});

test('without its newest state, a workspace goes on from the one before; only managers delete one', async () => {
  const { caller, params } = await anAddress();
  for (const serial of [1, 2]) await send(caller, 'POST', '', stateText(serial));
  const list = async () =>
    (await server.ask(terraformRoutes.listStates, { params, session: project.owner.session })).body;
  const [newest] = await list();
  const state = { ...params, state_id: newest?.id ?? 0 };
  const remove = (session: string) => server.ask(terraformRoutes.removeState, { params: state, session });
  expect((await remove(project.guest.session)).status).toBe(403);
  expect((await remove(project.manager.session)).status).toBe(204);
  expect((await remove(project.manager.session)).status).toBe(404);
  expect((await list()).map(({ serial }) => serial)).toEqual([1]);
  expect((await send(caller, 'GET')).text).toBe(stateText(1));
});

test('no state is stored in clear', async () => {
  const task = await aRunningTask(await aTemplate(server, project));
  await send(task, 'POST', '', '{"version":4,"serial":1,"canary":"canary-of-a-state"}');
  const rows = await server.database.read.selectFrom('terraform_state').select('state').execute();
  expect(JSON.stringify(rows)).not.toContain('canary-of-a-state');
});

test('where the backend is switched off, nobody is served', async () => {
  const off = await startTestServer({ env: { SIGNALBOX_TERRAFORM_BACKEND: '0' } });
  expect((await off.call('GET', '/terraform/tasks/1')).status).toBe(403);
  await off.stop();
});
