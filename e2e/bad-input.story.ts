import { projectRoutes } from '@signalbox/contract/projects';
import { routeTable } from '@signalbox/contract/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { openSocket } from './fixtures/live-socket.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, readLog, waitForEnd, waitForSuccess } from './fixtures/tasks.ts';

let repository: GitRepository;
let server: SignalboxServer;
let api: Api;
let workshop: Workshop;
let other: Workshop;

beforeAll(async () => {
  repository = await makeGitRepository({ 'ok.sh': 'echo ok\n', 'args.sh': 'printf "arg %s\\n" "$@"\n' });
  server = await startServer({ localRepositories: [repository.parent] });
  api = await server.signIn();
  workshop = await makeWorkshop(api, repository.path, 'One');
  other = await makeWorkshop(api, repository.path, 'Other');
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await repository[Symbol.asyncDispose]();
});

/** Everything that the two projects hold, as text. */
async function listAll(): Promise<string> {
  const collections = ['keys', 'repositories', 'inventory', 'environment', 'templates', 'tasks'];
  const paths = [workshop, other].flatMap(({ projectId }) =>
    collections.map((name) => `/project/${projectId}/${name}`),
  );
  return (await Promise.all(paths.map((path) => api.send('GET', path)))).map((answer) => answer.text).join('\n');
}

function expectRefusal(answer: Answer, statuses: number[]): void {
  expect(statuses, answer.text).toContain(answer.status);
  const body: unknown = JSON.parse(answer.text);
  expect(body).toMatchObject({ error: expect.stringMatching(/\S/), code: expect.stringMatching(/^[a-z_]+$/) });
  expect(answer.text).not.toMatch(/\bat .*\.ts:|node_modules|SQLITE|select /i);
}

type Case = [what: string, method: string, path: () => string, body: () => string | Uint8Array, statuses: number[]];

const inOne = (rest: string) => () => `/project/${workshop.projectId}/${rest}`;
const json = (make: () => unknown) => () => JSON.stringify(make());
const repositoryWith = (change: object) =>
  json(() => ({ name: 'Bad', git_url: repository.path, git_branch: 'main', ssh_key_id: workshop.keyId, ...change }));
const templateWith = (change: object) =>
  json(() => ({
    name: 'Bad',
    app: 'bash',
    playbook: 'ok.sh',
    repository_id: workshop.repositoryId,
    environment_id: workshop.environmentId,
    inventory_id: workshop.inventoryId,
    ...change,
  }));

const badUrls = [
  '-oProxyCommand=x',
  '--upload-pack=x',
  'ext::sh -c x',
  'ext::x',
  'fd::3',
  'ssh://-oX/y',
  '-x@host:y',
  'ftp://a/b',
  '',
];
const badBranches = ['-x', '--orphan', 'a..b', 'a b', 'x.lock', 'a~1', '@{-1}', 'a\\b'];

const cases: Case[] = [
  ['JSON that is cut short', 'POST', inOne('keys'), () => '{"name": "x', [400]],
  ['text that is not JSON', 'POST', inOne('keys'), () => 'hello', [400]],
  ['no body', 'POST', inOne('keys'), () => '', [400]],
  ['an array for an object', 'POST', inOne('keys'), () => '[]', [400]],
  ['null for an object', 'POST', inOne('keys'), () => 'null', [400]],
  ['broken UTF-8', 'POST', inOne('keys'), () => Buffer.from([0x22, 0xff, 0xfe, 0x22]), [400]],
  ['JSON of 200,000 levels', 'POST', inOne('keys'), () => '['.repeat(200_000) + ']'.repeat(200_000), [400]],
  ['a number for a name', 'POST', inOne('keys'), json(() => ({ name: 5, type: 'none' })), [400]],
  ['an empty name', 'POST', inOne('keys'), json(() => ({ name: '  ', type: 'none' })), [400]],
  ['a name with NUL', 'POST', inOne('keys'), json(() => ({ name: 'a\0b', type: 'none' })), [400]],
  ['an unknown kind', 'POST', inOne('keys'), json(() => ({ name: 'x', type: 'gpg' })), [400]],
  ['a name of a megabyte', 'POST', inOne('keys'), json(() => ({ name: 'x'.repeat(1e6), type: 'none' })), [400]],
  ['a body over the limit', 'POST', inOne('templates'), json(() => ({ name: 'x'.repeat(3 * 1024 * 1024) })), [413]],
  ['an unknown id in the path', 'GET', inOne('templates/999999'), () => '', [404]],
  ['an id that is no number', 'GET', inOne('templates/abc'), () => '', [400, 404]],
  ['an id with a sign', 'GET', inOne('templates/-1'), () => '', [400, 404]],
  ['an id beyond all numbers', 'GET', inOne(`templates/${'9'.repeat(40)}`), () => '', [400, 404]],
  ['an unknown project', 'GET', () => '/project/999999/templates', () => '', [404]],
  ['an unknown route', 'GET', () => '/nothing/here', () => '', [404]],
  ['a method that the path does not have', 'PUT', inOne('keys'), () => '{}', [404, 405]],
  [
    "another project's key in a body",
    'POST',
    inOne('repositories'),
    () => repositoryWith({ ssh_key_id: other.keyId })(),
    [400],
  ],
  [
    "another project's repository in a body",
    'POST',
    inOne('templates'),
    () => templateWith({ repository_id: other.repositoryId })(),
    [400],
  ],
  [
    "another project's inventory in a body",
    'POST',
    inOne('templates'),
    () => templateWith({ inventory_id: other.inventoryId })(),
    [400],
  ],
  [
    "another project's variable group in a body",
    'POST',
    inOne('templates'),
    () => templateWith({ environment_id: other.environmentId })(),
    [400],
  ],
  [
    "another project's repository in the path",
    'GET',
    () => `/project/${workshop.projectId}/repositories/${other.repositoryId}`,
    () => '',
    [404],
  ],
  ['an unknown app', 'POST', inOne('templates'), templateWith({ app: 'cobol' }), [400]],
  ['arguments that are no array', 'POST', inOne('templates'), templateWith({ arguments: '{"a": 1}' }), [400]],
  ['an unknown template at launch', 'POST', inOne('tasks'), json(() => ({ template_id: 999_999 })), [400, 404]],
  [
    'a commit hash that is an option',
    'POST',
    inOne('tasks'),
    json(() => ({ template_id: 1, commit_hash: '--all' })),
    [400],
  ],
  ...badUrls.map(
    (url): Case => [
      `the repository URL "${url}"`,
      'POST',
      inOne('repositories'),
      repositoryWith({ git_url: url }),
      [400],
    ],
  ),
  ...badBranches.map(
    (branch): Case => [
      `the branch "${branch}"`,
      'POST',
      inOne('repositories'),
      repositoryWith({ git_branch: branch }),
      [400],
    ],
  ),
];

