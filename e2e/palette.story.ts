import { keyRoutes } from '@signalbox/contract/keys';
import { teamRoutes } from '@signalbox/contract/team';
import { userRoutes } from '@signalbox/contract/users';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { signIn, signInAsAdmin } from './fixtures/console.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, type TaskPlace, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('chromium');
const guest = { username: 'guest', password: 'a long enough password' };

describe.skipIf(missing)(`the palette and the keys${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  let finished: TaskPlace;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    repository = await makeGitRepository({ 'quick.sh': 'echo quick\n' });
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
    await makeWorkshop(api, repository.path, 'Second site');
    const { id } = await api.call(userRoutes.create, {
      body: { name: 'Guest', email: 'guest@example.org', ...guest },
    });
    const params = { project_id: workshop.projectId };
    await api.call(teamRoutes.add, { params, body: { user_id: id, role: 'guest' } });
    finished = await launch(api, await addTemplate(api, workshop, { name: 'Deploy the API', playbook: 'quick.sh' }));
    await waitForSuccess(api, finished);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  const at = (rest: string): string => `/project/${workshop.projectId}/${rest}`;

  async function openAt(path: string, options: ConsoleOptions = {}, user?: typeof guest): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    await window.page.goto(path);
    if (user === undefined) await signInAsAdmin(window.page);
    else await signIn(window.page, user);
    await window.page.getByRole('heading', { level: 1 }).waitFor();
    return window.page;
  }

  /** Opens the palette by its keys, types, and waits until the first match is that. */
  async function type(page: Page, query: string, first: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(query);
    await page.getByRole('option', { name: first, selected: true }).first().waitFor();
  }

  const addressOf = (page: Page): string => new URL(page.url()).pathname;

  test('reaches a page, a template, a task, another project and the administration by a few letters of their names', async () => {
    const page = await openAt(at('history'));
    const places: [string, string, RegExp][] = [
      ['key st', 'Key store', /\/keys$/],
      ['depl api', 'Deploy the API', /\/templates\/\d+\/tasks$/],
      ['repos', 'Repositories', /\/repositories$/],
      ['users', 'Users', /^\/users$/],
      ['sec si', 'Second site', /\/history$/],
    ];
    for (const [query, name, address] of places) {
      await type(page, query, name);
      await page.keyboard.press('Enter');
      await expect.poll(() => addressOf(page), { message: name }).toMatch(address);
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor({ state: 'hidden' });
    }
    await expect.poll(() => addressOf(page)).not.toBe(at('history'));
    await page.goto(at('keys'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await type(page, `#${finished.task_id}`, `#${finished.task_id} Deploy the API`);
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await expect.poll(() => addressOf(page)).toBe(at('keys'));
  });

  test('takes what is typed before it is there', async () => {
    const page = await openAt(at('keys'));
    const option = page.getByRole('option', { name: 'Run Deploy the API', selected: true });
    const closed = page.getByRole('combobox', { name: /^Go to/ });
    // Its code still has to come at first; later it is closed and called again within the time that it fades.
    for (const isFading of [false, false, true, true]) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('ruX');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('n deploy');
      await option.waitFor();
      await page.keyboard.press('Escape');
      if (!isFading) await closed.waitFor({ state: 'detached' });
    }
    await expect.poll(() => addressOf(page)).toBe(at('keys'));
  });

  test('launches a template over the page that is shown', async () => {
    const page = await openAt(at('inventory'));
    await type(page, 'run deploy', 'Run Deploy the API');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /Deploy the API/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await expect.poll(() => addressOf(page)).toBe(at('inventory'));
  });

  test('lists first what was chosen last, and says so when nothing matches', async () => {
    const page = await openAt(at('history'));
    await type(page, 'variable', 'Variable groups');
    await page.keyboard.press('Enter');
    await page.waitForURL(/environment/);
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Variable groups');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('Dashboard');
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing is called “zzzz”.').waitFor();
  });

  test('gives the focus back to where it was', async () => {
    const page = await openAt(at('keys'));
    const button = page.getByRole('button', { name: 'New key' }).first();
    await button.focus();
    // Also where Escape comes before the palette has taken the focus.
    for (const state of ['attached', 'attached', 'attached', 'visible'] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor({ state });
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((node) => node === document.activeElement)).toBe(true);
    }
  });

  test('offers a guest neither launches nor what only administrators and owners may open', async () => {
    const page = await openAt(at('history'), {}, guest);
    await type(page, 'deploy', 'Deploy the API');
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .not.toContainEqual(expect.stringMatching(/^Run /));
    for (const word of ['users', 'applications', 'project settings', 'new project']) {
      await page.getByRole('combobox', { name: /^Go to/ }).fill(word);
      const names = (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]?.toLowerCase());
      expect(names).not.toContain(word);
    }
  });

  test('knows a template that somebody has just made', async () => {
    const page = await openAt(at('keys'));
    await addTemplate(api, workshop, { name: 'Brand new thing', playbook: 'quick.sh' });
    await type(page, 'brand new', 'Brand new thing');
  });

  test('a question mark lists the keys, and g with a letter leads to a page', async () => {
    const page = await openAt(at('history'));
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Key store').waitFor();
    // Behind a dialog they lead nowhere.
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await expect.poll(() => addressOf(page)).toBe(at('history'));
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.waitForURL(/\/keys$/);
  });

  test('a slash leads to the search of the page, and letters in a field are letters', async () => {
    await api.call(keyRoutes.create, {
      params: { project_id: workshop.projectId },
      body: { name: 'g?', type: 'none' },
    });
    const page = await openAt(at('templates'));
    await page.getByText('Deploy the API').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('gk?/');
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    expect(await focused()).toBe('gk?/');
    await expect.poll(() => addressOf(page)).toBe(at('templates'));
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('keys of one letter can be switched off, and those with Ctrl stay', async () => {
    const page = await openAt(at('history'));
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: /of one letter/ }).uncheck({ force: true });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    for (const key of ['?', 'g', 'k']) await page.keyboard.press(key);
    await type(page, 'keyboard', 'Keyboard shortcuts');
    await expect.poll(() => addressOf(page)).toBe(at('history'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
