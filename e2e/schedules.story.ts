import { scheduleRoutes } from '@signalbox/contract/schedules';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { launch, waitForSuccess } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
const never = '0 0 1 1 *';

describe.skipIf(missing)(`schedules${because(missing)}`, () => {
  let area: WorkArea;
  let patch: Template;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
    patch = await addTemplate(area.api, area.workshop, { name: 'Patch', playbook: 'quick.sh' });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const projectOf = () => ({ project_id: area.workshop.projectId });

  async function addSchedule(name: string, change: { cron_format?: string; active?: boolean } = {}): Promise<number> {
    const body = { name, template_id: patch.id, cron_format: never, timezone: 'UTC', active: true, ...change };
    return (await area.api.call(scheduleRoutes.create, { params: projectOf(), body })).id;
  }

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const picks = (page: Page, group: string) =>
    page.getByRole('group', { name: group }).getByRole('button', { pressed: true });

  test('one is made with the pickers, changed by its text, and deleted', async () => {
    const page = await area.open('schedule');
    await page.getByRole('button', { name: 'New schedule' }).first().click();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByLabel('Cron').inputValue()).toBe('* * * * *');
    await fillField(form, 'Name', 'Nightly');
    await chooseOption(form, 'Template', 'Patch');
    await form.getByText('Daily', { exact: true }).click();
    await expect.poll(() => form.getByLabel('Cron').inputValue()).toBe('0 0 * * *');
    const hours = form.getByRole('group', { name: 'Hours' });
    await hours.getByRole('button', { name: '03' }).click();
    await hours.getByRole('button', { name: '00' }).click();
    await form.getByRole('group', { name: 'Minutes' }).getByRole('button', { name: '30' }).click();
    await expect.poll(() => form.getByLabel('Cron').inputValue()).toBe('0,30 3 * * *');
    await expect.poll(() => form.getByRole('region', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5);
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.waitFor({ state: 'hidden' });
    const row = rowOf(page, 'Nightly');
    await row.getByText('0,30 3 * * *').waitFor();
    await expect.poll(() => row.getByRole('switch').isChecked()).toBe(true);

    await row.getByRole('button', { name: 'Edit Nightly' }).click();
    await form.getByLabel('Cron').fill('15 9 * * 1-5');
    await expect.poll(() => picks(page, 'Weekdays').allTextContents()).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']);
    await expect.poll(() => picks(page, 'Hours').allTextContents()).toEqual(['09']);
    await expect.poll(() => form.getByRole('radio', { name: 'Weekly' }).isChecked()).toBe(true);
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    await row.getByText('15 9 * * 1-5').waitFor();

    await row.getByRole('button', { name: 'Delete Nightly' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Schedule Nightly deleted').waitFor();
    await row.waitFor({ state: 'detached' });
  });

  test('the next five runs stand in its zone and in the viewer’s, with the change of the clocks', async () => {
    const page = await area.open('schedule?edit=new');
    const form = page.getByRole('dialog');
    await form.getByLabel('Cron').fill('0 9 1 */2 *');
    await chooseOption(form, 'Time zone', 'Europe/Berlin');
    const runs = form.getByRole('region', { name: 'Next runs' });
    await expect.poll(() => runs.getByText('09:00').count()).toBe(5);
    await expect.poll(() => runs.getByText(/^Your time: 0[78]:00$/).count()).toBe(5);
    await expect.poll(() => runs.getByText(/clocks change: GMT\+[12] to GMT\+[12]/).count()).toBeGreaterThan(0);
  });

  test('name, template and a cron text that can be read are required', async () => {
    const page = await area.open('schedule?edit=new');
    const form = page.getByRole('dialog');
    await form.getByLabel('Cron').fill('61 * * * *');
    await form.getByText('Cron: "61" is no minute: 0 to 59').waitFor();
    await form.getByText('This text has no pickers.').waitFor();
    await form.getByLabel('Cron').fill('');
    await form.getByRole('button', { name: /^Create/ }).click();
    for (const words of ['Name is required', 'Template is required', 'Cron is required']) {
      await form.getByText(words).waitFor();
    }
  });

  test('what the server refuses is said in the form', async () => {
    const gone = await addTemplate(area.api, area.workshop, { name: 'Soon gone', playbook: 'quick.sh' });
    const page = await area.open('schedule?edit=new', 'admin', { expectedStatuses: [400, 404] });
    const form = page.getByRole('dialog');
    await fillField(form, 'Name', 'Orphan');
    await chooseOption(form, 'Template', 'Soon gone');
    await area.api.call(templateRoutes.remove, { params: { ...projectOf(), template_id: gone.id } });
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('Template names a template that is not in this project').waitFor();
    await expect.poll(() => form.isVisible()).toBe(true);
    await expect.poll(() => rowOf(page, 'Orphan').count()).toBe(0);
  });

  test('the switch acts at once, and goes back with the reason when it cannot be saved', async () => {
    const id = await addSchedule('Switched');
    const page = await area.open('schedule', 'admin', { connectionMayBreak: true });
    const toggle = rowOf(page, 'Switched').getByRole('switch');
    const label = rowOf(page, 'Switched').locator('label');
    await label.click();
    await expect
      .poll(
        async () => (await area.api.call(scheduleRoutes.get, { params: { ...projectOf(), schedule_id: id } })).active,
      )
      .toBe(false);
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await page.route('**/active', (route) => route.abort('connectionrefused'));
    await label.click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await expect.poll(() => toggle.isChecked()).toBe(false);
  });

  test('a row shows the five latest tasks of its template, and each opens its log', async () => {
    await addSchedule('Expanded');
    const tasks = [];
    for (let count = 0; count < 6; count += 1) tasks.push(await launch(area.api, patch));
    for (const task of tasks) await waitForSuccess(area.api, task);
    const page = await area.open('schedule');
    const row = rowOf(page, 'Expanded');
    await row.getByRole('link', { name: 'Patch' }).waitFor();
    await row.getByText(never, { exact: true }).waitFor();
    await expect.poll(() => row.getByRole('switch').isChecked()).toBe(true);
    for (const name of ['Edit Expanded', 'Delete Expanded']) await row.getByRole('button', { name }).waitFor();
    await page.getByRole('button', { name: 'Show more of Expanded' }).click();
    await page
      .getByRole('link', { name: /^#\d+$/ })
      .nth(4)
      .waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: /^#\d+$/ }).allTextContents())
      .toEqual(
        tasks
          .slice(1)
          .map(({ task_id: id }) => `#${id}`)
          .reverse(),
      );
    await page.getByRole('link', { name: `#${tasks[5]?.task_id}` }).click();
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toBe(String(tasks[5]?.task_id));
  });

  test.each(['guest', 'task_runner'] as const)('a %s sees schedules, and can change none', async (role) => {
    await addSchedule(`Seen by a ${role}`);
    const page = await area.open('schedule', role);
    const row = rowOf(page, `Seen by a ${role}`);
    await row.waitFor();
    await expect.poll(() => row.getByRole('switch').isDisabled()).toBe(true);
    await page.getByText('You have read-only access').waitFor();
    expect(await page.getByRole('button', { name: /New schedule|^Edit|^Delete/ }).count()).toBe(0);
    await page.goto(area.at('schedule?edit=new'));
    await row.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('what somebody else makes, switches and deletes is seen at once', async () => {
    const page = await area.open('schedule');
    await page.getByRole('heading', { name: 'Schedule', level: 1 }).waitFor();
    const id = await addSchedule('From elsewhere');
    const params = { ...projectOf(), schedule_id: id };
    const row = rowOf(page, 'From elsewhere');
    await row.waitFor();
    await area.api.call(scheduleRoutes.setActive, { params, body: { active: false } });
    await expect.poll(() => row.getByRole('switch').isChecked()).toBe(false);
    await area.api.call(scheduleRoutes.remove, { params });
    await row.waitFor({ state: 'detached' });
  });

  test('the form has an address: back, forward, a reload and a link for somebody signed out lead to it', async () => {
    const id = await addSchedule('Linked');
    const page = await area.open('schedule');
    await rowOf(page, 'Linked').getByRole('button', { name: 'Edit Linked' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit schedule' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    await page.goForward();
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    const stranger = await area.openSignedOut();
    await stranger.goto(area.at(`schedule?edit=${id}`));
    await signInAsAdmin(stranger);
    await stranger.getByRole('dialog', { name: 'Edit schedule' }).waitFor();
    await expect.poll(() => stranger.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Linked');
  });
});
