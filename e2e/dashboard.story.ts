import { keyRoutes } from '@signalbox/contract/keys';
import { projectRoutes } from '@signalbox/contract/projects';
import type { Template } from '@signalbox/contract/templates';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { launch, type TaskPlace, waitForEnd, waitForTask } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
/** On a busy machine a page takes its time. */
const longMessage = 'A commit message of which a list shows no more than the first fifty characters';

describe.skipIf(missing)(`the dashboard${because(missing)}`, () => {
  let area: WorkArea;
  let quick: Template;
  let bad: Template;
  const failed: TaskPlace[] = [];

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n', 'bad.sh': 'exit 3\n', 'slow.sh': 'sleep 600\n' });
    await area.repository.commit(longMessage, { 'more.txt': 'more\n' });
    quick = await addTemplate(area.api, area.workshop, {
      name: 'Quick',
      playbook: 'quick.sh',
      allow_parallel_tasks: true,
    });
    bad = await addTemplate(area.api, area.workshop, { name: 'Bad', playbook: 'bad.sh' });
    const places = await Promise.all(Array.from({ length: 21 }, () => launch(area.api, quick)));
    failed.push(await launch(area.api, bad, { message: 'Try once' }));
    for (const place of [...places, ...failed]) await waitForEnd(area.api, place);
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const params = () => ({ project_id: area.workshop.projectId });
  const bodyRows = (page: Page) => page.getByRole('main').locator('tbody').getByRole('row');
  /** From here on the page is told what happens. */
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();
  const numberOf = (page: Page, title: string) =>
    page
      .getByRole('figure')
      .locator('dl > div')
      .filter({ has: page.getByText(title, { exact: true }) })
      .locator('dd')
      .first();

  test('a project leads to its history: 20 tasks on a page, with message or else commit message', async () => {
    const page = await area.open('');
    await page.waitForURL(/\/history$/);
    await expect.poll(() => bodyRows(page).count()).toBe(20);
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['Task', 'Version', 'Status', 'User', 'Start', 'Duration']);
    const row = bodyRows(page).filter({ hasText: 'Try once' });
    await row.getByText('Failed', { exact: true }).waitFor();
    await row.getByRole('link', { name: `#${failed[0]?.task_id}` }).waitFor();
    await bodyRows(page)
      .filter({ hasText: 'Quick' })
      .first()
      .getByText(longMessage.slice(0, 50), { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => bodyRows(page).count()).toBe(2);
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
    await row.waitFor({ state: 'detached' });
    await page.goBack();
    await row.getByRole('link', { name: 'Bad' }).click();
    await page.waitForURL(new RegExp(`/templates/${bad.id}/tasks`));
  });

  test('a history of one status is in the address, and follows a task that gets another one', async () => {
    const slow = await addTemplate(area.api, area.workshop, { name: 'Slow', playbook: 'slow.sh' });
    const page = await area.open('history?status=running');
    await page.getByText('No task has this status').waitFor();
    await isLive(page);
    const place = await launch(area.api, slow);
    await bodyRows(page).filter({ hasText: 'Slow' }).getByText('Running', { exact: true }).waitFor();
    await page.reload();
    await bodyRows(page).filter({ hasText: 'Slow' }).waitFor();
    await area.api.send('POST', `/project/${place.project_id}/tasks/${place.task_id}/stop`, '{"force": true}');
    await page.getByText('No task has this status').waitFor();
    await waitForTask(area.api, place, ({ status }) => status === 'stopped');
    await page.getByRole('button', { name: 'Show all tasks' }).click();
    await bodyRows(page).filter({ hasText: 'Slow' }).getByText('Stopped', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed', exact: true }).click();
    await expect.poll(() => bodyRows(page).count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('error');
    await page.goBack();
    await expect.poll(() => bodyRows(page).count()).toBe(20);
  });

  test('a project without tasks says what to do next', async () => {
    const { id } = await area.api.call(projectRoutes.create, { body: { name: 'Empty' } });
    const page = await area.open(`../${id}/history`);
    await page.getByRole('button', { name: 'Go to the templates' }).click();
    await page.waitForURL(new RegExp(`/project/${id}/templates`));
    await page.goto(`/project/${id}/stats`);
    await page.getByText('No task has ended in this time.').waitFor();
  });

  test('the statistics count every end at once, with a point for the first day and one for today', async () => {
    const page = await area.open('stats');
    await page.locator('canvas').waitFor();
    await isLive(page);
    await expect.poll(() => numberOf(page, 'Success').textContent()).toBe('21');
    await waitForEnd(area.api, await launch(area.api, quick));
    await expect.poll(() => numberOf(page, 'Success').textContent()).toBe('22');
    await expect.poll(() => numberOf(page, 'Failed').textContent()).toBe('1');
    await page.getByText('Show the numbers').click();
    const numbers = page
      .getByRole('table', { name: /in numbers/ })
      .locator('tbody')
      .getByRole('row');
    await expect.poll(() => numbers.count()).toBe(2);
    await expect.poll(() => numbers.last().getByRole('cell').allTextContents()).toEqual(['0', '0', '0', '0']);
    expect((await numbers.first().getByRole('cell').allTextContents()).slice(0, 2)).toEqual(['22', '1']);
  });

  test('the statistics are of a week, a month or a year, and of everybody or of one user, as the address says', async () => {
    const page = await area.open('stats');
    await page.locator('canvas').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Past week' }).isChecked()).toBe(true);
    const asked = (range: 'month' | 'year') =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        const day = Date.parse(searchParams.get('start') ?? '');
        const days = { month: 30, year: 365 }[range];
        const passed = (Date.now() - day) / 86_400_000;
        return pathname.endsWith('/stats') && searchParams.has('tz') && passed > days - 1.1 && passed < days + 0.1;
      });
    for (const range of ['month', 'year'] as const) {
      const request = asked(range);
      await page.getByText(`Past ${range}`, { exact: true }).click();
      await request;
      await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe(range);
    }
    await page.getByText('Past week', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBeNull();
    await page.goBack();
    await expect.poll(() => page.getByRole('radio', { name: 'Past year' }).isChecked()).toBe(true);
    await page.getByRole('combobox', { name: 'User' }).click();
    await page.getByRole('option', { name: /^Administrator/ }).click();
    await expect.poll(() => numberOf(page, 'Failed').textContent()).toBe('1');
    await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe('1');
    await page.goto(`${area.at('stats')}?user=999`);
    await page.getByText('No task has ended in this time.').waitFor();
  });

  test('the days of the picture are read by pointer and by arrow keys', async () => {
    const page = await area.open('stats');
    const plot = page.locator('.u-over');
    await plot.waitFor();
    const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    await plot.hover({ position: { x: width - 5, y: height / 2 } });
    const readout = page.locator('strong').filter({ hasText: String(new Date().getFullYear()) });
    await readout.waitFor();
    await page.mouse.move(1, 1);
    await readout.waitFor({ state: 'detached' });
    await page.getByRole('slider', { name: 'Day' }).focus();
    const first = await readout.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => readout.textContent()).not.toBe(first);
    await expect
      .poll(() => page.getByRole('slider', { name: 'Day' }).getAttribute('aria-valuetext'))
      .toContain('success 0');
  });

  test('the activity lists 20 on a page who did what and when, follows, and links what is still there', async () => {
    const page = await area.open('activity');
    await expect.poll(() => bodyRows(page).count()).toBe(20);
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['Time', 'User', 'Description', 'Address']);
    await isLive(page);
    const key = await area.api.call(keyRoutes.create, { params: params(), body: { name: 'lamp', type: 'none' } });
    const created = bodyRows(page).filter({ hasText: 'Access Key lamp created' });
    await created.getByText('admin').waitFor();
    await created.getByRole('link', { name: 'lamp' }).click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('edit')).toBe(String(key.id));
    await page.goBack();
    await created.waitFor();
    await area.api.call(keyRoutes.remove, { params: { ...params(), key_id: key.id } });
    await bodyRows(page).filter({ hasText: 'Access Key lamp deleted' }).waitFor();
    await expect.poll(() => created.getByRole('link').count()).toBe(0);
    await page
      .getByRole('link', { name: /^Task ID \d+$/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await page.getByRole('dialog').waitFor();
  });

  test('only administrators are shown addresses', async () => {
    const page = await area.open('activity', 'owner');
    await expect.poll(() => bodyRows(page).count()).toBe(20);
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).toEqual(['Time', 'User', 'Description']);
  });

  test.each([
    ['owner', ['History', 'Stats', 'Runners', 'Activity', 'Settings']],
    ['manager', ['History', 'Stats', 'Runners', 'Activity']],
    ['task_runner', ['History', 'Stats', 'Runners', 'Activity']],
    ['guest', ['History', 'Stats', 'Runners', 'Activity']],
  ] as const)('a %s is offered the tabs %j', async (role, tabs) => {
    const page = await area.open('activity', role);
    await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(tabs);
  });

  test('a project of another type has no history, statistics and runners', async () => {
    const { id } = await area.api.call(projectRoutes.create, { body: { name: 'Odd', type: 'odd' } });
    const page = await area.open(`../${id}/activity`);
    await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(['Activity', 'Settings']);
  });

  test('a link to the statistics comes back to them after the sign-in, with its range', async () => {
    const page = await area.openSignedOut();
    await page.goto(area.at('stats?range=month'));
    await signInAsAdmin(page);
    await expect.poll(() => page.getByRole('radio', { name: 'Past month' }).isChecked()).toBe(true);
  });
});
