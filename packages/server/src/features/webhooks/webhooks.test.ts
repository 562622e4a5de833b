import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPasswordKey, aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { anIntegration, aProjectAlias, listDeliveriesOf, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import {
  type ForgeCall,
  giteaCall,
  githubCall,
  githubFormCall,
  gitlabCall,
  readForgeBody,
  signBody,
} from '../../test/webhook-calls.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer({ env: { SIGNALBOX_WEBHOOK_CALLS_PER_MINUTE: '0' } });
  project = await aProject(server);
});
afterAll(() => server.stop());

const secret = 'agreed-with-the-forge';
const send = (alias: string, { headers, body }: Partial<ForgeCall> = {}, method: 'GET' | 'POST' = 'POST') =>
  server.call(method, `/integrations/${alias}`, {
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
const outcomesOf = async (id: number) =>
  (await listDeliveriesOf(server, project, id)).map(({ verdict }) => verdict.outcome);

const branch = { name: 'branch', key: 'ref', variable: 'branch' };
const forges = [
  [
    'GitHub',
    { auth_method: 'github' },
    [
      branch,
      { name: 'repository', key: 'repository.id', variable: 'repository' },
      { name: 'author', key: 'commits.[0].author.name', variable: 'author' },
      { name: 'text', key: 'head_commit.message', variable: 'text' },
    ],
    (given: string) => githubCall('push', { secret: given }),
    {
      branch: 'refs/heads/main',
      repository: '4856239453',
      author: 'Ada Example',
      text: 'Führe den neuen Fahrplan ein',
    },
  ],
  [
    'GitHub sending forms',
    { auth_method: 'github' },
    [branch],
    (given: string) => githubFormCall('push', { secret: given }),
    { branch: 'refs/heads/main' },
  ],
  [
    'GitHub telling of a pull request',
    { auth_method: 'github' },
    [
      { name: 'merged', key: 'pull_request.merged', variable: 'merged' },
      { name: 'label', key: 'pull_request.labels.[0].name', variable: 'label' },
      { value_source: 'header', name: 'event', key: 'X-GitHub-Event', variable: 'event' },
    ],
    (given: string) => githubCall('pull_request', { secret: given }),
    { merged: 'true', label: 'deploy', event: 'pull_request' },
  ],
  [
    'GitLab',
    { auth_method: 'token', auth_header: 'X-Gitlab-Token' },
    [branch, { name: 'second', key: 'commits.[1].id', variable: 'second' }],
    (given: string) => gitlabCall({ secret: given }),
    { branch: 'refs/heads/production', second: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7' },
  ],
  [
    'Gitea',
    { auth_method: 'hmac', auth_header: 'X-Gitea-Signature' },
    [branch],
    (given: string) => giteaCall({ secret: given }),
    { branch: 'refs/heads/develop' },
  ],
  [
    'Gitea signing as GitHub does',
    { auth_method: 'github' },
    [branch],
    (given: string) => giteaCall({ secret: given }),
    { branch: 'refs/heads/develop' },
  ],
] as const;

describe.each(forges)('a call of %s', (_, auth, values, make, variables) => {
  test('that is signed starts the task with what it carries', async () => {
    const { id, alias } = await anIntegration(server, project, { ...auth, secret, values: [...values] });
    const answer = await send(alias, make(secret));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await listTasksOf(server, id)).toMatchObject([{ variables, user_id: null }]);
    expect(await outcomesOf(id)).toEqual(['started']);
  });

  test('that is signed with another secret starts none, and gets the same answer', async () => {
    const { id, alias } = await anIntegration(server, project, { ...auth, secret, values: [...values] });
    const answer = await send(alias, make('guessed'));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await listTasksOf(server, id)).toEqual([]);
    expect(await outcomesOf(id)).toEqual(['refused']);
  });

  test('that was changed on its way starts none, where the body is signed', async () => {
    const { id, alias } = await anIntegration(server, project, { ...auth, secret });
    const { headers, body } = make(secret);
    await send(alias, { headers, body: Buffer.concat([body, Buffer.from(' ')]) });
    expect(await outcomesOf(id)).toEqual([auth.auth_method === 'token' ? 'started' : 'refused']);
  });
});

test('a ping of GitHub starts nothing where a matcher asks for pushes', async () => {
  const matchers = [{ match_type: 'header', key: 'X-GitHub-Event', value: 'push' }] as const;
  const { id, alias } = await anIntegration(server, project, {
    auth_method: 'github',
    secret,
    matchers: [...matchers],
  });
  await send(alias, githubCall('ping', { secret }));
  await send(alias, githubCall('push', { secret }));
  expect(await outcomesOf(id)).toEqual(['started', 'not_matched']);
  expect(await listTasksOf(server, id)).toHaveLength(1);
});

test('without authentication any call starts the task: JSON, a form, a text, bytes, nothing, and GET', async () => {
  const values = [
    { name: 'all', body_data_type: 'string', key: '', variable: 'all' },
    { name: 'a', key: 'a', variable: 'a' },
  ] as const;
  const { id, alias } = await anIntegration(server, project, { values: [...values] });
  await send(alias, { body: Buffer.from('{"a":"json"}') });
  await send(alias, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from('a=form') });
  await send(alias, { headers: { 'content-type': 'text/plain' }, body: Buffer.from('a=text') });
  await send(alias, { headers: { 'content-type': 'image/png' }, body: Buffer.from([0x89, 0xff, 0x00]) });
  await send(alias);
  await send(alias, {}, 'GET');
  const tasks = await listTasksOf(server, id);
  expect(tasks.map(({ variables }) => variables)).toEqual([
    { all: '{"a":"json"}', a: 'json' },
    { all: 'a=form', a: 'form' },
    { all: 'a=text' },
    { all: '\uFFFD\uFFFD\uFFFD' },
    { all: '' },
    { all: '' },
  ]);
});

