import { keyRoutes } from '@signalbox/contract/keys';
import { scheduleRoutes } from '@signalbox/contract/schedules';
import { taskRoutes } from '@signalbox/contract/tasks';
import { templateRoutes } from '@signalbox/contract/templates';
import { viewRoutes } from '@signalbox/contract/views';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { settle } from './fixtures/console-routes.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { adminPassword, type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');
/** More than any screen of these stories has to tab through. */
const mostStops = 120;

/** Each goes on where the one before has ended, as one evening at the keyboard does. */
describe.skipIf(missing)(`without a pointer${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;

  beforeAll(async () => {
    repository = await makeGitRepository({ 'quick.sh': 'echo the quick fox\n' });
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
    const { id } = await addTemplate(api, workshop, { name: 'Quick fox', playbook: 'quick.sh' });
    const params = { project_id: workshop.projectId };
    const schedule = { template_id: id, name: 'Nightly', cron_format: '0 4 * * *', active: false };
    await api.call(scheduleRoutes.create, { params, body: schedule });
    for (const title of ['First', 'Second']) await api.call(viewRoutes.create, { params, body: { title } });
    browser = await launchBrowser();
    window = await browser.open(server.url);
    page = window.page;
    await window.context.addInitScript(() => {
      // A person without one presses no button of it.
      for (const type of ['mousedown', 'touchstart']) {
        addEventListener(type, () => document.documentElement.setAttribute('data-pointer-used', ''), true);
      }
    });
    await page.goto(`/project/${workshop.projectId}/history`);
  });

  afterAll(async () => {
    await window?.close();
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  /** Presses Tab until the focus is there. @throws when it is not to be reached */
  async function tabTo(target: Locator): Promise<void> {
    await target.first().waitFor();
    for (let stop = 0; stop < mostStops; stop += 1) {
      if (await target.first().evaluate((node) => node === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${target} is not to be reached with Tab`);
  }

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  const params = () => ({ project_id: workshop.projectId });

  test('one signs in', async () => {
    await tabTo(page.getByLabel('Username or email'));
    await page.keyboard.type('admin');
    await tabTo(page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(adminPassword);
    await press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor({ timeout: 60_000 });
  });

  test('one launches a task and reads its log', async () => {
    await press('Control+k');
    await page.keyboard.type('run quick');
    await page.getByRole('option', { name: /Run Quick fox/, selected: true }).waitFor();
    await press('Enter');
    await page.getByRole('dialog', { name: /Quick fox/ }).waitFor();
    await press('Control+Enter');
    await page.getByRole('article').getByText('the quick fox', { exact: true }).waitFor();
    await page.getByRole('article').getByText('Success', { exact: true }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await api.call(taskRoutes.last, { params: params(), query: {} })).toMatchObject([{ status: 'success' }]);
  });

  test('one creates a key', async () => {
    await press('g', 'k');
    await tabTo(page.getByRole('main').getByRole('button', { name: 'New key' }));
    await press('Enter');
    const form = page.getByRole('dialog');
    await tabTo(form.getByLabel(/^Name/));
    await page.keyboard.type('Made by hand');
    await tabTo(form.getByRole('combobox', { name: /^Type/ }).or(form.getByLabel(/^Type/)));
    await press('ArrowDown');
    await page.getByRole('option', { name: 'None', exact: true }).waitFor();
    while (
      (await page.getByRole('option', { name: 'None', exact: true }).getAttribute('data-combobox-selected')) === null
    ) {
      await press('ArrowDown');
    }
    await press('Enter', 'Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await page.getByRole('main').getByText('Made by hand', { exact: true }).first().waitFor();
  });

  test('one switches a schedule on', async () => {
    await press('g', 's');
    const active = page.getByRole('main').getByRole('switch').first();
    await tabTo(active);
    await press('Space');
    await expect
      .poll(() => api.call(scheduleRoutes.list, { params: params(), query: {} }))
      .toMatchObject([{ name: 'Nightly', active: true }]);
  });

  test('one changes the order of the views', async () => {
    await press('g', 't');
    await tabTo(page.getByRole('main').getByRole('button', { name: 'Edit views' }));
    await press('Enter');
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Drag First' }));
    await press('Alt+ArrowDown');
    await settle(page);
    const list = () => api.call(viewRoutes.list, { params: params() });
    const save = page.getByRole('dialog').getByRole('button', { name: /^(Save|Close|Done)/ });
    await tabTo(save.last());
    await press('Enter');
    await expect.poll(async () => (await list()).map(({ title }) => title)).toEqual(['Second', 'First']);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('one deletes a key, and is back where one was', async () => {
    await press('g', 'k');
    await tabTo(page.getByRole('main').getByRole('button', { name: 'Delete Made by hand' }));
    await press('Enter');
    const question = page.getByRole('dialog');
    await tabTo(question.getByRole('button', { name: /^Delete/ }));
    await press('Enter');
    await question.waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await api.call(keyRoutes.list, { params: params(), query: {} })).map(({ name }) => name))
      .not.toContain('Made by hand');
    await page.getByRole('main').getByText('Made by hand').waitFor({ state: 'detached' });
  });

  test('who removes one of several stands at the button that adds another', async () => {
    const { id } = await addTemplate(api, workshop, {
      name: 'Asks',
      app: 'ansible',
      playbook: 'site.yml',
      survey_vars: [
        {
          name: 'place',
          title: 'Place',
          description: '',
          type: 'enum',
          required: false,
          values: [
            { name: 'North', value: 'north' },
            { name: 'South', value: 'south' },
          ],
        },
      ],
      vaults: [{ name: 'first', type: 'script', script: 'first-client' }],
    });
    const remove = async (dialog: Locator, name: string, add: string): Promise<void> => {
      await tabTo(dialog.getByRole('button', { name, exact: true }));
      await press('Enter');
      await dialog.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
      await expect.poll(() => page.locator(':focus').textContent()).toBe(add);
    };
    await page.goto(`/project/${workshop.projectId}/templates`);
    await tabTo(page.getByRole('main').getByRole('button', { name: 'Edit views' }));
    await press('Enter');
    await remove(page.getByRole('dialog'), 'Delete Second', 'Add view');
    await press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.goto(`/project/${workshop.projectId}/templates/${id}/tasks?dialog=edit`);
    const form = page.getByRole('dialog', { name: 'Edit template' });
    await tabTo(form.getByRole('button', { name: 'Edit Place' }));
    await press('Enter');
    const variable = page.getByRole('dialog', { name: 'Edit variable' });
    await remove(variable, 'Remove value 2', 'Add value');
    await press('Control+Enter');
    await variable.waitFor({ state: 'hidden' });
    await remove(form, 'Delete Place', 'Add variable');
    await remove(form, 'Remove vault first', 'Add vault');
    await press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    const saved = await api.call(templateRoutes.get, { params: { ...params(), template_id: id } });
    expect(saved).toMatchObject({ survey_vars: [], vaults: [] });
    expect((await api.call(viewRoutes.list, { params: params() })).map(({ title }) => title)).toEqual(['First']);
  });

  test('an icon says what it does to who stands on it, and Escape sends that away', async () => {
    await page.goto(`/project/${workshop.projectId}/keys`);
    const icon = page.getByRole('button', { name: 'Delete None' });
    await tabTo(icon);
    const hint = page.getByRole('tooltip');
    await hint.waitFor();
    expect(await hint.locator('span').getAttribute('id')).toBe(await icon.getAttribute('aria-describedby'));
    await page.keyboard.press('Escape');
    await hint.waitFor({ state: 'hidden' });
    await page.keyboard.press('Shift+Tab');
    await hint.getByText('Edit', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => hint.allTextContents()).toEqual(['Delete']);
  });

  test('and no button of a pointer was pressed', async () => {
    await expect.poll(() => page.locator('html[data-pointer-used]').count()).toBe(0);
  });
});
