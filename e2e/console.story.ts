import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { launchTemplate } from './fixtures/console-forms.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, type TaskPlace, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';

const files = {
  'quick.sh': 'echo quick\n',
  'slow.sh': 'echo ready; sleep 3; echo done\n',
  'stubborn.sh': `trap '' INT TERM; echo ready; while :; do sleep 1; done\n`,
};

const missing = missingFor('chromium');

describe.skipIf(missing)(`the console${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  let finished: TaskPlace;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
    browser = await launchBrowser();
    const quick = await addTemplate(api, workshop, { name: 'Quick', playbook: 'quick.sh' });
    await addTemplate(api, workshop, { name: 'Slow', playbook: 'slow.sh' });
    finished = await launch(api, quick);
    await waitForSuccess(api, finished);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    windows.length = 0;
  });

  afterEach(async () => {
    for (const window of windows) await window.close();
  });

  async function open(options: ConsoleOptions = {}): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    return window.page;
  }

  async function openSignedIn(options: ConsoleOptions = {}): Promise<Page> {
    const page = await open(options);
    await page.goto('/');
    await signInAsAdmin(page);
    return page;
  }

  const at = (rest: string): string => `/project/${workshop.projectId}/${rest}`;

  test('leads back to a deep link after the sign-in, with its query', async () => {
    const page = await open();
    await page.goto(`${at('history')}?t=${finished.task_id}`);
    await signInAsAdmin(page);
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await expect
      .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
      .toBe(`${at('history')}?t=${finished.task_id}`);
  });

  test('prints no error in the browser when a stranger opens it, and lets him in', async () => {
    const window = await browser.open(server.url);
    windows.push(window);
    await window.page.goto('/');
    await window.page.getByLabel('Username or email').waitFor();
    await window.page.goto('/auth/login');
    await signInAsAdmin(window.page);
    await window.page.waitForURL(/\/project\/\d+\//);
    await window.page.reload();
    await window.page.getByRole('navigation').getByRole('link', { name: 'Task templates' }).first().waitFor();
    expect(window.faults).toEqual([]);
  });

  test('says that a sign-in failed, and never leads to another host', async () => {
    const page = await open({ expectedStatuses: [401] });
    await page.goto('/auth/login?redirect=https://example.com/&next=//example.com');
    await page.getByLabel('Username or email').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Incorrect login or password').waitFor();
    await signInAsAdmin(page);
    await page.waitForURL(/\/project\/\d+\//);
    await expect.poll(() => new URL(page.url()).origin).toBe(server.url);
  });

  test('ends the session on the server when a person signs out', async () => {
    const page = await openSignedIn();
    const [cookie] = await page.context().cookies();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username or email').waitFor();
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    expect((await fetch(`${server.url}/api/user`, { headers })).status).toBe(401);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });

  test('opens a task over a screen by `t`, and back and forward close and open it', async () => {
    const page = await openSignedIn();
    await page.goto(at('templates'));
    await page.getByText('Quick', { exact: true }).first().waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).first().click();
    await page
      .getByRole('link', { name: `#${finished.task_id}` })
      .first()
      .click();
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBe(String(finished.task_id));
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goForward();
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBeNull();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/\/templates/);
  });

  test('shows in one window what is launched in another, from waiting to success', async () => {
    const watcher = await openSignedIn();
    await watcher.goto(at('templates'));
    const row = watcher.getByRole('row').filter({ hasText: 'Slow' });
    await row.getByText('Not launched').waitFor();
    const other = await openSignedIn();
    await launchTemplate(other, 'Slow', {});
    await row.getByText('Running', { exact: true }).waitFor();
    await row.getByText('Success', { exact: true }).waitFor();
    await watcher.goto(at('history'));
    await watcher.getByRole('row').filter({ hasText: 'Slow' }).getByText('Success', { exact: true }).waitFor();
  });

  test('stops a task that does not want to end, by force when asked twice', async () => {
    const template = await addTemplate(api, workshop, { name: 'Stubborn', playbook: 'stubborn.sh' });
    const task = await launch(api, template);
    await waitForLine(api, task, 'ready');
    const page = await openSignedIn();
    await page.goto(`${at('history')}?t=${task.task_id}`);
    const view = page.getByRole('article');
    await view.getByRole('button', { name: 'Stop', exact: true }).click();
    await view.getByText('Stopping...').first().waitFor();
    await view.getByRole('button', { name: 'Force stop' }).click();
    await page
      .getByRole('dialog', { name: /Force task/ })
      .getByRole('button', { name: 'Force stop' })
      .click();
    await view.getByText('Stopped', { exact: true }).first().waitFor();
    expect((await waitForEnd(api, task)).status).toBe('stopped');
  });

  test('keeps the dark mode that a person has chosen', async () => {
    const page = await openSignedIn();
    const scheme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
    expect(await scheme()).toBe('light');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByText('Dark mode').click();
    await expect.poll(scheme).toBe('dark');
    await page.reload();
    await page.getByRole('main').waitFor();
    expect(await scheme()).toBe('dark');
  });

  test.each([
    ['light', false],
    ['dark', true],
  ])('fits into 390 px on every screen, %s, and nothing but logs scrolls sideways', async (_, dark) => {
    const page = await openSignedIn({ width: 390, height: 844, dark });
    const screens = [
      'templates',
      'history',
      'activity',
      'settings',
      'keys',
      'repositories',
      'inventory',
      'environment',
    ];
    const others = [
      'templates/new/edit',
      'templates/1/tasks',
      'templates/1/details',
      'tasks/1',
      'templates?run=1',
      'history?t=1',
    ];
    for (const screen of [...screens, ...others]) {
      await page.goto(at(screen));
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, screen).toBeLessThanOrEqual(390);
    }
  });

  test('leads from the newest tasks to the older ones, and back', async () => {
    const many = await addTemplate(api, workshop, { name: 'Many', playbook: 'quick.sh', allow_parallel_tasks: true });
    let last = finished;
    for (let count = 0; count < 205; count += 1) last = await launch(api, many);
    await waitForSuccess(api, last);
    const page = await openSignedIn();
    await page.goto(at('history?page=10'));
    await page.getByText('181–200 of 200').waitFor();
    await page.getByRole('link', { name: 'Older', exact: true }).click();
    await page.getByRole('link', { name: `#${finished.task_id}`, exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBeNull();
    await page.getByRole('link', { name: 'Newest', exact: true }).click();
    await page.getByRole('link', { name: `#${last.task_id}`, exact: true }).waitFor();
  });

  test('says that there is nothing at a wrong address, and offers a way out', async () => {
    const page = await openSignedIn({ expectedStatuses: [404] });
    for (const path of ['/project/999999/history', at('nowhere'), '/nowhere']) {
      await page.goto(path);
      await page.getByText('Not found').first().waitFor();
      await page.getByText('Go to the start').first().waitFor();
    }
  });
});
