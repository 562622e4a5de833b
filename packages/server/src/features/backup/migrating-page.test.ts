import { readFile } from 'node:fs/promises';
import { RestoredProject } from '@signalbox/contract/backup';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let page: string;
beforeAll(async () => {
  server = await startTestServer();
  page = await readFile(new URL('../../../../../docs/migrating.md', import.meta.url), 'utf8');
});
afterAll(() => server.stop());

test('the page on switching explains every list of the answer, and no other', () => {
  const lists = ['empty_keys', 'empty_secrets', 'new_aliases', 'not_carried'];
  const explained = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(explained).toEqual(lists);
  expect(Object.keys(RestoredProject.shape).slice(-lists.length)).toEqual(lists);
});

test('its refusal is the one that comes', async () => {
  const { session } = await aUser(server, { admin: true });
  const template = (at: number) => ({
    name: `t${at}`,
    app: 'bash',
    playbook: 'x.sh',
    repository: at < 3 ? 'r' : 'Site',
  });
  const body = {
    meta: { name: 'x' },
    keys: [{ name: 'None', type: 'none' }],
    repositories: [{ name: 'r', git_url: '/r', ssh_key: 'None' }],
    templates: [0, 1, 2, 3].map(template),
  };
  const answer = await server.call('POST', '/projects/restore', { session, body });
  expect(answer.status).toBe(400);
  expect(page).toContain(`\`${answer.error.error}\``);
});
