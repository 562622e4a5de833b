import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  anEnvironment,
  anInventory,
  aPasswordKey,
  aProject,
  aRepository,
  aTemplate,
  type TestProject,
} from '../../test/factories.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
});
afterAll(() => server.stop());

type Linked = { resource: string; make: () => Promise<number>; link: (id: number) => Promise<[string, object]> };
const base = async () => ({
  name: 'x',
  app: 'bash',
  playbook: 'x.sh',
  repository_id: await aRepository(server, project),
});
const cases: Record<string, Linked> = {
  'a repository and its template': {
    resource: 'repositories',
    make: () => aRepository(server, project),
    link: async (id) => ['templates', { name: 'x', app: 'bash', playbook: 'x.sh', repository_id: id }],
  },
  'a variable group and its template': {
    resource: 'environment',
    make: () => anEnvironment(server, project),
    link: async (id) => ['templates', { ...(await base()), environment_id: id }],
  },
  'an inventory and its template': {
    resource: 'inventory',
    make: () => anInventory(server, project),
    link: async (id) => ['templates', { ...(await base()), inventory_id: id }],
  },
  'a key and the vault that it opens': {
    resource: 'keys',
    make: () => aPasswordKey(server, project.id, 'x'),
    link: async (id) => ['templates', { ...(await base()), vaults: [{ vault_key_id: id }] }],
  },
  'a key and the integration that checks it': {
    resource: 'keys',
    make: () => aPasswordKey(server, project.id, 'x'),
    link: async (id) => ['integrations', await anIntegration(id)],
  },
  'a key and its repository': {
    resource: 'keys',
    make: () => aPasswordKey(server, project.id, 'x'),
    link: async (id) => [
      'repositories',
      { name: 'x', git_url: 'https://git.example.org/x.git', git_branch: 'main', ssh_key_id: id },
    ],
  },
  'a template and its schedule': {
    resource: 'templates',
    make: () => aTemplate(server, project),
    link: async (id) => ['schedules', { name: 'x', cron_format: '@daily', template_id: id }],
  },
};

const anIntegration = async (auth_secret_id: number) => ({
  name: 'x',
  template_id: await aTemplate(server, project),
  auth_method: 'hmac',
  auth_header: 'x-signature',
  auth_secret_id,
});

test.each(Object.keys(cases))('%s: deleted and linked at once, both are told what happened', async (name) => {
  const { resource, make, link } = cases[name] ?? expect.unreachable();
  const session = project.owner.session;
  for (let round = 0; round < 8; round += 1) {
    const id = await make();
    const [collection, body] = await link(id);
    const [made, gone] = await Promise.all([
      server.call('POST', `/project/${project.id}/${collection}`, { session, body }),
      server.call('DELETE', `/project/${project.id}/${resource}/${id}`, { session }),
    ]);
    expect([201, 400, 409]).toContain(made.status);
    expect([204, 409]).toContain(gone.status);
    // A template takes its schedules with it; nothing else goes while something names it.
    if (resource !== 'templates') expect([made.status, gone.status]).not.toEqual([201, 204]);
  }
  expect(server.logged).toEqual([]);
});

type Unfit = Linked & { spoil: object };
const unfit: Record<string, Unfit> = {
  'the key of a vault and its password': {
    ...(cases['a key and the vault that it opens'] ?? expect.unreachable()),
    spoil: { override_secret: true, type: 'none' },
  },
  'the key of an integration and its password': {
    ...(cases['a key and the integration that checks it'] ?? expect.unreachable()),
    spoil: { override_secret: true, type: 'none' },
  },
  'the inventory of a template and its type': {
    resource: 'inventory',
    make: () => anInventory(server, project),
    link: async (id) => ['templates', { ...(await base()), app: 'ansible', playbook: 'x.yml', inventory_id: id }],
    spoil: { type: 'terraform-workspace', inventory: 'x' },
  },
};

test.each(Object.keys(unfit))(
  '%s: linked and changed at once, the link never names what does not fit',
  async (name) => {
    const { resource, make, link, spoil } = unfit[name] ?? expect.unreachable();
    const session = project.owner.session;
    const answers = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      const id = await make();
      const [collection, body] = await link(id);
      const [made, changed] = await Promise.all([
        server.call('POST', `/project/${project.id}/${collection}`, { session, body }),
        server.call('PUT', `/project/${project.id}/${resource}/${id}`, {
          session,
          body: { id, project_id: project.id, name: `changed ${id}`, ...spoil },
        }),
      ]);
      answers.add(`${made.status} ${changed.status}`);
    }
    expect(['201 409', '400 204', '201 400']).toEqual(expect.arrayContaining([...answers]));
    expect(server.logged).toEqual([]);
  },
);
