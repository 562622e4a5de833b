import { readFile } from 'node:fs/promises';
import { backupRoutes } from '@signalbox/contract/backup';
import { keyRoutes } from '@signalbox/contract/keys';
import { type Project, projectRoutes } from '@signalbox/contract/projects';
import { userRoutes } from '@signalbox/contract/users';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fillField, readProjectId, signIn, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
/** On a busy machine a page takes its time. */
const password = 'a password of some length';

describe.skipIf(missing)(`projects${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' }, { SIGNALBOX_NON_ADMIN_CAN_CREATE_PROJECT: '1' });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const findProject = (id: number): Promise<Project> =>
    area.api.call(projectRoutes.get, { params: { project_id: id } });
  const makeProject = (name: string): Promise<Project> => area.api.call(projectRoutes.create, { body: { name } });
  const picker = (page: Page) => page.getByRole('button', { name: 'Choose a project' });
  /** From here on the page is told what others change. */
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function chooseFile(page: Page, text: string): Promise<void> {
    const file = { name: 'backup.json', mimeType: 'application/json', buffer: Buffer.from(text) };
    await page.getByLabel(/^Backup file/).setInputFiles(file);
  }

  test('a new project needs a name and a limit that is an integer of 0 or more, and is the chosen one afterwards', async () => {
    const page = await area.open('../new');
    await press(page, 'Create');
    await page.getByText('Project name is required').waitFor();
    await fillField(page, 'Project name', 'Harbour');
    for (const [limit, problem] of [
      ['1.5', 'Must be an integer'],
      ['-1', 'Must be 0 or greater'],
    ] as const) {
      await page.getByLabel(/^Max number of parallel tasks/).fill(limit);
      await press(page, 'Create');
      await page.getByText(problem).waitFor();
    }
    await page.getByLabel(/^Max number of parallel tasks/).fill('');
    await page.getByLabel(/^Chat ID/).fill('-100');
    await page.getByLabel('Allow alerts for this project').check();
    await press(page, 'Create');
    await page.getByText('Project Harbour created').waitFor();
    await page.waitForURL(/\/history$/);
    await picker(page).getByText('Harbour').waitFor();
    expect(await findProject(readProjectId(page))).toMatchObject({
      max_parallel_tasks: 0,
      alert: true,
      alert_chat: '-100',
    });
  });

  test('a demo project comes with templates', async () => {
    const page = await area.open('../new');
    await fillField(page, 'Project name', 'Show');
    await press(page, 'Create demo project');
    await page.waitForURL(/\/templates/);
    await picker(page).getByText('Show').waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('row').count()).toBeGreaterThan(2);
  });

  test('who is in no project is led to the form for one, from a start page as from a new_project link', async () => {
    await area.api.call(userRoutes.create, {
      body: { name: 'Newcomer', username: 'newcomer', email: 'newcomer@example.com', password },
    });
    const page = await area.openSignedOut();
    await page.goto('/');
    await signIn(page, { username: 'newcomer', password });
    await page.waitForURL(/\/project\/new$/);
    await fillField(page, 'Project name', 'First');
    await press(page, 'Create');
    await page.waitForURL(/\/project\/\d+\/history$/);
    await page.goto('/?new_project=1');
    await page.waitForURL(/\/project\/new/);
  });

  test('settings are saved, and shown to others at once', async () => {
    const project = await makeProject('Depot');
    const page = await area.open(`../${project.id}/settings`);
    const other = await area.open(`../${project.id}/settings`);
    await expect.poll(() => other.getByLabel(/^Project name/).inputValue()).toBe('Depot');
    await isLive(other);
    await fillField(page, 'Project name', '');
    await page.keyboard.press('Enter');
    await page.getByText('Project name is required').waitFor();
    await fillField(page, 'Project name', 'Depot 2');
    await page.getByLabel(/^Max number of parallel tasks/).fill('3');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Project Depot 2 saved').waitFor();
    await expect.poll(() => other.getByLabel(/^Project name/).inputValue()).toBe('Depot 2');
    await picker(other).getByText('Depot 2').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel(/^Max number of parallel tasks/).inputValue()).toBe('3');
    expect(await findProject(project.id)).toMatchObject({ name: 'Depot 2', max_parallel_tasks: 3 });
  });

  test('a draft of the settings outlives what somebody else saves meanwhile', async () => {
    const project = await makeProject('Siding');
    const page = await area.open(`../${project.id}/settings`);
    await page.getByLabel(/^Chat ID/).fill('my draft');
    await isLive(page);
    const body = { id: project.id, name: 'Siding west' };
    await area.api.call(projectRoutes.update, { params: { project_id: project.id }, body });
    await picker(page).getByText('Siding west').waitFor();
    await expect.poll(() => page.getByLabel(/^Chat ID/).inputValue()).toBe('my draft');
  });

  test('a backup is one file named after the project and the time, and its button rests meanwhile', async () => {
    const page = await area.open('settings');
    const file = page.waitForEvent('download');
    await press(page, 'Download backup');
    await expect.poll(() => page.getByRole('button', { name: 'Downloading...' }).isDisabled()).toBe(true);
    const download = await file;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^backup_${area.workshop.projectId}_\\d+\\.json$`));
    await page.getByText('Project exported.').waitFor();
    const backup = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(backup.meta.name).toBe('Workshop');
    await expect.poll(() => page.getByRole('button', { name: 'Download backup' }).isEnabled()).toBe(true);
  });

  test('a project is deleted by typing its name, and another one is chosen', async () => {
    const project = await makeProject('Old line');
    const page = await area.open(`../${project.id}/settings`, 'admin', { expectedStatuses: [404] });
    const other = await area.open(`../${project.id}/team`, 'admin', { expectedStatuses: [404] });
    await other.getByRole('row').filter({ hasText: 'Administrator' }).waitFor();
    await isLive(other);
    await press(page, 'Delete project');
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: /^Delete/ });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Old line to confirm').fill('Old lin');
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Old line to confirm').fill('Old line');
    await page.keyboard.press('Enter');
    await page.getByText('Project Old line deleted').waitFor();
    await page.waitForURL(new RegExp(`/project/(?!${project.id}/)\\d+/history`));
    await other.getByRole('heading', { name: 'Not found' }).waitFor();
    await picker(page).click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Old line' }).count()).toBe(0);
    const projects = await area.api.call(projectRoutes.list, {});
    expect(projects.some(({ id }) => id === project.id)).toBe(false);
  });

  test('a restore needs a name and a backup, and says what it did and what is left to do', async () => {
    const key = { name: 'deploy', type: 'login_password' as const, login_password: { login: 'a', password: 'secret' } };
    const project = await makeProject('Origin');
    await area.api.call(keyRoutes.create, { params: { project_id: project.id }, body: key });
    const backup = await area.api.call(backupRoutes.create, { params: { project_id: project.id } });
    const page = await area.open('../restore', 'admin', { expectedStatuses: [400] });
    await press(page, 'Restore');
    await page.getByText('Project name is required').waitFor();
    await page.getByText('Backup file is required').waitFor();
    await chooseFile(page, 'no json');
    await page.getByText('This file is not valid JSON.').waitFor();
    await chooseFile(page, JSON.stringify({ meta: { name: 'Broken' }, keys: [{ type: 'ssh' }] }));
    await press(page, 'Restore');
    await page.getByRole('alert').getByText('keys.0.name').waitFor();
    expect((await area.api.call(projectRoutes.list, {})).some(({ name }) => name === 'Broken')).toBe(false);

    await page.reload();
    await chooseFile(page, JSON.stringify({ ...backup, strange: 1 }));
    await expect.poll(() => page.getByLabel(/^Project name/).inputValue()).toBe('Origin');
    await fillField(page, 'Project name', 'Copy of it');
    await press(page, 'Restore');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Project Copy of it restored successfully.').waitFor();
    await dialog.getByText('1 empty key was added. Access keys must be updated before running tasks.').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'deploy' }).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'strange' }).waitFor();
    expect((await dialog.boundingBox())?.width).toBe(450);
    await picker(page).getByText('Copy of it').waitFor();
    await dialog.getByRole('button', { name: 'Open the key store' }).click();
    await page.waitForURL(/\/keys$/);
    await page.getByRole('row').filter({ hasText: 'deploy' }).getByText('empty').waitFor();
    expect((await findProject(readProjectId(page))).name).toBe('Copy of it');
  });

  test.each(['manager', 'task_runner', 'guest'] as const)(
    'a %s is offered no settings, and finds nothing to change at their address',
    async (role) => {
      const page = await area.open('activity', role);
      await page.getByRole('link', { name: 'History' }).waitFor();
      expect(await page.getByRole('main').getByRole('link', { name: 'Settings' }).count()).toBe(0);
      await page.goto(area.at('settings'));
      await page.getByText('You have read-only access').waitFor();
      await expect.poll(() => page.getByLabel(/^Project name/).isDisabled()).toBe(true);
      expect(await page.getByText('Danger zone').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Download backup' }).count()).toBe(0);
    },
  );

  test('a link to the restore of a project comes back to it after the sign-in', async () => {
    const page = await area.openSignedOut();
    await page.goto('/project/restore');
    await signInAsAdmin(page);
    await page.getByLabel(/^Backup file/).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/project/restore');
  });
});