test('HEAD and OPTIONS start nothing, and only POST and GET are taken', async () => {
  const { id, alias } = await anIntegration(server, project);
  expect((await server.call('HEAD', `/integrations/${alias}`)).status).toBe(204);
  for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH'] as const) {
    expect((await server.call(method, `/integrations/${alias}`)).status).toBe(405);
  }
  expect(await listTasksOf(server, id)).toEqual([]);
});

test('an alias that nobody has, or that could be none, is 404', async () => {
  for (const alias of ['abcdefgh12345678', 'x', '%01', '%2e%2e', 'a'.repeat(51), '__proto__', "a'b"]) {
    expect((await send(alias)).status).toBe(404);
  }
  expect(server.logged).toEqual([]);
});

test('a page of another origin may send a call, for it proves itself', async () => {
  const { id, alias } = await anIntegration(server, project);
  expect((await send(alias, { headers: { origin: 'https://elsewhere.example.org' } })).status).toBe(204);
  expect(await listTasksOf(server, id)).toHaveLength(1);
});

test('a method without a secret, or with a key that has lost its password, lets nobody in', async () => {
  const without = await anIntegration(server, project, { auth_method: 'hmac', auth_header: 'X-Sign' });
  const keyId = await aPasswordKey(server, project.id, secret);
  const lost = await anIntegration(server, project, {
    auth_method: 'token',
    auth_header: 'X-Sign',
    auth_secret_id: keyId,
  });
  await server.database.transact((db) => db.updateTable('key').set({ secret: null }).where('id', '=', keyId).execute());
  const body = Buffer.from('{}');
  for (const { id, alias } of [without, lost]) {
    for (const sign of ['', signBody('', body), secret]) await send(alias, { headers: { 'x-sign': sign }, body });
    expect(await outcomesOf(id)).toEqual(['refused', 'refused', 'refused']);
    expect(await listTasksOf(server, id)).toEqual([]);
  }
});

test('a delivery that the sender repeats starts one task, another one starts another', async () => {
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  for (const number of ['one', 'one', 'two']) await send(alias, githubCall('push', { secret, number }));
  expect(await outcomesOf(id)).toEqual(['started', 'duplicate', 'started']);
  expect(await listTasksOf(server, id)).toHaveLength(2);
});

test('what was refused or did not match may be delivered again, and starts its task then', async () => {
  const { id, alias } = await anIntegration(server, project, { auth_method: 'github', secret });
  await send(alias, githubCall('push', { secret: 'wrong', number: 'n' }));
  await send(alias, githubCall('push', { secret, number: 'n' }));
  expect(await outcomesOf(id)).toEqual(['started', 'refused']);
});

test('a call over 2 MB is 413 and starts nothing', async () => {
  const { id, alias } = await anIntegration(server, project);
  expect((await send(alias, { body: Buffer.alloc(2 * 1024 * 1024 + 1, 0x20) })).status).toBe(413);
  expect(await outcomesOf(id)).toEqual([]);
});

test('params of the integration are those of its tasks', async () => {
  const { id, alias } = await anIntegration(server, project, {
    task_params: { debug: true, limit: 'web,db' },
  });
  await send(alias);
  expect(await listTasksOf(server, id)).toMatchObject([{ params: { debug: true, limit: ['web', 'db'] } }]);
});

