import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { anIntegration, listDeliveriesOf, listTasksOf } from '../../test/integrations.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';
import { giteaCall, githubCall, gitlabCall } from '../../test/webhook-calls.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

const canaries = {
  github: 'canary-github-"quoted"',
  gitlab: 'canary-gitlab-7f3a',
  gitea: 'canary-gitea/slashed',
  authorization: 'canary-authorization-11',
  cookie: 'canary-cookie-12',
  apiKey: 'canary-api-key-13',
  jsonAnswer: 'canary-json-answer-14',
  headerAnswer: 'canary-header-answer-15',
  wrongToken: 'canary-wrong-token-16',
  inQuery: 'canary-query-17',
};

/** Every text that is stored, but for the keys and answers that are sealed and the task's own variables. */
async function readEverything(): Promise<string> {
  const deliveries = await server.database.read.selectFrom('integration_delivery').selectAll().execute();
  const events = await server.database.read.selectFrom('event').selectAll().execute();
  const tasks = await server.database.read.selectFrom('task').selectAll().execute();
  const bodies = deliveries.map(({ body }) => Buffer.from(body).toString('latin1'));
  return [JSON.stringify(deliveries), JSON.stringify(events), JSON.stringify(tasks), ...bodies, ...server.logged].join(
    '\n',
  );
}

test('ten secrets, in headers, bodies and answers, are in no delivery, event, task, answer or log', async () => {
  const { session } = project.owner;
  const template_id = await aTemplate(server, project, {
    survey_vars: [
      { name: 'password', title: 'Password', type: 'secret', required: true },
      { name: 'pin', title: 'Pin', type: 'secret' },
    ],
  });
  const github = await anIntegration(server, project, { auth_method: 'github', secret: canaries.github });
  const gitea = await anIntegration(server, project, {
    auth_method: 'hmac',
    auth_header: 'X-Gitea-Signature',
    secret: canaries.gitea,
    matchers: [{ key: 'secret', method: 'unequals', value: 'none' }],
    values: [{ name: 'secret', key: 'secret', variable: 'given' }],
  });
  const gitlab = await anIntegration(server, project, {
    auth_method: 'token',
    auth_header: 'X-Gitlab-Token',
    secret: canaries.gitlab,
    template_id,
    matchers: [{ match_type: 'header', method: 'unequals', key: 'x-gitlab-token', value: 'x' }],
    values: [
      { name: 'password', key: 'password', variable: 'password' },
      { name: 'pin', value_source: 'header', key: 'X-Pin', variable: 'pin' },
    ],
  });
  const { headers, body } = githubCall('push', { secret: canaries.github });
  const more = {
    authorization: `Bearer ${canaries.authorization}`,
    cookie: `a=${canaries.cookie}`,
    'x-api-key': canaries.apiKey,
    'x-note': `signed with ${canaries.github}`,
  };
  const sent = [
    await server.call('POST', `/integrations/${github.alias}?token=${canaries.inQuery}`, {
      headers: { ...headers, ...more },
      body,
    }),
    // An older Gitea writes the secret into the body.
    await server.call(
      'POST',
      `/integrations/${gitea.alias}`,
      giteaCall({
        secret: canaries.gitea,
        body: Buffer.from(JSON.stringify({ secret: canaries.gitea, ref: 'refs/heads/main' })),
      }),
    ),
    await server.call('POST', `/integrations/${gitlab.alias}`, {
      headers: { ...gitlabCall({ secret: canaries.gitlab }).headers, 'x-pin': canaries.headerAnswer },
      body: { password: canaries.jsonAnswer, again: `the same: ${canaries.jsonAnswer}` },
    }),
    await server.call('POST', `/integrations/${gitlab.alias}`, gitlabCall({ secret: canaries.wrongToken })),
  ];
  expect(sent.map(({ status, text }) => [status, text])).toEqual(sent.map(() => [204, '']));
  const answers: string[] = [];
  for (const { id } of [github, gitea, gitlab]) {
    for (const delivery of await listDeliveriesOf(server, project, id)) {
      const path = `/project/${project.id}/integrations/${id}/deliveries/${delivery.id}`;
      answers.push((await server.call('GET', path, { session })).text);
    }
  }
  expect(answers).toHaveLength(4);
  expect(answers.join('')).toContain('refs/heads/main');
  // What Gitea's owner asked for as a plain variable is one.
  await server.database.transact((db) =>
    db.updateTable('task').set({ environment: '{}' }).where('integration_id', '=', gitea.id).execute(),
  );
  const everything = `${await readEverything()}\n${answers.join('\n')}`;
  for (const canary of Object.values(canaries)) {
    expect(everything).not.toContain(canary);
    expect(everything).not.toContain(JSON.stringify(canary).slice(1, -1));
  }
  expect(await listTasksOf(server, gitlab.id)).toMatchObject([{ variables: {} }]);
});

test('a call with a secret answer is stored without its body, and cannot be replayed', async () => {
  const template_id = await aTemplate(server, project, {
    survey_vars: [{ name: 'pin', title: 'Pin', type: 'secret' }],
  });
  const { id, alias } = await anIntegration(server, project, {
    template_id,
    values: [{ name: 'pin', key: 'pin', variable: 'pin' }],
  });
  await server.call('POST', `/integrations/${alias}`, { body: { pin: '42' } });
  await server.call('POST', `/integrations/${alias}`, { body: { other: '42' } });
  const [without, withPin] = await listDeliveriesOf(server, project, id);
  expect(withPin?.verdict).toMatchObject({ values: [{ value: null }], body: { kept: 'nothing' } });
  expect(without?.verdict.body.kept).toBe('all');
  const path = `/project/${project.id}/integrations/${id}/deliveries/${withPin?.id}/replay`;
  const refused = await server.call('POST', path, { session: project.owner.session });
  expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
});

test('the sealed secret of an integration is opened by no route', async () => {
  const { id } = await anIntegration(server, project, { auth_method: 'github', secret: canaries.github });
  const { text } = await server.call('GET', `/project/${project.id}/integrations/${id}`, {
    session: project.owner.session,
  });
  expect(text).not.toContain('canary');
  expect(text).not.toContain('sb1:');
  const stored = await sql<{ count: number }>`select count(*) as count from ${sql.table('key')}
    where secret like '%canary%'`.execute(server.database.read);
  expect(Number(stored.rows[0]?.count)).toBe(0);
});

test('what a caller writes into headers and bodies is data: it names no file, makes no header, and is no query', async () => {
  const matchers = [{ key: "a'; drop table task; --", value: 'x' }];
  const { id, alias } = await anIntegration(server, project, { matchers });
  const body = Buffer.from(JSON.stringify({ "a'; drop table task; --": "'; delete from task; --" }));
  const answer = await server.call('POST', `/integrations/${alias}`, {
    headers: { 'x-forwarded-host': 'evil.example.org', 'x-http-method-override': 'DELETE', 'x-a': '../../etc/passwd' },
    body,
  });
  expect([answer.status, answer.headers['x-a']]).toEqual([204, undefined]);
  const [delivery] = await listDeliveriesOf(server, project, id);
  expect(delivery?.verdict.matchers[0]?.actual).toBe("'; delete from task; --");
});
