import { environmentRoutes } from '@signalbox/contract/environments';
import { integrationRoutes } from '@signalbox/contract/integrations';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { keyRoutes } from '@signalbox/contract/keys';
import { projectRoutes } from '@signalbox/contract/projects';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { runnerRoutes } from '@signalbox/contract/runners';
import { scheduleRoutes } from '@signalbox/contract/schedules';
import { teamRoutes } from '@signalbox/contract/team';
import { templateRoutes } from '@signalbox/contract/templates';
import { userRoutes } from '@signalbox/contract/users';
import { viewRoutes } from '@signalbox/contract/views';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { fillField, signIn, signInAsAdmin } from './fixtures/console.ts';
import { settle, visit } from './fixtures/console-routes.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');
const guest = { username: 'guest', password: 'a long enough password' };

type Scene = { api: Api; workshop: Workshop; templateId: number; params: { project_id: number } };
type Change = [string, string, (scene: Scene, name: string) => Promise<unknown>];

/** A list of the console, and what somebody else adds to it under a name. */
const additions: Change[] = [
  ['keys', 'keys', ({ api, params }, name) => api.call(keyRoutes.create, { params, body: { name, type: 'none' } })],
  [
    'repositories',
    'repositories',
    ({ api, params, workshop }, name) =>
      api.call(repositoryRoutes.create, {
        params,
        body: { name, git_url: 'https://git.example.org/x.git', git_branch: 'main', ssh_key_id: workshop.keyId },
      }),
  ],
  [
    'inventories',
    'inventory',
    ({ api, params, workshop }, name) =>
      api.call(inventoryRoutes.create, {
        params,
        body: { name, type: 'static', inventory: 'localhost', ssh_key_id: workshop.keyId },
      }),
  ],
  [
    'variable groups',
    'environment',
    ({ api, params }, name) => api.call(environmentRoutes.create, { params, body: { name, json: '{}' } }),
  ],
  ['templates', 'templates', ({ api, workshop }, name) => addTemplate(api, workshop, { name, playbook: 'quick.sh' })],
  ['views', 'templates', ({ api, params }, title) => api.call(viewRoutes.create, { params, body: { title } })],
  [
    'schedules',
    'schedule',
    ({ api, params, templateId }, name) =>
      api.call(scheduleRoutes.create, { params, body: { name, template_id: templateId, cron_format: '0 4 * * *' } }),
  ],
  [
    'integrations',
    'integrations',
    ({ api, params, templateId }, name) =>
      api.call(integrationRoutes.create, { params, body: { name, template_id: templateId } }),
  ],
  [
    'the team',
    'team',
    async ({ api, params }, name) => {
      const { id } = await addUser(api, name);
      await api.call(teamRoutes.add, { params, body: { user_id: id, role: 'manager' } });
    },
  ],
  [
    'events',
    'activity',
    ({ api, params }, name) => api.call(keyRoutes.create, { params, body: { name, type: 'none' } }),
  ],
  ['users', '/users', ({ api }, name) => addUser(api, name)],
  ['runners', '/runners', ({ api }, name) => api.call(runnerRoutes.create, { body: { name } })],
];

function addUser(api: Api, name: string): Promise<{ id: number }> {
  const username = name.replaceAll(' ', '-');
  const body = { name, username, email: `${username}@example.org`, password: 'a long enough password' };
  return api.call(userRoutes.create, { body });
}

