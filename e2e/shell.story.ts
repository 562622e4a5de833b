import { projectRoutes } from '@signalbox/contract/projects';
import { teamRoutes } from '@signalbox/contract/team';
import { userRoutes } from '@signalbox/contract/users';
import { viewRoutes } from '@signalbox/contract/views';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { signIn, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const password = 'a password of some length';
const missing = missingFor('chromium');

describe.skipIf(missing)(`the frame of the console${because(missing)}`, () => {
  let server: SignalboxServer;
  let api: Api;
  let browser: ChromiumBrowser;
  const projects: number[] = [];
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    server = await startServer();
    api = await server.signIn();
    browser = await launchBrowser();
    for (const body of [{ name: 'Alpha yard' }, { name: 'beta' }, { name: 'Other kind', type: 'special' }]) {
      projects.push((await api.call(projectRoutes.create, { body })).id);
    }
    for (const role of ['task_runner', 'guest'] as const) {
      const body = { name: `The ${role}`, username: role, email: `${role}@example.com`, password };
      const { id } = await api.call(userRoutes.create, { body });
      for (const projectId of projects.slice(0, 2)) {
        await api.call(teamRoutes.add, { params: { project_id: projectId }, body: { user_id: id, role } });
      }
    }
    const body = { name: 'Nobody yet', username: 'nobody', email: 'nobody@example.com', password };
    await api.call(userRoutes.create, { body });
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  async function open(path: string, options: ConsoleOptions = {}): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    await window.page.goto(path);
    return window.page;
  }

  async function openAsAdmin(path: string, options: ConsoleOptions = {}): Promise<Page> {
    const page = await open(path, options);
    await signInAsAdmin(page);
    return page;
  }

  async function openAs(username: string, path: string): Promise<Page> {
    const page = await open(path);
    await signIn(page, { username, password });
    return page;
  }

  const openPicker = (page: Page) => page.getByRole('button', { name: 'Choose a project' }).click();

  test('a start that fails says why, and offers to refresh the page and to sign in again', async () => {
    const page = await openAsAdmin('/', { expectedStatuses: [500] });
    await page.waitForURL(/\/project\/\d+\/history/);
    // What a proxy before a broken server answers.
    const broken = { status: 500, contentType: 'application/json', body: '{"error":"Out of order","code":"internal"}' };
    await page.route('**/api/user', (route) => route.fulfill(broken));
    await page.reload();
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    await page.getByText('Out of order').waitFor();
    await page.unroute('**/api/user');
    await page.getByRole('button', { name: 'Refresh page' }).click();
    await page.getByRole('button', { name: 'Choose a project' }).waitFor();
    await page.route('**/api/user', (route) => route.fulfill(broken));
    await page.reload();
    await page.getByRole('button', { name: 'Re-login' }).click();
    await page.getByLabel('Username or email').waitFor();
    // React prints what a screen has caught, and this story has caused nothing else.
    const printed = windows.flatMap(({ faults }) => faults.splice(0));
    expect(printed.filter((fault) => !fault.includes('Out of order'))).toEqual([]);
  });

  test('a start that takes its time shows a spinner until the console is there', async () => {
    const page = await openAsAdmin('/');
    await page.waitForURL(/\/project\/\d+\/history/);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/user', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    held.resolve();
    await page.getByRole('button', { name: 'Choose a project' }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
  });

  test('the first project is opened, then the one that was used last, and the address wins', async () => {
    const page = await openAs('guest', '/');
    await page.waitForURL(`**/project/${projects[0]}/history`);
    await openPicker(page);
    await page.getByRole('menuitem', { name: 'beta' }).click();
    await page.waitForURL(`**/project/${projects[1]}/history`);
    await page.goto('/');
    await page.waitForURL(`**/project/${projects[1]}/history`);
    await page.goto(`/project/${projects[0]}/keys`);
    const picker = page.getByRole('button', { name: 'Choose a project' });
    await picker.getByText('Alpha yard').waitFor();
    const colour = ['green', 'red', 'blue', 'orange'][(projects[0] ?? 0) % 4];
    await expect.poll(() => picker.getByText('AY').getAttribute('data-colour')).toBe(colour);
    await picker.getByText('Guest').waitFor();
  });

  test.each([
    ['task_runner', 'You can run any tasks'],
    ['guest', 'You have read-only access'],
  ])('the project menu tells a %s: %s, and offers no new project', async (role, words) => {
    const page = await openAs(role, '/');
    await openPicker(page);
    await page.getByText(words).waitFor();
    for (const name of ['New project', 'Restore project']) {
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    }
  });

  test('who may create projects finds both ways to one', async () => {
    const page = await openAsAdmin('/');
    await openPicker(page);
    await page.getByRole('menuitem', { name: 'Restore project' }).waitFor();
    await page.getByRole('menuitem', { name: 'New project' }).click();
    await page.waitForURL('**/project/new');
  });

  test('`new_project` opens the form for a project from any address, as does the page for a premium one', async () => {
    const page = await openAsAdmin(`/project/${projects[0]}/keys?new_project=yes`);
    await page.waitForURL('**/project/new');
    await page.goto('/project/premium');
    await page.waitForURL('**/project/new');
    await page.goto('/?new_project=premium');
    await page.waitForURL('**/project/new');
  });

  test('a user without any project is told what to do', async () => {
    const page = await openAs('nobody', '/');
    await page.waitForURL('**/project/new');
    await page.getByRole('main').getByRole('heading').first().waitFor();
    expect(await page.getByLabel('Project name').count()).toBe(0);
  });

  test('the drawer of a project leads to all that it holds', async () => {
    const page = await openAs('guest', '/');
    const links = page.getByRole('navigation', { name: 'Project' }).getByRole('link');
    await links.first().waitFor();
    const places = [
      ['Dashboard', 'history'],
      ['Task templates', 'templates'],
      ['Schedule', 'schedule'],
      ['Inventory', 'inventory'],
      ['Variable groups', 'environment'],
      ['Key store', 'keys'],
      ['Repositories', 'repositories'],
      ['Integrations', 'integrations'],
      ['Team', 'team'],
    ] as const;
    await expect.poll(() => links.allTextContents()).toEqual(places.map(([name]) => name));
    for (const [name, place] of places) {
      await links.filter({ hasText: name }).click();
      await page.waitForURL(`**/project/${projects[0]}/${place}`);
    }
  });

  test('a project of another type has neither templates nor what they need in its drawer', async () => {
    const page = await openAsAdmin(`/project/${projects[2]}/activity`);
    const drawer = page.getByRole('navigation', { name: 'Project' });
    await drawer.getByRole('link', { name: 'Dashboard' }).waitFor();
    await drawer.getByRole('link', { name: 'Team' }).waitFor();
    for (const name of [
      'Task templates',
      'Schedule',
      'Inventory',
      'Variable groups',
      'Key store',
      'Repositories',
      'Integrations',
    ]) {
      expect(await drawer.getByRole('link', { name }).count(), name).toBe(0);
    }
    const tabs = page.getByRole('navigation', { name: 'Dashboard' });
    expect(await tabs.getByRole('link', { name: 'Runners' }).count()).toBe(0);
  });

  test('the drawer is 260 px wide, and folds below 960 px', async () => {
    const page = await openAsAdmin('/', { width: 960 });
    const drawer = page.getByRole('complementary');
    await drawer.waitFor();
    expect((await drawer.boundingBox())?.width).toBe(260);
    await page.setViewportSize({ width: 959, height: 900 });
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await sheet.getByRole('link', { name: 'Key store' }).waitFor();
    // It is on its way in, which makes thousandths of a pixel.
    expect((await sheet.boundingBox())?.width).toBeCloseTo(260, 1);
    await sheet.getByRole('link', { name: 'Key store' }).click();
    await sheet.waitFor({ state: 'hidden' });
  });

  test('the user menu has the version, the screens of administrators, the account and the language', async () => {
    const page = await open('/');
    // What a release tells whose build has a name.
    await page.route('**/api/info', async (route) => {
      const response = await route.fetch();
      const system = (await response.json()) as { version: string };
      await route.fulfill({ response, json: { ...system, version: `${system.version}-build-7` } });
    });
    await signInAsAdmin(page);
    await page
      .getByRole('button', { name: 'Account of Administrator' })
      .getByText('admin', { exact: true })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Account of Administrator' }).click();
    await page.getByText(/^Signalbox \d+\.\d+\.\d+$/).waitFor();
    for (const name of ['Users', 'Active tasks', 'Runners', 'Applications', 'API tokens', 'Sign out', 'Dark mode']) {
      await page.getByRole('menu').getByText(name, { exact: true }).waitFor();
    }
    await page.getByText('Language', { exact: true }).hover();
    await page.getByText('System default').waitFor();
    await page.getByRole('menuitem', { name: 'Edit account' }).click();
    const account = page.getByRole('dialog', { name: 'Edit account' });
    await account.getByRole('tab').nth(1).waitFor();
    await expect.poll(() => account.getByRole('tab').allTextContents()).toEqual(['Settings', 'Security']);
    await expect.poll(() => new URL(page.url()).searchParams.get('account')).toBe('settings');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goForward();
    await page.getByRole('dialog', { name: 'Edit account' }).waitFor();
  });

  test('a browser remembers the language, the dark mode, the last project and the last view of each project', async () => {
    const [, projectId = 0] = projects;
    const body = { title: 'Nightly', position: 1 };
    const { id: viewId } = await api.call(viewRoutes.create, { params: { project_id: projectId }, body });
    const page = await openAsAdmin(`/project/${projectId}/views/${viewId}/templates`);
    await page.getByRole('link', { name: 'Nightly' }).waitFor();
    const openMenu = () => page.getByRole('button', { name: 'Account of Administrator' }).click();
    await openMenu();
    await page.getByText('Dark mode', { exact: true }).click();
    await page.getByText('Language', { exact: true }).hover();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.goto('/');
    await page.waitForURL(`**/project/${projectId}/history`);
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await page.getByRole('link', { name: 'Task templates' }).click();
    await page.waitForURL(`**/project/${projectId}/views/${viewId}/templates`);
    await openMenu();
    await page.getByText('Language', { exact: true }).hover();
    await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor();
  });
});