describe('bad input gets a clear refusal and changes nothing', () => {
  test.each(cases)('%s', async (_, method, path, body, statuses) => {
    const before = await listAll();
    const content = body();
    expectRefusal(await api.send(method, path(), method === 'GET' ? undefined : content), statuses);
    expect(await listAll()).toBe(before);
  });

  test("a template of another project cannot be launched through one's own", async () => {
    const template = await addTemplate(api, other, { name: 'Foreign', playbook: 'ok.sh' });
    const before = await listAll();
    const body = JSON.stringify({ template_id: template.id, project_id: other.projectId });
    expectRefusal(await api.send('POST', `/project/${workshop.projectId}/tasks`, body), [400, 404]);
    expect(await listAll()).toBe(before);
  });

  test('every route refuses a body of the wrong type, and none answers 500', async () => {
    const routes = Object.values(routeTable).flatMap((group) => Object.values(group));
    // Some of these calls are good ones, and one deletes the project.
    const spare = await api.call(projectRoutes.create, { body: { name: 'Spare' } });
    const filled = routes.map((route) => ({
      method: route.method,
      path: route.path.replace(':project_id', String(spare.id)).replaceAll(/:\w+/g, '999999'),
    }));
    const strange = ['', '{', '[]', 'null', '"text"', '{"name":{}}', '{"id":"x","template_id":[],"auth":1}'];
    for (const { method, path } of filled.filter(({ path }) => !path.endsWith('/logout'))) {
      for (const body of method === 'GET' ? [undefined] : strange) {
        const answer = await api.send(method, path, body);
        expect(answer.status, `${method} ${path} ${body}: ${answer.text}`).toBeLessThan(500);
      }
    }
    expect((await api.call(projectRoutes.list, {})).length).toBeGreaterThanOrEqual(2);
  });

  test('a websocket that sends rubbish is closed or ignored, and the server goes on', async () => {
    for (const rubbish of ['hello', '{}', '{"type":"subscribe","task_id":-1}', 'x'.repeat(2_000_000)]) {
      await new Promise<void>((resolve) => {
        const socket = openSocket(api);
        socket.addEventListener('open', () => {
          socket.send(rubbish);
          socket.close();
        });
        socket.addEventListener('close', () => resolve());
        socket.addEventListener('error', () => resolve());
      });
    }
    expect((await api.send('GET', '/ping')).status).toBe(200);
  });
});

describe("a user's text is never an option and never a path", () => {
  test('arguments reach the script as they are', async () => {
    const args = ['--help', '-x', '$(id)', '; id', '*', "it's", 'a b', ''];
    const template = await addTemplate(api, workshop, {
      name: 'Arguments',
      playbook: 'args.sh',
      arguments: JSON.stringify(args),
    });
    const task = await launch(api, template);
    await waitForSuccess(api, task);
    const lines = (await readLog(api, task)).filter((line) => line.startsWith('arg '));
    expect(lines).toEqual(args.map((argument) => `arg ${argument}`));
  });

  test.each(['--version', '-c', '../../../../etc/passwd', '/etc/hostname'])(
    'the script name "%s" runs nothing outside of the repository',
    async (playbook) => {
      const body = templateWith({ name: playbook, playbook })();
      const answer = await api.send('POST', `/project/${workshop.projectId}/templates`, body);
      if (answer.status === 400) return;
      const task = await launch(api, JSON.parse(answer.text));
      expect((await waitForEnd(api, task)).status).toBe('error');
      expect((await readLog(api, task)).join('\n')).not.toMatch(/root:x:|GNU bash, version/);
    },
  );

  test('a local path outside of the allowed directories is refused when it runs, with the reason', async () => {
    const body = repositoryWith({ name: 'Etc', git_url: '/etc', git_branch: '' })();
    const answer = await api.send('POST', `/project/${workshop.projectId}/repositories`, body);
    if (answer.status === 400) return;
    const { id } = JSON.parse(answer.text);
    const template = await addTemplate(api, workshop, { name: 'Etc', playbook: 'hostname', repository_id: id });
    const task = await launch(api, template);
    const end = await waitForEnd(api, task);
    expect(end.status).toBe('error');
    expect(end.reason).toMatch(/SIGNALBOX_LOCAL_REPOSITORIES|allowed/);
  });
});
