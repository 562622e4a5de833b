import { activeTaskRoutes } from '@signalbox/contract/active-tasks';
import { appRoutes } from '@signalbox/contract/apps';
import { projectRunnerRoutes, runnerRoutes } from '@signalbox/contract/runners';
import { teamRoutes } from '@signalbox/contract/team';
import { userRoutes } from '@signalbox/contract/users';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { fillField, signIn, signInAsAdmin } from './fixtures/console.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, stopTask, type TaskPlace, waitForEnd, waitForLine } from './fixtures/tasks.ts';

const password = 'a password of some length';
const missing = missingFor('chromium');

describe.skipIf(missing)(`the administration of the server${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    repository = await makeGitRepository({ 'slow.sh': 'echo ready; sleep 60\n' });
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path, 'Yard office');
    browser = await launchBrowser();
    for (const role of ['manager', 'task_runner', 'guest'] as const) {
      const body = { name: `The ${role}`, username: role, email: `${role}@example.com`, password };
      const { id } = await api.call(userRoutes.create, { body });
      const params = { project_id: workshop.projectId };
      await api.call(teamRoutes.add, { params, body: { user_id: id, role } });
    }
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
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

  async function openAs(username: string, path: string, options: ConsoleOptions = {}): Promise<Page> {
    const page = await open(path, options);
    await signIn(page, { username, password });
    return page;
  }

  const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
  const projectRunners = (): string => `/project/${workshop.projectId}/runners`;

  async function confirmDelete(page: Page): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  }

  test('active tasks stand in a list with where they are, lead to their page, and are stopped from it', async () => {
    const template = await addTemplate(api, workshop, { name: 'Slow', playbook: 'slow.sh' });
    const first = await launch(api, template);
    const second = await launch(api, template);
    await waitForLine(api, first, 'ready');
    const page = await openAsAdmin('/tasks');
    const running = rowOf(page, `#${first.task_id}`);
    const titles = ['Task ID', 'Project ID', 'Username', 'Status', 'Location', 'Actions'];
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(titles);
    await running.getByText('Running', { exact: true }).waitFor();
    await running.getByText('Local Running').waitFor();
    await running.getByText('admin', { exact: true }).waitFor();
    await running.getByText(`${workshop.projectId} · Yard office`).waitFor();
    await rowOf(page, `#${second.task_id}`).getByText('Queue').waitFor();
    await running.getByRole('link', { name: `#${first.task_id}` }).click();
    await page.waitForURL(`**/project/${workshop.projectId}/tasks/${first.task_id}`);
    await page.goBack();
    for (const { task_id: id } of [second, first]) {
      await page.getByRole('button', { name: `Stop task ${id}` }).click();
    }
    expect((await waitForEnd(api, first)).status).toBe('stopped');
    // The list is asked for anew every ten seconds, as no message tells of it.
    await page.getByText('No active tasks').waitFor();
    expect(await api.call(activeTaskRoutes.list, {})).toEqual([]);
  });

  test('active tasks come 20 to a page, and anew every ten seconds', async () => {
    const page = await openAsAdmin('/tasks');
    await page.getByText('No active tasks').waitFor();
    const template = await addTemplate(api, workshop, { name: 'Crowd', playbook: 'slow.sh' });
    const tasks: TaskPlace[] = [];
    for (let count = 0; count < 21; count += 1) tasks.push(await launch(api, template));
    await page.getByText('1–20 of 21').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Stop task/ }).count()).toBe(20);
    for (const task of tasks.toReversed()) await stopTask(api, task, true);
    await page.getByText('No active tasks').waitFor();
  });

  test('an administrator adds an application, switches it off and deletes it', async () => {
    const page = await openAsAdmin('/apps');
    await page.getByRole('button', { name: 'New application' }).click();
    const form = page.getByRole('dialog', { name: 'New application' });
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('ID is required').waitFor();
    await fillField(form, 'ID', 'ruby');
    await fillField(form, 'Title', 'Ruby Script');
    await fillField(form, 'Priority', 'high');
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('Must be an integer').waitFor();
    await fillField(form, 'Priority', '5');
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.waitFor({ state: 'hidden' });
    await rowOf(page, 'Ruby Script').getByRole('button', { name: 'Ruby Script', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('app')).toBe('ruby');
    await page.reload();
    await fillField(page.getByRole('dialog', { name: 'Edit application' }), 'Path', '/usr/bin/ruby');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await rowOf(page, 'Ruby Script').getByRole('switch').click({ force: true });
    await expect
      .poll(async () => (await api.call(appRoutes.list, {})).find(({ id }) => id === 'ruby'))
      .toMatchObject({ path: '/usr/bin/ruby', priority: 5, active: false });
    await page.getByRole('button', { name: 'Delete Ruby Script' }).click();
    await confirmDelete(page);
    await page.getByText('Application Ruby Script deleted').waitFor();
  });

  test('default applications cannot be deleted, and a switch that the server refuses goes back with the reason', async () => {
    await api.call(appRoutes.save, { params: { app_id: 'gone' }, body: { title: 'Gone soon', active: true } });
    const page = await openAsAdmin('/apps', { expectedStatuses: [404] });
    const bash = page.getByRole('button', { name: 'Delete Bash Script' });
    await expect.poll(() => bash.getAttribute('aria-disabled')).toBe('true');
    const toggle = rowOf(page, 'Gone soon').getByRole('switch');
    await toggle.waitFor();
    // The request meets an app that was deleted while it was on its way.
    await page.route('**/api/apps/gone/active', async (route) => {
      await api.call(appRoutes.remove, { params: { app_id: 'gone' } });
      await route.continue();
    });
    await toggle.click({ force: true });
    await page.getByText('There is no such app').waitFor();
    await rowOf(page, 'Gone soon').waitFor({ state: 'detached' });
  });

  test('others see the applications and can change nothing', async () => {
    const page = await openAs('manager', '/apps');
    const button = page.getByRole('button', { name: 'New application' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => rowOf(page, 'Bash Script').getByRole('switch').isDisabled()).toBe(true);
    const edit = page.getByRole('button', { name: 'Edit Bash Script' });
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true');
  });

  test('a new runner shows its token and key once, with four ways to start it', async () => {
    const page = await openAsAdmin('/runners');
    await page.getByRole('button', { name: 'New runner' }).click();
    const form = page.getByRole('dialog', { name: 'New runner' });
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('Name is required').waitFor();
    await fillField(form, 'Name', 'north');
    await form.getByRole('button', { name: /^Create/ }).click();
    const shown = page.getByRole('dialog', { name: 'Runner north created' });
    await shown.waitFor();
    expect((await shown.boundingBox())?.width).toBe(600);
    const [token = '', key = ''] = await shown.locator('code').allTextContents();
    expect(key.replace('…', '')).toHaveLength(90);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: 'Copy the private key' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\n$/);
    const download = page.waitForEvent('download');
    await shown.getByRole('button', { name: 'Download as a text file' }).click();
    expect((await download).suggestedFilename()).toBe('north.key.txt');
    for (const [tab, word] of [
      ['Config file', 'private_key: |'],
      ['Setup', 'signalbox-runner setup'],
      ['Env vars', 'export SIGNALBOX_SERVER'],
      ['Docker', 'docker run'],
    ] as const) {
      await shown.getByRole('tab', { name: tab }).click();
      await shown.locator('pre').getByText(word).waitFor();
      await expect.poll(() => shown.locator('pre').textContent()).toContain(token);
    }
    await page.getByRole('button', { name: 'I have copied them' }).click();
    const row = rowOf(page, 'north');
    await row.getByText('∞').waitFor();
    await row.getByText('Never connected').waitFor();
    await row.getByRole('switch').click({ force: true });
    await expect.poll(async () => (await api.call(runnerRoutes.list, {}))[0]?.active).toBe(false);
    await row.getByRole('button', { name: 'Delete north' }).click();
    await confirmDelete(page);
    await page.getByText('Runner north deleted').waitFor();
  });

  test('a registration token is shown once, with the command that spends it', async () => {
    const page = await openAsAdmin('/runners');
    await page.getByRole('button', { name: 'Registration token' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create/ })
      .click();
    const shown = page.getByRole('dialog', { name: 'Registration token' });
    const token = await shown.locator('code').textContent();
    await expect.poll(() => shown.locator('pre').textContent()).toContain(token);
    await shown.getByText('--registration-token-stdin').waitFor();
  });

  test('a manager adds a runner to the project, which needs a tag, and sees at once what others change', async () => {
    const page = await openAs('manager', projectRunners());
    await page.getByRole('button', { name: 'New runner' }).click();
    const form = page.getByRole('dialog', { name: 'New runner' });
    await fillField(form, 'Name', 'local');
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('Tag is required').waitFor();
    await fillField(form, 'Tag', 'gpu');
    await fillField(form, 'Max parallel tasks', '3');
    await form.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('button', { name: 'I have copied them' }).click();
    await rowOf(page, 'local').getByText('gpu').waitFor();
    const params = { project_id: workshop.projectId };
    await api.call(projectRunnerRoutes.create, { params, body: { name: 'second', tag: 'arm' } });
    await rowOf(page, 'second').waitFor();
  });

  test.each(['task_runner', 'guest'])('a member in the role %s sees the runners of the project only', async (role) => {
    const page = await openAs(role, projectRunners());
    await rowOf(page, 'local').waitFor();
    expect(await page.getByRole('button', { name: 'New runner' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Edit local' }).count()).toBe(0);
    await expect.poll(() => rowOf(page, 'local').getByRole('switch').isDisabled()).toBe(true);
    for (const path of ['/runners', '/tasks']) {
      await page.goto(path);
      await page.getByText('This is for administrators').waitFor();
    }
  });

  test('applications and runners come 20 to a page, each with its columns', async () => {
    for (let count = 1; count <= 20; count += 1) {
      const body = { title: `App ${count}`, active: true };
      await api.call(appRoutes.save, { params: { app_id: `app${count}` }, body });
      await api.call(runnerRoutes.create, { body: { name: `crowd ${count}` } });
    }
    const page = await openAsAdmin('/apps');
    await page.getByText(/^1–20 of \d+$/).waitFor();
    const titles = () => page.getByRole('columnheader').allTextContents();
    expect(await titles()).toEqual(['Active', 'Title', 'ID', 'Actions']);
    await page.goto('/runners');
    await page.getByText(/^1–20 of \d+$/).waitFor();
    expect(await titles()).toEqual(expect.arrayContaining(['Active', 'Name', 'Project', 'Webhook', 'Tag', 'Actions']));
    await page.goto(projectRunners());
    await rowOf(page, 'local').waitFor();
    expect(await titles()).not.toContain('Project');
  });
});
