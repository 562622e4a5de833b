import { projectRoutes } from '@signalbox/contract/projects';
import { teamRoutes } from '@signalbox/contract/team';
import { type User, userRoutes } from '@signalbox/contract/users';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { fillField, signIn, signInAsAdmin } from './fixtures/console.ts';
import { settle } from './fixtures/console-routes.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const password = 'a password of some length';
const missing = missingFor('chromium');

describe.skipIf(missing)(`users and their accounts${because(missing)}`, () => {
  let server: SignalboxServer;
  let api: Api;
  let browser: ChromiumBrowser;
  let projectId = 0;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    server = await startServer();
    api = await server.signIn();
    browser = await launchBrowser();
    projectId = (await api.call(projectRoutes.create, { body: { name: 'Yard' } })).id;
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  async function open(options: ConsoleOptions = {}): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    return window.page;
  }

  async function openAsAdmin(path: string, options: ConsoleOptions = {}): Promise<Page> {
    const page = await open(options);
    await page.goto(path);
    await signInAsAdmin(page);
    return page;
  }

  async function openAs(username: string, path: string, options: ConsoleOptions = {}): Promise<Page> {
    const page = await open(options);
    await page.goto(path);
    await signIn(page, { username, password });
    return page;
  }

  function addUser(name: string, change: { admin?: boolean; external?: boolean } = {}): Promise<User> {
    const username = name.toLowerCase().replace(/\W+/g, '.');
    const secret = change.external === true ? {} : { password };
    return api.call(userRoutes.create, {
      body: { name, username, email: `${username}@example.com`, ...secret, ...change },
    });
  }

  const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

  async function send(form: Locator, button: RegExp): Promise<void> {
    await form.getByRole('button', { name: button }).click();
  }

  test('an administrator creates, changes and deletes a user, and is told of each', async () => {
    const page = await openAsAdmin('/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const form = page.getByRole('dialog', { name: 'New user' });
    await send(form, /^Create/);
    for (const field of ['Name', 'Username', 'Email', 'Password']) {
      await form.getByText(`${field} is required`, { exact: true }).waitFor();
    }
    expect((await form.boundingBox())?.width).toBe(450);
    expect(await form.getByRole('tab').count()).toBe(0);
    await fillField(form, 'Name', 'Jane Roe');
    await fillField(form, 'Username', 'jane');
    await fillField(form, 'Email', 'jane@example.com');
    await fillField(form, 'Password', password);
    await send(form, /^Create/);
    await page.getByText('User Jane Roe created').waitFor();

    await rowOf(page, 'Jane Roe').getByRole('button', { name: 'Edit Jane Roe' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit user' });
    await expect.poll(() => edit.getByRole('tab').allTextContents()).toEqual(['Settings', 'Security']);
    await fillField(edit, 'Name', 'Jane Doe');
    await edit.getByLabel('Administrator').check();
    await send(edit, /^Save/);
    await page.getByText('User Jane Doe saved').waitFor();
    await rowOf(page, 'Jane Doe').getByRole('img', { name: 'Yes' }).waitFor();

    await rowOf(page, 'Jane Doe').getByRole('button', { name: 'Delete Jane Doe' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('User Jane Doe deleted').waitFor();
    await rowOf(page, 'Jane Doe').waitFor({ state: 'detached' });
  });

  test('what the server refuses stands beside its field, and the last administrator stays', async () => {
    await addUser('Double');
    const page = await openAsAdmin('/users?edit=new', { expectedStatuses: [409] });
    const form = page.getByRole('dialog', { name: 'New user' });
    await fillField(form, 'Name', 'Another');
    await fillField(form, 'Username', 'double');
    await fillField(form, 'Email', 'another@example.com');
    await fillField(form, 'Password', password);
    await send(form, /^Create/);
    await form.getByText('Username is taken').waitFor();
    await page.keyboard.press('Escape');
    const own = rowOf(page, 'Administrator').getByRole('button', { name: 'Delete Administrator' });
    await expect.poll(() => own.getAttribute('aria-disabled')).toBe('true');
    await own.hover();
    await page.getByText('You cannot delete your own account here.').waitFor();
  });

  test('an external user has neither an email nor a password that can be changed', async () => {
    const user = await addUser('Ext Ernal', { external: true });
    const page = await openAsAdmin(`/users?edit=${user.id}`);
    const form = page.getByRole('dialog', { name: 'Edit user' });
    await expect.poll(() => form.getByLabel(/^Email/).isDisabled()).toBe(true);
    await form.getByRole('tab', { name: 'Security' }).click();
    await form.getByText('the password is kept there').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('security');
    await page.reload();
    await form.getByText('the password is kept there').waitFor();
    await form.getByRole('button', { name: 'Close' }).click();
    const button = rowOf(page, 'Ext Ernal').getByRole('button', { name: 'Change the password of Ext Ernal' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  });

  test('a list of users shows 20 on a page, what another administrator does, and what the filter finds', async () => {
    for (let count = 1; count <= 20; count += 1) await addUser(`Crowd ${String(count).padStart(2, '0')}`);
    const page = await openAsAdmin('/users?sort=username');
    await page.getByText(/^1–20 of \d+$/).waitFor();
    const titles = ['Name', 'Username', 'Email', 'Alert', 'Admin', 'External', 'Actions'];
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(titles);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('page') === '2');
    await page.goBack();
    await page.getByText(/^1–20 of \d+$/).waitFor();
    await page.getByLabel('Find a user').fill('late comer');
    await page.getByText('Nothing matches').waitFor();
    await addUser('Late Comer');
    await rowOf(page, 'Late Comer').waitFor();
    await page.getByRole('link', { name: 'Back to the project' }).click();
    await page.waitForURL(/\/project\/\d+\/history/);
  });

  test.each(['guest', 'task_runner', 'owner'] as const)(
    'a member in the role %s finds no users, and no way to them',
    async (role) => {
      const user = await addUser(`Plain ${role}`);
      await api.call(teamRoutes.add, { params: { project_id: projectId }, body: { user_id: user.id, role } });
      const page = await openAs(user.username, '/users');
      await page.getByText('This is for administrators').waitFor();
      expect(await page.getByRole('button', { name: 'New user' }).count()).toBe(0);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Edit account' }).waitFor();
      for (const place of ['Users', 'Active tasks', 'Runners']) {
        expect(await page.getByRole('menuitem', { name: place }).count(), place).toBe(0);
      }
    },
  );

  test('a person changes the own name and password; the other sessions end and this one stays', async () => {
    const user = await addUser('Own Er');
    const other = new Api(server.url);
    await other.signIn(user.username, password);
    const page = await openAs(user.username, '/');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Edit account' }).click();
    const account = page.getByRole('dialog', { name: 'Edit account' });
    await expect.poll(() => account.getByLabel('Administrator').isDisabled()).toBe(true);
    await fillField(account, 'Name', 'Owen Er');
    await send(account, /^Save/);
    await page.getByRole('button', { name: 'Account of Owen Er' }).waitFor();

    await page.goto(`${new URL(page.url()).pathname}?account=security`);
    await account.getByRole('button', { name: 'Change password' }).click();
    const change = page.getByRole('dialog', { name: 'Change password' });
    await send(change, /^Save/);
    await change.getByText('Password is required').waitFor();
    await fillField(change, 'New password', 'another good password');
    await send(change, /^Save/);
    await page.getByText('Password of Owen Er changed').waitFor();
    await account.getByRole('button', { name: 'Change password' }).waitFor();
    expect((await other.send('GET', '/user')).status).toBe(401);
    await page.goto('/tokens');
    await page.getByText('No API tokens yet').waitFor();
  });

  test('Escape closes the dialog on top, and the draft below it stays', async () => {
    const page = await openAsAdmin('/users?account=settings');
    const account = page.getByRole('dialog', { name: 'Edit account' });
    await fillField(account, 'Name', 'Half typed');
    await account.getByRole('tab', { name: 'Security' }).click();
    await account.getByRole('button', { name: 'Change password' }).click();
    const change = page.getByRole('dialog', { name: 'Change password' });
    await change.getByLabel(/^New password/).waitFor();
    await page.keyboard.press('Escape');
    await change.waitFor({ state: 'detached' });
    await account.getByRole('tab', { name: 'Settings' }).click();
    await expect.poll(() => account.getByLabel(/^Name/).inputValue()).toBe('Half typed');
    await page.keyboard.press('Escape');
    await account.waitFor({ state: 'detached' });
  });

  test('an administrator sees the sessions of a user and ends them, which signs him out', async () => {
    const user = await addUser('Away Sign');
    await api.call(teamRoutes.add, { params: { project_id: projectId }, body: { user_id: user.id, role: 'guest' } });
    const his = await openAs(user.username, `/project/${projectId}/templates`, { expectedStatuses: [401] });
    await his.getByRole('heading', { name: 'Task templates' }).waitFor();
    const page = await openAsAdmin(`/users?edit=${user.id}&tab=security`);
    const dialog = page.getByRole('dialog', { name: 'Edit user' });
    await dialog.getByText('Chrome on Linux').waitFor();
    await dialog.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();
    await dialog.getByText('Not signed in anywhere.').waitFor();
    await his.reload();
    await his.getByLabel('Username or email').waitFor();
    expect(new URL(his.url()).searchParams.get('return')).toBe(`/project/${projectId}/templates`);
  });

  test('an API token is shown once, works, and is refused after it was deleted', async () => {
    const page = await openAsAdmin('/tokens?edit=new');
    const form = page.getByRole('dialog', { name: 'New token' });
    await send(form, /^Create/);
    await form.getByText('Name is required').waitFor();
    await fillField(form, 'Name', 'pipeline');
    await send(form, /^Create/);
    const made = page.getByRole('dialog', { name: 'Token pipeline' });
    const token = await made.locator('code').textContent();
    // It is shown never again, so that a slip of the hand must not take it away.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await settle(page);
    await expect.poll(() => made.isVisible()).toBe(true);
    const ask = () => fetch(`${server.url}/api/user`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.reload();
    const row = rowOf(page, 'pipeline');
    await row.getByText('active').waitFor();
    expect(await page.content()).not.toContain(token);
    await row.getByRole('button', { name: 'Delete pipeline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.getByText('expired').waitFor();
    expect((await ask()).status).toBe(401);
  });
});