describe('the survey of the template', () => {
  const survey_vars = [
    { name: 'version', title: 'Version', required: true },
    { name: 'token', title: 'Token', type: 'secret' as const },
  ];
  const values = [
    { name: 'version', key: 'version', variable: 'version' },
    { name: 'token', key: 'token', variable: 'token' },
    { name: 'other', key: 'other', variable: 'other' },
  ];

  test('a required answer that the call has not starts no task, and an event names the variable', async () => {
    const template_id = await aTemplate(server, project, { survey_vars });
    const { id, alias } = await anIntegration(server, project, { name: 'Asking', template_id, values });
    expect((await send(alias, { body: Buffer.from('{"other":1}') })).status).toBe(204);
    expect(await listTasksOf(server, id)).toEqual([]);
    expect(await outcomesOf(id)).toEqual(['not_started']);
    const events = await server.database.read
      .selectFrom('event')
      .select(['description', 'integration_id', 'user_id'])
      .where('integration_id', '=', id)
      .execute();
    expect(events).toEqual([
      {
        description: 'Integration Asking started no task: Version is required (version)',
        integration_id: id,
        user_id: null,
      },
    ]);
  });

  test('a secret answer is kept as such, variables beside the survey are taken too', async () => {
    const template_id = await aTemplate(server, project, { survey_vars });
    const { id, alias } = await anIntegration(server, project, { template_id, values });
    await send(alias, { body: Buffer.from('{"version":"1","token":"swordfish","other":true}') });
    expect(await listTasksOf(server, id)).toMatchObject([{ variables: { version: '1', other: 'true' } }]);
    const sealed = await server.database.read.selectFrom('task_secret').select('secret').execute();
    expect(sealed).toHaveLength(1);
  });
});

test('a value that is longer than any command line starts no task', async () => {
  const values = [{ name: 'long', key: 'a', variable: 'a' }];
  const { id, alias } = await anIntegration(server, project, { values });
  await send(alias, { body: Buffer.from(JSON.stringify({ a: 'x'.repeat(65_537) })) });
  await send(alias, { body: Buffer.from(JSON.stringify({ a: 'x'.repeat(65_536) })) });
  expect(await outcomesOf(id)).toEqual(['started', 'not_started']);
});

test('hostile bodies are survived: broken UTF-8, deep and huge JSON, members of every object', async () => {
  const matchers = [{ key: 'constructor.name', method: 'unequals', value: 'Object' }] as const;
  const values = [{ name: 'p', key: '__proto__.polluted', variable: 'p' }];
  const { id, alias } = await anIntegration(server, project, { matchers: [...matchers], values });
  const bodies = [
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    Buffer.from('['.repeat(500_000)),
    Buffer.from(`{"${'k'.repeat(1_000_000)}":1}`),
    Buffer.from('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}'),
    Buffer.from('{"a":"\\u0000\\ud800"}'),
  ];
  for (const body of bodies) expect((await send(alias, { body })).status).toBe(204);
  const tasks = await listTasksOf(server, id);
  expect(tasks.map(({ variables }) => variables)).toEqual([{}, {}, {}, { p: 'yes' }, {}]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(server.logged).toEqual([]);
});

test('the fixtures are JSON', () => {
  for (const name of ['github-push', 'github-ping', 'github-pull-request', 'gitlab-push', 'gitea-push']) {
    expect(JSON.parse(readForgeBody(name).toString())).toBeTypeOf('object');
  }
});

test('a project alias reaches the searchable integrations of its project, each for itself', async () => {
  const own = await aProject(server);
  const alias = await aProjectAlias(server, own);
  const matchers = [{ key: 'ref', method: 'contains' as const, value: 'main' }];
  const main = await anIntegration(server, own, { searchable: true, matchers });
  const other = await anIntegration(server, own, { searchable: true, matchers: [{ key: 'ref', value: 'other' }] });
  const open = await anIntegration(server, own, { searchable: true });
  const hidden = await anIntegration(server, own, { matchers });
  const closed = await anIntegration(server, own, { searchable: true, matchers, auth_method: 'github', secret });
  const foreign = await anIntegration(server, project, { searchable: true, matchers });
  await send(alias, { body: readForgeBody('github-push') });
  const seen = async (of: TestProject, { id }: { id: number }) =>
    (await listDeliveriesOf(server, of, id)).map(({ verdict }) => [verdict.outcome, verdict.reached_by]);
  expect(await seen(own, main)).toEqual([['started', 'project']]);
  expect(await seen(own, other)).toEqual([['not_matched', 'project']]);
  expect(await seen(own, open)).toEqual([['not_matched', 'project']]);
  expect(await seen(own, closed)).toEqual([['refused', 'project']]);
  expect(await seen(own, hidden)).toEqual([]);
  expect(await seen(project, foreign)).toEqual([]);
});
