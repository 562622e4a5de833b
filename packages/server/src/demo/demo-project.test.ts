import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoutes } from '@signalbox/contract/projects';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { templateRoutes } from '@signalbox/contract/templates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '../test/factories.ts';
import { startTestServer, type TestServer } from '../test/start-test-server.ts';
import { demoRepository, prepareDemoRepository } from './demo-repository.ts';

const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> => {
  const { stdout } = await run('git', args, { env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' } });
  return stdout.trim();
};

let directory: string;
let server: TestServer;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'signalbox-demo-'));
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

test('git finds nothing wrong with the repository, and its clone has the files', async () => {
  await prepareDemoRepository(directory);
  const repository = demoRepository(directory);
  await git('-C', repository, 'fsck', '--full', '--strict');
  const clone = path.join(directory, 'clone');
  await git('clone', '-q', repository, clone);
  const listed = await git('-C', clone, 'ls-files', '--stage');
  expect(listed).toMatch(/^100644 .*\tREADME\.md$/m);
  expect(listed).toMatch(/^100755 .*\tbash\/hello\.sh$/m);
  expect(await git('-C', clone, 'status', '--porcelain')).toBe('');
  expect(await git('-C', clone, 'symbolic-ref', '--short', 'HEAD')).toBe('main');
});

test('the same files are the same commit everywhere, and commits of others stay', async () => {
  const repository = demoRepository(directory);
  const other = path.join(directory, 'other');
  await prepareDemoRepository(other);
  const head = await git('-C', repository, 'rev-parse', 'main');
  expect(await git('-C', demoRepository(other), 'rev-parse', 'main')).toBe(head);
  const names = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  const tree = await git('-C', repository, 'rev-parse', 'main^{tree}');
  const commit = await git(...names, '-C', repository, 'commit-tree', '-p', head, '-m', 'Mine', tree);
  await git('-C', repository, 'update-ref', 'refs/heads/main', commit);
  await prepareDemoRepository(directory);
  expect(await git('-C', repository, 'rev-parse', 'main')).toBe(commit);
});

test('a demo project has templates whose files are in its repository, and a secret that is not shown', async () => {
  const admin = await aUser(server, { admin: true });
  const created = await server.ask(projectRoutes.create, {
    body: { name: 'Demo', demo: true },
    session: admin.session,
  });
  expect(created.status).toBe(201);
  const params = { project_id: created.body.id };
  const templates = (await server.ask(templateRoutes.list, { params, session: admin.session })).body;
  expect(new Set(templates.map(({ app }) => app))).toEqual(new Set(['bash', 'python', 'ansible']));
  expect(new Set(templates.map(({ type }) => type))).toEqual(new Set(['', 'build', 'deploy']));
  const repositories = (await server.ask(repositoryRoutes.list, { params, session: admin.session })).body;
  // The data directory may be moved, so where it is now has no place in what is stored.
  expect(repositories[0]?.git_url).toBe('file:///signalbox-demo');
  const files = (await git('-C', demoRepository(server.config.dataDir), 'ls-tree', '-r', '--name-only', 'main')).split(
    '\n',
  );
  for (const { playbook } of templates) expect(files).toContain(playbook);
  expect(templates.find(({ name }) => name === 'Say hello')?.survey_vars).toHaveLength(2);
  const groups = await server.call('GET', `/project/${params.project_id}/environment`, { session: admin.session });
  expect(groups.text).not.toContain('signals-are-set-to-clear');
});
