import { taskRoutes } from '@signalbox/contract/tasks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  anInventory,
  aProject,
  aRepository,
  aTemplate,
  type TestProject,
  type TestUser,
} from '../../test/factories.ts';
import { RunnerPeer } from '../../test/runner-peer.ts';
import { aRunner, type EngineServer, startEngineServer } from '../../test/start-engine-server.ts';
import { addEnvironment } from '../environments/environments.ts';

let server: EngineServer;
let project: TestProject;
let peer: RunnerPeer;

beforeEach(async () => {
  server = await startEngineServer();
  project = await aProject(server);
  peer = new RunnerPeer((await aRunner(server)).token, server.url);
}, 60_000);
afterEach(() => server.stop());

function launch(body: Record<string, unknown>, by: TestUser = project.owner) {
  return server.call('POST', `/project/${project.id}/tasks`, { session: by.session, body });
}

async function launched(body: Record<string, unknown>, by: TestUser = project.owner): Promise<number> {
  const answer = await launch(body, by);
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { id: number }).id;
}

async function read(taskId: number) {
  const params = { project_id: project.id, task_id: taskId };
  const { body } = await server.ask(taskRoutes.get, { params, session: project.guest.session });
  return body;
}

async function run(taskId: number, outcome: 'success' | 'error' = 'success'): Promise<void> {
  await expect.poll(async () => peer.jobs.has(taskId) || (await peer.sync()).jobs.length > 0).toBe(true);
  await peer.start(taskId);
  await peer.finish(taskId, { outcome });
}

const secretQuestion = { name: 'pin', title: 'Pin', type: 'secret', required: true } as const;
const countQuestion = { name: 'count', title: 'Count', type: 'int' } as const;

