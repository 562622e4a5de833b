import { appRoutes } from '@signalbox/contract/apps';
import { integrationRoutes } from '@signalbox/contract/integrations';
import { projectRunnerRoutes } from '@signalbox/contract/runners';
import { scheduleRoutes } from '@signalbox/contract/schedules';
import { type Template, type TemplateInput, templateRoutes } from '@signalbox/contract/templates';
import { type View, viewRoutes } from '@signalbox/contract/views';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { launch, waitForEnd } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`task templates${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n', 'bad.sh': 'exit 3\n' });
  });
  afterAll(async () => {
    await area?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await area.closeWindows();
  });

  const params = () => ({ project_id: area.workshop.projectId });
  const add = (name: string, { playbook = 'quick.sh', ...change }: Partial<TemplateInput> = {}): Promise<Template> =>
    addTemplate(area.api, area.workshop, { ...change, name, playbook });
  const addView = (title: string): Promise<View> =>
    area.api.call(viewRoutes.create, { params: params(), body: { title } });
  const listViews = (): Promise<View[]> => area.api.call(viewRoutes.list, { params: params() });
  const find = async (name: string): Promise<Template | undefined> =>
    (await area.api.call(templateRoutes.list, { params: params() })).find((template) => template.name === name);
  const checkOf = (id: number) =>
    area.api.call(scheduleRoutes.ofTemplate, { params: { ...params(), template_id: id } });

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const tab = (page: Page, title: string) => page.getByRole('navigation', { name: 'Views' }).getByText(title);
  const addressOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;

  test('a manager creates a template for an app from the menu, with all that it needs', async () => {
    const page = await area.open('templates', 'manager');
    await page.getByRole('button', { name: 'New template' }).first().click();
    await page.getByRole('menuitem', { name: 'Bash Script' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Applications' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Bash Script' }).click();
    await page.getByRole('button', { name: /^Create/ }).click();
    for (const text of ['Name is required', 'Script filename is required', 'Repository is required']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await fillField(page, 'Name', 'Made here');
    await fillField(page, 'Script filename', 'quick.sh');
    await chooseOption(page, 'Repository', 'Scripts');
    await page.getByText('Build', { exact: true }).click();
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByText('Start version is required').waitFor();
    await fillField(page, 'Start version', '1.0.0');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Made here', level: 1 }).waitFor();
    expect(await find('Made here')).toMatchObject({ type: 'build', start_version: '1.0.0', playbook: 'quick.sh' });
  });

  test('survey variables of all types are added, checked, and put in order by keyboard and by dragging', async () => {
    const { id } = await add('Asks');
    const page = await area.open(`templates/${id}/tasks?dialog=edit`);
    const form = page.getByRole('dialog', { name: 'Edit template' });
    const addVariable = async (name: string, type: string): Promise<void> => {
      await form.getByRole('button', { name: 'Add variable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add variable' });
      await fillField(dialog, 'Name', name);
      await fillField(dialog, 'Title', `Title ${name}`);
      await chooseOption(dialog, 'Type', type);
      await dialog
        .getByRole('button', { name: /^Add\b(?! value)/ })
        .last()
        .click();
      if (type === 'Enum') {
        await dialog.getByText('Enumeration must have values.').waitFor();
        for (const value of ['one', 'two']) {
          await dialog.getByRole('button', { name: 'Add value' }).click();
          await dialog
            .getByLabel(/^Name of value/)
            .last()
            .fill(value);
        }
        // The second value comes first.
        await dialog.getByRole('button', { name: 'Move two up' }).click();
        await dialog
          .getByRole('button', { name: /^Add\b(?! value)/ })
          .last()
          .click();
      }
      await dialog.waitFor({ state: 'hidden' });
    };
    await addVariable('plain', 'String');
    await addVariable('count', 'Integer');
    await addVariable('choice', 'Enum');
    await addVariable('token', 'Secret');
    const handle = (name: string) => form.getByRole('button', { name: `Drag Title ${name}` });
    await handle('token').press('Alt+ArrowUp');
    await handle('plain').focus();
    await page.keyboard.press('Space');
    await form.getByText(/^Title plain is over place 1/).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await form.getByText(/^Title plain is over place 2/).waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await form.getByText(/^Title plain was dropped/).waitFor({ state: 'attached' });
    const order = ['count', 'plain', 'token', 'choice'];
    await expect.poll(() => form.locator('code').allTextContents()).toEqual(order);
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    const stored = await find('Asks');
    expect(stored?.survey_vars.map(({ name, type }) => [name, type])).toEqual([
      ['count', 'int'],
      ['plain', ''],
      ['token', 'secret'],
      ['choice', 'enum'],
    ]);
    expect(stored?.survey_vars[3]?.values.map(({ name }) => name)).toEqual(['two', 'one']);
  });

  test('the option to run on new commits creates, changes and deletes its schedule', async () => {
    const { id } = await add('Watches');
    const page = await area.open(`templates/${id}/tasks`);
    const form = page.getByRole('dialog', { name: 'Edit template' });
    const save = async (): Promise<void> => {
      await form.getByRole('button', { name: /^Save/ }).click();
      await form.waitFor({ state: 'hidden' });
    };
    const open = () => page.getByRole('button', { name: 'Edit', exact: true }).click();
    await open();
    await form.getByLabel('Run on new commits').check({ force: true });
    await expect.poll(() => form.getByLabel('Check every').first().inputValue()).toBe('1 minute');
    await save();
    expect(await checkOf(id)).toMatchObject([
      { cron_format: '* * * * *', active: true, repository_id: area.workshop.repositoryId },
    ]);
    await open();
    await chooseOption(form, 'Check every', '10 minutes');
    await save();
    expect(await checkOf(id)).toMatchObject([{ cron_format: '*/10 * * * *', active: true }]);
    await open();
    await form.getByLabel('Run on new commits').uncheck({ force: true });
    await save();
    expect(await checkOf(id)).toEqual([]);
  });

  test('a refusal of the server stands in the form, and nothing typed is lost', async () => {
    const gone = await addView('Short-lived');
    const { id } = await add('Refused', { view_id: gone.id });
    const page = await area.open(`templates/${id}/tasks?dialog=edit`, 'admin', { expectedStatuses: [400, 409] });
    const form = page.getByRole('dialog', { name: 'Edit template' });
    await fillField(form, 'Script filename', '../outside.sh');
    await fillField(form, 'Name', 'Refused, renamed');
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.getByText('Script filename must be a path inside the repository').waitFor();
    await expect.poll(() => form.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Refused, renamed');
    expect(await find('Refused, renamed')).toBeUndefined();
  });

  test('a copy is a template of its own, under a name of its own', async () => {
    const { id } = await add('Original', { allow_override_args_in_task: true, description: 'As it was' });
    const page = await area.open(`templates/${id}/tasks`);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Copy template' });
    await form.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('heading', { name: 'Original (copy)', level: 1 }).waitFor();
    expect(await find('Original (copy)')).toMatchObject({
      allow_override_args_in_task: true,
      description: 'As it was',
    });
    expect((await find('Original'))?.id).toBe(id);
  });

  test('what an integration uses is not deleted, and the rest is after a question', async () => {
    const { id } = await add('Wanted');
    const integration = await area.api.call(integrationRoutes.create, {
      params: params(),
      body: { name: 'Release hook', template_id: id },
    });
    const page = await area.open(`templates/${id}/tasks`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const refusal = page.getByRole('dialog', { name: "Can't delete the template" });
    await refusal.getByText('Release hook').waitFor();
    await refusal.getByRole('button', { name: 'OK' }).click();
    await area.api.call(integrationRoutes.remove, { params: { ...params(), integration_id: integration.id } });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Template "Wanted" deleted').waitFor();
    await page.getByRole('heading', { name: 'Task templates', level: 1 }).waitFor();
    expect(await find('Wanted')).toBeUndefined();
  });

  test('views are added, named, ordered and deleted in one dialog; an empty title is not saved', async () => {
    for (const view of await listViews()) {
      await area.api.call(viewRoutes.remove, { params: { ...params(), view_id: view.id } });
    }
    await addView('First');
    await addView('Second');
    const page = await area.open('templates');
    await page.getByRole('button', { name: 'Edit views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit views' });
    await dialog.getByRole('button', { name: 'Add view' }).click();
    await dialog.getByLabel('Title of view 3').fill('Third');
    await dialog.getByRole('button', { name: 'Add view' }).click();
    await dialog.getByLabel('Title of view 1').fill('Renamed');
    await dialog.getByRole('button', { name: 'Delete Second' }).click();
    const third = await dialog.getByRole('button', { name: 'Drag Third' }).boundingBox();
    const first = await dialog.getByRole('button', { name: 'Drag Renamed' }).boundingBox();
    if (third === null || first === null) throw new Error('the handles are not shown');
    await page.mouse.move(third.x + 10, third.y + 10);
    await page.mouse.down();
    await page.mouse.move(third.x + 10, third.y, { steps: 4 });
    await page.mouse.move(first.x + 10, first.y, { steps: 8 });
    await page.mouse.up();
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await listViews()).map(({ title }) => title)).toEqual(['Third', 'Renamed']);
    await tab(page, 'Third').waitFor();
  });

  test('a view shows its templates, is remembered, and is part of every address below it', async () => {
    const view = await addView('Production');
    await add('Inside', { view_id: view.id });
    await add('Outside');
    const page = await area.open('templates');
    await rowOf(page, 'Outside').waitFor();
    await tab(page, 'Production').click();
    await rowOf(page, 'Outside').waitFor({ state: 'hidden' });
    await expect.poll(() => addressOf(page)).toBe(area.at(`views/${view.id}/templates`));
    await rowOf(page, 'Inside').getByRole('link', { name: 'Inside' }).click();
    await page.getByRole('heading', { name: 'Inside', level: 1 }).waitFor();
    await expect.poll(() => addressOf(page)).toMatch(new RegExp(`/views/${view.id}/templates/\\d+/tasks$`));
    await page.reload();
    await page.getByRole('link', { name: 'Production' }).click();
    await rowOf(page, 'Inside').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByRole('link', { name: 'Task templates' }).first().click();
    await page.waitForURL(new RegExp(`/views/${view.id}/templates$`));
    await page.goBack();
    await page.waitForURL(/\/history/);
    await page.goForward();
    await rowOf(page, 'Inside').waitFor();
    // Somebody else deletes the view: its templates are shown among all.
    await area.api.call(viewRoutes.remove, { params: { ...params(), view_id: view.id } });
    await page.waitForURL(/\/project\/\d+\/templates$/);
    await rowOf(page, 'Inside').waitFor();
  });

  test('search, filter and sort are in the address; columns and their absence are remembered', async () => {
    const failed = await add('Fails', { playbook: 'bad.sh' });
    await waitForEnd(area.api, await launch(area.api, failed));
    await add('Never ran');
    const page = await area.open('templates');
    await page.getByLabel('Filter templates').fill('fai');
    await rowOf(page, 'Never ran').waitFor({ state: 'hidden' });
    await page.waitForURL(/q=fai/);
    await page.getByLabel('Filter templates').fill('');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Not launched' }).click();
    await page.keyboard.press('Escape');
    await rowOf(page, 'Fails').waitFor({ state: 'hidden' });
    await rowOf(page, 'Never ran').getByText('Not launched').waitFor();
    await page.reload();
    await rowOf(page, 'Never ran').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('none');
    await expect.poll(() => rowOf(page, 'Fails').count()).toBe(0);
    await page.goto(area.at('templates?q=nothing+has+this+name'));
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await rowOf(page, 'Fails').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Repository' }).click();
    await page.getByRole('columnheader', { name: 'Repository' }).waitFor({ state: 'hidden' });
    await page.reload();
    await rowOf(page, 'Fails').waitFor();
    await expect.poll(() => page.getByRole('columnheader', { name: 'Repository' }).count()).toBe(0);
  });

  test('a row opens to the five latest tasks, and follows what others launch', async () => {
    const many = await add('Runs often', { allow_parallel_tasks: true });
    const tasks = [];
    for (let count = 0; count < 6; count += 1) tasks.push(await launch(area.api, many));
    for (const task of tasks) await waitForEnd(area.api, task);
    const page = await area.open('templates', 'guest');
    const row = rowOf(page, 'Runs often');
    await row.getByRole('button', { name: 'Show more of Runs often' }).click();
    const [oldest, ...shown] = tasks.map(({ task_id }) => `#${task_id}`);
    for (const id of shown) await page.getByRole('link', { name: id, exact: true }).last().waitFor();
    await expect.poll(() => page.getByRole('link', { name: oldest ?? '', exact: true }).count()).toBe(0);
    const next = await launch(area.api, many);
    await page
      .getByRole('link', { name: `#${next.task_id}`, exact: true })
      .first()
      .waitFor();
    await row.getByText('Success', { exact: true }).waitFor();
    await add('Made elsewhere');
    await rowOf(page, 'Made elsewhere').waitFor();
  });

  test('the details name everything that is set, and show how its tasks ended', async () => {
    const { id } = await add('Known in detail', {
      playbook: 'bad.sh',
      description: 'Says no',
      arguments: '["--now"]',
      timeout_seconds: 90,
      allow_override_args_in_task: true,
      suppress_success_alerts: true,
    });
    await area.api.call(scheduleRoutes.create, {
      params: params(),
      body: { template_id: id, cron_format: '0 * * * *', repository_id: area.workshop.repositoryId, active: false },
    });
    await waitForEnd(area.api, await launch(area.api, { id, project_id: area.workshop.projectId }));
    const page = await area.open(`templates/${id}/details`, 'guest');
    for (const text of ['Says no', '--now', '1 m 30 s', 'Scripts, every 1 hour (switched off)', 'bad.sh']) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    const chart = page.getByRole('figure', { name: 'Ended tasks by day' });
    await chart.getByText('Show the numbers').click();
    await chart.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    await page.getByText('Past month').click();
    await page.waitForURL(/range=month/);
  });

  test('tags of runners are offered where a template asks for one', async () => {
    await area.api.call(projectRunnerRoutes.create, { params: params(), body: { name: 'Far away', tag: 'far-away' } });
    const { id } = await add('Runs far away');
    const page = await area.open(`templates/${id}/tasks?dialog=edit`, 'manager');
    const form = page.getByRole('dialog', { name: 'Edit template' });
    await form.getByLabel('Runner tag').first().click();
    await page.getByRole('option', { name: 'far-away' }).click();
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    expect((await find('Runs far away'))?.runner_tag).toBe('far-away');
  });

  test('a template that somebody else deletes says so', async () => {
    const { id } = await add('Soon gone');
    const page = await area.open(`templates/${id}/tasks`, 'admin', { expectedStatuses: [404] });
    await page.getByRole('heading', { name: 'Soon gone', level: 1 }).waitFor();
    await area.api.call(templateRoutes.remove, { params: { ...params(), template_id: id } });
    await page.getByText('This template is not there').waitFor();
    await page.getByRole('button', { name: 'To the templates' }).click();
    await page.getByRole('heading', { name: 'Task templates', level: 1 }).waitFor();
  });

  test.each(['guest', 'task_runner'] as const)('a %s sees templates, and no way to change them', async (role) => {
    const { id } = await add(`Seen by ${role}`);
    const page = await area.open('templates', role);
    await rowOf(page, `Seen by ${role}`).waitFor();
    for (const name of ['New template', 'Edit views']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await page.goto(area.at(`templates/${id}/tasks?dialog=edit`));
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    for (const name of ['Edit', 'Copy', 'Delete']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(area.at('templates/new/edit?app=bash'));
    await page.getByText('Your role in this project may not change templates.').waitFor();
  });

  test('the button for a new template is off for managers while no app is active, and leads administrators to the apps', async () => {
    const active = (await area.api.call(appRoutes.list, {})).filter((app) => app.active);
    const setAll = async (on: boolean): Promise<void> => {
      for (const { id } of active)
        await area.api.call(appRoutes.setActive, { params: { app_id: id }, body: { active: on } });
    };
    await setAll(false);
    try {
      const manager = await area.open('templates', 'manager');
      await manager.locator('button[aria-disabled="true"]').getByText('New template').first().waitFor();
      const admin = await area.open('templates');
      await admin.getByRole('button', { name: 'New template' }).first().click();
      await expect.poll(() => admin.getByRole('menuitem').allTextContents()).toEqual(['Applications']);
      await admin.getByRole('menuitem', { name: 'Applications' }).click();
      await admin.waitForURL(/\/apps$/);
    } finally {
      await setAll(true);
    }
  });

  test('a link to a dialog of a template is kept over the sign-in, and old addresses lead on', async () => {
    const { id } = await add('Linked');
    const page = await area.openSignedOut();
    await page.goto(area.at(`templates/${id}/edit`));
    await signInAsAdmin(page);
    await page.getByRole('dialog', { name: 'Edit template' }).waitFor();
    await expect.poll(() => addressOf(page)).toBe(area.at(`templates/${id}/tasks?dialog=edit`));
    await page.goBack();
    await page.goto(area.at('views/1/templates/new'));
    await page.waitForURL(/\/templates\/new\/edit$/);
  });
});