describe.skipIf(missing)(`what others change${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let scene: Scene;
  let browser: ChromiumBrowser;
  let watcher: Page;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    repository = await makeGitRepository({ 'quick.sh': 'echo quick\n' });
    server = await startServer({ localRepositories: [repository.parent] });
    const api = await server.signIn();
    const workshop = await makeWorkshop(api, repository.path);
    const { id: templateId } = await addTemplate(api, workshop, { name: 'Quick', playbook: 'quick.sh' });
    scene = { api, workshop, templateId, params: { project_id: workshop.projectId } };
    const { id } = await api.call(userRoutes.create, {
      body: { name: 'Guest', email: 'guest@example.org', ...guest },
    });
    await api.call(teamRoutes.add, { params: scene.params, body: { user_id: id, role: 'guest' } });
    browser = await launchBrowser();
    watcher = await open();
  });

  afterAll(async () => {
    for (const window of windows.splice(0)) await window.close();
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(1)) await window.close();
  });

  const at = (place: string): string =>
    place.startsWith('/') ? place : `/project/${scene.workshop.projectId}/${place}`;

  async function open(options: ConsoleOptions = {}, user?: typeof guest, isDeaf = false): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    const { page } = window;
    // As a proxy that knows no websockets.
    if (isDeaf) await page.routeWebSocket(/\/api\/ws/, (socket) => socket.close({ code: 1011 }));
    await page.goto(at('history'));
    if (user === undefined) await signInAsAdmin(page);
    else await signIn(page, user);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  test.each(additions)('is on the list of %s without a reload', async (list, place, add) => {
    await visit(watcher, at(place));
    await watcher.getByRole('status').getByText('Live', { exact: true }).waitFor();
    const name = `New among ${list}`;
    await add(scene, name);
    await watcher.getByRole('main').getByText(name).first().waitFor();
  });

  test('is under its new name in lists of other things too', async () => {
    await visit(watcher, at('schedule'));
    await scene.api.call(scheduleRoutes.create, {
      params: scene.params,
      body: { name: 'Of the renamed', template_id: scene.templateId, cron_format: '0 5 * * *' },
    });
    await watcher.getByRole('row').filter({ hasText: 'Of the renamed' }).getByText('Quick').waitFor();
    const params = { ...scene.params, template_id: scene.templateId };
    const { project_id: _, ...template } = await scene.api.call(templateRoutes.get, { params });
    await scene.api.call(templateRoutes.update, { params, body: { ...template, name: 'Renamed by another' } as never });
    await watcher.getByRole('row').filter({ hasText: 'Of the renamed' }).getByText('Renamed by another').waitFor();
  });

  test('is gone from the list when it was deleted', async () => {
    const { id } = await scene.api.call(keyRoutes.create, {
      params: scene.params,
      body: { name: 'Short-lived', type: 'none' },
    });
    await visit(watcher, at('keys'));
    await watcher.getByText('Short-lived').waitFor();
    await scene.api.call(keyRoutes.remove, { params: { ...scene.params, key_id: id } });
    await watcher.getByText('Short-lived').waitFor({ state: 'detached' });
  });

  test('takes away no draft of what was deleted, and a save says that it is gone', async () => {
    const { id } = await scene.api.call(keyRoutes.create, {
      params: scene.params,
      body: { name: 'Edited meanwhile', type: 'none' },
    });
    const page = await open({ expectedStatuses: [404] });
    await visit(page, at(`keys?edit=${id}`));
    const form = page.getByRole('dialog');
    await fillField(form, 'Name', 'A draft of mine');
    await scene.api.call(keyRoutes.remove, { params: { ...scene.params, key_id: id } });
    await page.getByText('Edited meanwhile').waitFor({ state: 'detached' });
    await settle(page);
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('A draft of mine');
    await page.keyboard.press('Control+Enter');
    await form.getByRole('alert').waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('A draft of mine');
  });

  test('shows a new project and a new right at once', async () => {
    const page = await open({}, guest);
    await visit(page, at('keys'));
    await page.getByRole('main').getByText('None').first().waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    const members = await scene.api.call(teamRoutes.list, { params: scene.params, query: {} });
    const user = members.find(({ username }) => username === guest.username);
    if (user === undefined) throw new Error('the guest is a member');
    const params = { ...scene.params, user_id: user.id };
    await scene.api.call(teamRoutes.update, { params, body: { role: 'manager' } as never });
    await page.getByRole('button', { name: 'New key' }).waitFor();
    const other = await scene.api.call(projectRoutes.create, { body: { name: 'Opened for him' } });
    await scene.api.call(teamRoutes.add, {
      params: { project_id: other.id },
      body: { user_id: user.id, role: 'guest' },
    });
    await page.getByRole('button', { name: /^Choose a project/ }).click();
    await page.getByRole('menuitem', { name: 'Opened for him' }).waitFor();
  });

  test('comes every few seconds where the websocket is refused, and the badge says so', async () => {
    const page = await open({ connectionMayBreak: true }, undefined, true);
    await page.getByRole('status').getByText('Not live: refreshed every 5 s').waitFor();
    await visit(page, at('environment'));
    await scene.api.call(environmentRoutes.create, { params: scene.params, body: { name: 'Polled', json: '{}' } });
    await page.getByText('Polled').waitFor();
  });

  test('is fetched when the connection is back', async () => {
    const page = await open({ connectionMayBreak: true });
    await visit(page, at('keys'));
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('Not live: refreshed every 5 s').waitFor();
    await scene.api.call(keyRoutes.create, { params: scene.params, body: { name: 'Made meanwhile', type: 'none' } });
    await page.context().setOffline(false);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByText('Made meanwhile').waitFor();
    await settle(page);
  });
});