describe('a launch', () => {
  test('answers with the task as it waits', async () => {
    const template_id = await aTemplate(server, project);
    const { status, body } = await server.ask(taskRoutes.create, {
      params: { project_id: project.id },
      body: { template_id, message: 'hello' },
      session: project.runner.session,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ template_id, project_id: project.id, message: 'hello', user_id: project.runner.id });
    expect(body).toMatchObject({ status: 'waiting', environment: '{}', secret: '' });
    expect(body).not.toHaveProperty('fence');
  });

  test('counts in its template', async () => {
    const templateId = await aTemplate(server, project);
    await launched({ template_id: templateId });
    const last = await launched({ template_id: templateId });
    const { body } = await server.call('GET', `/project/${project.id}/templates/${templateId}`, {
      session: project.guest.session,
    });
    expect(body).toMatchObject({ tasks: 2, last_task_id: last, last_task: { id: last, status: 'waiting' } });
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ['without a template', { template_id: undefined }, 'invalid'],
    ['of a template that does not exist', { template_id: 4711 }, 'unknown_reference'],
    ['with the project of another address', { project_id: 4711 }, 'invalid'],
    ['with a commit that is none', { commit_hash: 'main; rm -rf /' }, 'invalid'],
    ['with a branch that is an option', { git_branch: '--upload-pack=x' }, 'invalid'],
    ['with variables that are no object', { environment: '[1]' }, 'invalid'],
    ['with arguments that are no list', { arguments: '{}' }, 'invalid'],
    ['with a message that is too long', { message: 'x'.repeat(251) }, 'invalid'],
    ['with a NUL in its message', { message: 'a\0b' }, 'invalid'],
    ['with a wrong type', { params: { debug: 'yes' } }, 'invalid'],
    ['with a build although it is no deploy', { build_task_id: 1 }, 'invalid'],
    ['with an inventory that does not exist', { inventory_id: 4711 }, 'unknown_reference'],
  ];
  test.each(wrong)('%s is refused, and nothing is stored', async (_name, change, code) => {
    const template_id = await aTemplate(server, project);
    const answer = await launch({ template_id, ...change });
    expect(answer.status).toBe(400);
    expect(answer.error.code).toBe(code);
    const tasks = await server.database.read.selectFrom('task').selectAll().execute();
    expect(tasks).toEqual([]);
    const template = await server.database.read.selectFrom('template').select('task_count').executeTakeFirst();
    expect(template).toEqual({ task_count: 0 });
  });

  test('names nothing of another project', async () => {
    const elsewhere = await aProject(server);
    const foreign = await aTemplate(server, elsewhere);
    expect((await launch({ template_id: foreign })).error.code).toBe('unknown_reference');
    const template_id = await aTemplate(server, project);
    const inventory_id = await anInventory(server, elsewhere);
    expect((await launch({ template_id, inventory_id })).error.code).toBe('unknown_reference');
  });

  test('of whoever may only run tasks answers the survey and nothing else', async () => {
    const template_id = await aTemplate(server, project, { survey_vars: [countQuestion] });
    const environment = JSON.stringify({ count: '3' });
    expect((await launch({ template_id, environment }, project.runner)).status).toBe(201);
    const others = JSON.stringify({ count: '3', path: '/' });
    expect((await launch({ template_id, environment: others }, project.runner)).status).toBe(400);
    expect((await launch({ template_id, environment: others }, project.manager)).status).toBe(201);
    expect((await launch({ template_id, playbook: 'other.sh' }, project.runner)).status).toBe(400);
    expect((await launch({ template_id, limit: 'web' }, project.runner)).status).toBe(400);
  });
});

describe('a secret answer', () => {
  test('is told to the runner alone, and kept no longer than until the start', async () => {
    const template_id = await aTemplate(server, project, { survey_vars: [secretQuestion] });
    const answer = await launch({ template_id, secret: JSON.stringify({ pin: 'geheim-1234' }) }, project.runner);
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain('geheim');
    const { id } = answer.body as { id: number };
    expect(await countSecrets()).toBe(1);
    await peer.sync();
    expect(peer.jobs.get(id)?.secret_variables).toEqual({ pin: 'geheim-1234' });
    expect(await countSecrets()).toBe(1);
    await peer.start(id);
    expect(await countSecrets()).toBe(0);
    const rows = await server.database.read.selectFrom('task').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('geheim');
  });

  test('goes with a task that is stopped while it waits', async () => {
    const template_id = await aTemplate(server, project, { survey_vars: [secretQuestion] });
    const id = await launched({ template_id, secret: JSON.stringify({ pin: 'geheim-1234' }) });
    await server.call('POST', `/project/${project.id}/tasks/${id}/stop`, { session: project.owner.session });
    expect(await countSecrets()).toBe(0);
  });

  test('that is required and missing is a clear refusal', async () => {
    const template_id = await aTemplate(server, project, { survey_vars: [secretQuestion] });
    expect((await launch({ template_id })).error.error).toBe('Pin is required');
  });
});

async function countSecrets(): Promise<number> {
  return (await server.database.read.selectFrom('task_secret').select('task_id').execute()).length;
}

describe('the job of a task', () => {
  test('has its variables in order of precedence, and its secrets apart', async () => {
    const environment = await server.database.transact((db) =>
      addEnvironment(db, server.database.keyring, project.id, {
        name: 'group',
        json: JSON.stringify({ a: 'group', b: 'group', count: 1 }),
        env: JSON.stringify({ MODE: 'x' }),
        secrets: [
          { type: 'var', name: 'token', secret: 'token-of-the-group' },
          { type: 'env', name: 'API_KEY', secret: 'key-of-the-group' },
        ],
      }),
    );
    const template_id = await aTemplate(server, project, {
      environment_id: environment.id,
      survey_vars: [countQuestion],
      arguments: '["--from-template"]',
      allow_override_args_in_task: true,
    });
    const id = await launched({
      template_id,
      environment: JSON.stringify({ a: 'launch', count: '5' }),
      arguments: '["--from-launch"]',
      message: 'why',
    });
    await peer.sync();
    expect(peer.jobs.get(id)).toMatchObject({
      variables: { a: 'launch', b: 'group', count: '5' },
      secret_variables: { token: 'token-of-the-group' },
      given_variables: ['a', 'count'],
      env: { MODE: 'x' },
      secret_env: { API_KEY: 'key-of-the-group' },
      arguments: ['--from-template', '--from-launch'],
      details: { username: project.owner.actor.username, message: 'why', target_version: null },
    });
  });

  test('is made of what is stored when it is claimed', async () => {
    const repository_id = await aRepository(server, project);
    const template_id = await aTemplate(server, project, { repository_id });
    const id = await launched({ template_id });
    await server.database.transact((db) =>
      db.updateTable('repository').set({ git_branch: 'later' }).where('id', '=', repository_id).execute(),
    );
    await peer.sync();
    expect(peer.jobs.get(id)?.repository).toMatchObject({ id: repository_id, branch: 'later', trusted: false });
  });
});

describe('builds and deploys', () => {
  async function aBuildTemplate(): Promise<number> {
    return await aTemplate(server, project, { type: 'build', start_version: '1.4.8' });
  }

  test('are numbered by what was built before', async () => {
    const template_id = await aBuildTemplate();
    const first = await launched({ template_id });
    const second = await launched({ template_id });
    expect([(await read(first)).version, (await read(second)).version]).toEqual(['1.4.8', '1.4.9']);
  });

  test('get different numbers when they are launched at once', async () => {
    const template_id = await aBuildTemplate();
    const ids = await Promise.all(Array.from({ length: 8 }, () => launched({ template_id })));
    const versions = await Promise.all(ids.map(async (id) => (await read(id)).version));
    expect(new Set(versions).size).toBe(8);
  });

  test('a deploy needs a build that has succeeded, and hands its version on', async () => {
    const build = await aBuildTemplate();
    const template_id = await aTemplate(server, project, { type: 'deploy', build_template_id: build });
    const good = await launched({ template_id: build });
    await run(good);
    const bad = await launched({ template_id: build });
    await run(bad, 'error');
    expect((await launch({ template_id })).error.error).toBe('A build version is required');
    expect((await launch({ template_id, build_task_id: bad })).error.code).toBe('unknown_reference');
    const deploy = await launched({ template_id, build_task_id: good });
    expect((await read(deploy)).build_task).toMatchObject({ id: good, version: '1.4.8' });
    await peer.sync();
    expect(peer.jobs.get(deploy)?.details).toMatchObject({ incoming_version: '1.4.8', target_version: null });
  });

  test('a deploy with autorun follows a build that succeeds, and no other', async () => {
    const build = await aBuildTemplate();
    const deploy = await aTemplate(server, project, { type: 'deploy', build_template_id: build, autorun: true });
    await run(await launched({ template_id: build }), 'error');
    expect(await tasksOf(deploy)).toEqual([]);
    const good = await launched({ template_id: build });
    await run(good);
    expect(await tasksOf(deploy)).toMatchObject([{ build_task_id: good, user_id: null, status: 'waiting' }]);
  });

  test('a build goes through one deploy after the other by itself, and each is told its version', async () => {
    const build = await aBuildTemplate();
    const after = { type: 'deploy', autorun: true } as const;
    const staging = await aTemplate(server, project, { ...after, build_template_id: build });
    const production = await aTemplate(server, project, { ...after, build_template_id: staging });
    await run(await launched({ template_id: build }));
    const [tried] = await tasksOf(staging);
    expect(await tasksOf(production)).toEqual([]);
    await run(tried?.id ?? 0);
    const [last] = await tasksOf(production);
    expect(last).toMatchObject({ build_task_id: tried?.id, status: 'waiting' });
    await peer.sync();
    expect(peer.jobs.get(last?.id ?? 0)?.details.incoming_version).toBe('1.4.8');
  });

  test('a deploy with autorun that lacks an answer is not made, and the activity list says which', async () => {
    const build = await aBuildTemplate();
    const deploy = await aTemplate(server, project, {
      type: 'deploy',
      build_template_id: build,
      autorun: true,
      survey_vars: [{ ...countQuestion, required: true }],
    });
    await run(await launched({ template_id: build }));
    expect(await tasksOf(deploy)).toEqual([]);
    const events = await server.database.read.selectFrom('event').select('description').execute();
    const told = events.map((event) => event.description).filter((text) => text.includes('Count is required'));
    expect(told).toEqual([expect.stringMatching(/Count is required \(\w+\)$/)]);
  });

  async function tasksOf(templateId: number) {
    return await server.database.read.selectFrom('task').selectAll().where('template_id', '=', templateId).execute();
  }
});

describe('the list of tasks', () => {
  test('is newest first, with what is shown of template, user and build', async () => {
    const template_id = await aTemplate(server, project, { name: 'Site' });
    const ids = [await launched({ template_id }), await launched({ template_id }, project.runner)];
    const { body } = await server.ask(taskRoutes.list, {
      params: { project_id: project.id },
      session: project.guest.session,
    });
    expect(body.map((task) => task.id)).toEqual(ids.reverse());
    expect(body[0]).toMatchObject({ tpl_alias: 'Site', tpl_app: 'bash', user_name: project.runner.actor.name });
  });

  test('takes a limit, and ignores one that is none', async () => {
    const template_id = await aTemplate(server, project);
    for (let count = 0; count < 3; count += 1) await launched({ template_id });
    const count = async (query: string) => {
      const { body } = await server.call('GET', `/project/${project.id}/tasks/last${query}`, {
        session: project.guest.session,
      });
      return (body as unknown[]).length;
    };
    expect(await count('?limit=2')).toBe(2);
    for (const odd of ['', '?limit=0', '?limit=-1', '?limit=many', '?limit=1e9']) expect(await count(odd)).toBe(3);
  });

  test('has the tasks of its project only', async () => {
    const elsewhere = await aProject(server);
    const template_id = await aTemplate(server, elsewhere);
    const { body } = await server.call('POST', `/project/${elsewhere.id}/tasks`, {
      session: elsewhere.owner.session,
      body: { template_id },
    });
    const { id } = body as { id: number };
    const list = await server.call('GET', `/project/${project.id}/tasks`, { session: project.owner.session });
    expect(list.body).toEqual([]);
    for (const rest of ['', '/log', '/log/search?q=a', '/raw_output', '/output']) {
      const path = `/project/${project.id}/tasks/${id}${rest}`;
      expect((await server.call('GET', path, { session: project.owner.session })).status, rest).toBe(404);
    }
    const stop = await server.call('POST', `/project/${project.id}/tasks/${id}/stop`, {
      session: project.owner.session,
    });
    expect(stop.status).toBe(404);
  });
});

describe('a stop', () => {
  test('needs the right to run tasks, and takes any body or none', async () => {
    const template_id = await aTemplate(server, project);
    const id = await launched({ template_id });
    const path = `/project/${project.id}/tasks/${id}/stop`;
    expect((await server.call('POST', path, { session: project.guest.session })).status).toBe(403);
    expect((await server.call('POST', path, { session: project.runner.session, body: { force: 1 } })).status).toBe(400);
    expect((await server.call('POST', path, { session: project.runner.session })).status).toBe(204);
    expect((await server.call('POST', path, { session: project.runner.session })).error.code).toBe('task_final');
  });
});

describe('a log', () => {
  async function aLog(...lines: string[]): Promise<number> {
    const id = await launched({ template_id: await aTemplate(server, project) });
    await peer.sync();
    await peer.start(id);
    await peer.write(id, ...lines);
    return id;
  }
  const ask = (id: number, rest: string) =>
    server.call('GET', `/project/${project.id}/tasks/${id}${rest}`, { session: project.guest.session });

  test('is read by line numbers, and past its end it is empty', async () => {
    const id = await aLog('one', 'two', 'three');
    expect((await ask(id, '/log?from=2&count=1')).body).toMatchObject({
      first: 2,
      next: 3,
      total: 3,
      sealed: false,
      lines: [{ line: 2, output: 'two' }],
    });
    expect((await ask(id, '/log?from=100')).body).toMatchObject({ first: 100, next: 100, lines: [] });
  });

  test.each(['from=0', 'from=x', 'from=-1', 'count=0', 'count=5001', 'from=99999999999999999'])(
    'refuses %s',
    async (query) => {
      expect((await ask(await aLog('one'), `/log?${query}`)).status).toBe(400);
    },
  );

  test('is searched in any letter case, over all that is stored', async () => {
    const id = await aLog('Error: one', 'fine', 'error: two');
    expect((await ask(id, '/log/search?q=ERROR')).body).toEqual({ lines: [1, 3], count: 2, total: 3 });
    expect((await ask(id, '/log/search?q=ERROR&after=1')).body).toMatchObject({ lines: [3] });
    expect((await ask(id, '/log/search?q=')).status).toBe(400);
  });

  test('is downloaded as it was written, and in the shape of the older product', async () => {
    const id = await aLog('one', 'zwei ✓');
    expect((await ask(id, '/raw_output')).text).toBe('one\nzwei ✓\n');
    expect((await ask(id, '/output')).body).toMatchObject([
      { task_id: id, task: '', output: 'one' },
      { task_id: id, task: '', output: 'zwei ✓' },
    ]);
  });
});
