import { type TaskItem, taskRoutes } from '@signalbox/contract/tasks';
import { type Template, type TemplateInput, templateRoutes } from '@signalbox/contract/templates';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { getTask, launch, stopTask, waitForEnd, waitForSuccess } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

/** Long enough for a machine that has much else to do; nothing waits for it where all is well. */
const patienceMs = 60_000;

const region = {
  name: 'region',
  title: 'Region',
  description: '',
  type: 'enum' as const,
  required: true,
  values: [
    { name: 'Frankfurt', value: 'eu-central' },
    { name: 'Dublin', value: 'eu-west' },
  ],
};
const batch = { name: 'batch', title: 'Batch size', description: '', type: 'int' as const, required: true, values: [] };
const token = { name: 'token', title: 'Token', description: '', type: 'secret' as const, required: true, values: [] };
const note = { name: 'note', title: 'Note', description: '', type: '' as const, required: false, values: [] };

describe.skipIf(missing)(`launching a template${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({
      'quick.sh': 'echo quick\n',
      'show.sh': 'echo "region=$1 $2 $3 $4"; printf %s "$token" | sha256sum\n',
      'bad.sh': 'exit 3\n',
    });
  });
  afterAll(async () => {
    await area?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await area.closeWindows();
  });

  const add = (name: string, { playbook = 'quick.sh', ...change }: Partial<TemplateInput> = {}): Promise<Template> =>
    addTemplate(area.api, area.workshop, { ...change, name, playbook });
  const run = (dialog: Locator) => dialog.getByRole('button', { name: 'Run', exact: true }).click();
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Run ${name}` });
  const openRun = async (
    template: Template,
    who: Parameters<WorkArea['open']>[1] = 'admin',
    rest = '',
  ): Promise<Locator> => {
    const page = await area.open(`templates?run=${template.id}${rest}`, who, {
      expectedStatuses: [400],
      connectionMayBreak: true,
    });
    const dialog = dialogOf(page, template.name);
    await dialog.waitFor({ timeout: patienceMs });
    return dialog;
  };
  const lastTask = async (template: Template): Promise<TaskItem> => {
    const params = { project_id: area.workshop.projectId, template_id: template.id };
    const { last_task: task } = await area.api.call(templateRoutes.get, { params });
    if (task === null) throw new Error(`${template.name} was not launched`);
    return task;
  };
  const placeOf = ({ id, project_id }: TaskItem) => ({ project_id, task_id: id });

  test('the survey is checked in its own words, and its answers reach the task; secret ones are stored nowhere', async () => {
    const template = await add('Asks', { playbook: 'show.sh', survey_vars: [region, batch, token, note] });
    const dialog = await openRun(template, 'task_runner');
    await run(dialog);
    for (const text of ['Region is required', 'Batch size is required', 'Token is required']) {
      await dialog.getByText(text, { exact: true }).waitFor();
    }
    await fillField(dialog, 'Batch size', 'four');
    await dialog.getByText('Must be an integer').waitFor();
    await fillField(dialog, 'Batch size', '4');
    await chooseOption(dialog, 'Region', 'Dublin');
    await fillField(dialog, 'Token', 'a secret answer');
    await fillField(dialog, 'Message', 'First try');
    await dialog.page().keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'hidden' });
    await dialog.page().waitForURL(/[?&]t=\d+/);
    const task = await lastTask(template);
    await waitForSuccess(area.api, placeOf(task));
    expect(task).toMatchObject({ message: 'First try', user_name: 'task_runner', secret: '' });
    expect(JSON.parse(task.environment)).toEqual({ region: 'eu-west', batch: '4' });
  });

  test('asked for again while it is on its way, a launch starts one task', async () => {
    const template = await add('Once');
    const dialog = await openRun(template);
    const page = dialog.page();
    const answered = Promise.withResolvers<void>();
    let launches = 0;
    await page.route(/\/tasks$/, async (route) => {
      if (route.request().method() === 'POST') launches += 1;
      await answered.promise;
      await route.continue();
    });
    // Quicker than anything can be drawn in between.
    await dialog.locator('form').evaluate((form: HTMLFormElement) => {
      for (let count = 0; count < 3; count += 1) form.requestSubmit();
    });
    for (const key of ['Control+Enter', 'Control+Enter', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
    await expect.poll(() => launches).toBe(1);
    answered.resolve();
    await dialog.waitFor({ state: 'hidden' });
    await waitForSuccess(area.api, placeOf(await lastTask(template)));
    const params = { project_id: area.workshop.projectId, template_id: template.id };
    expect(await area.api.call(templateRoutes.tasks, { params })).toHaveLength(1);
    expect(launches).toBe(1);
  });

  test('the values of the last task are one click away, those of older ones two, and secrets are asked for again', async () => {
    const template = await add('Again', { survey_vars: [region, note, token], allow_parallel_tasks: true });
    const values = (text: string) => ({
      message: text,
      environment: JSON.stringify({ region: 'eu-west', note: text }),
      secret: '{"token":"x"}',
    });
    const older = await launch(area.api, template, values('older'));
    const newer = await launch(area.api, template, values('newer'));
    await Promise.all([waitForEnd(area.api, older), waitForEnd(area.api, newer)]);
    const dialog = await openRun(template);
    await dialog.getByRole('button', { name: `Use values of #${newer.task_id}` }).click();
    await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('newer');
    await expect.poll(() => dialog.getByLabel('Message').inputValue()).toBe('newer');
    await dialog.getByRole('button', { name: 'Older tasks' }).click();
    await dialog
      .page()
      .getByRole('menuitem', { name: `#${older.task_id}` })
      .click();
    await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('older');
    await run(dialog);
    await dialog.getByText('Token is required', { exact: true }).waitFor();
    await dialog.page().goto(area.at(`templates?run=${template.id}&from=${older.task_id}`));
    await expect.poll(() => dialog.getByLabel('Note').inputValue()).toBe('older');
  });

  test('a deploy needs a build, and begins with the newest one that succeeded', async () => {
    const build = await add('Builds', { type: 'build', start_version: '1.0.0', allow_parallel_tasks: true });
    const deploy = await add('Deploys', { type: 'deploy', build_template_id: build.id });
    const empty = await openRun(deploy);
    await empty.getByText('The build template has no successful build yet.').waitFor();
    await run(empty);
    await empty.getByText('Build version is required').waitFor();
    const builds = [await launch(area.api, build), await launch(area.api, build)];
    for (const task of builds) await waitForSuccess(area.api, task);
    const dialog = await openRun(deploy);
    await expect.poll(() => dialog.getByLabel('Build version').first().inputValue()).toMatch(/^1\.0\.1/);
    await run(dialog);
    await dialog.waitFor({ state: 'hidden' });
    const task = await lastTask(deploy);
    expect(task.build_task?.version).toBe('1.0.1');
    await waitForEnd(area.api, placeOf(task));
  });

  test('Ansible offers dry run and diff, and debug only where the template lets it', async () => {
    const ansible = { app: 'ansible', playbook: 'site.yml' };
    const strict = await openRun(await add('Strict', ansible));
    await strict.getByLabel('Dry run').waitFor();
    await strict.getByLabel('Diff').waitFor();
    for (const label of ['Debug', 'Limit', 'Tags', 'Skip tags', 'Inventory', 'Arguments', 'Destroy']) {
      await expect
        .poll(async () => [label, await strict.getByLabel(label, { exact: true }).count()])
        .toEqual([label, 0]);
    }
    const allow = {
      limit: [],
      tags: [],
      skip_tags: [],
      allow_override_inventory: true,
      allow_override_limit: true,
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_debug: true,
      auto_approve: false,
    };
    const template = await add('Open', { ...ansible, task_params: allow, allow_override_args_in_task: true });
    const open = await openRun(template, 'task_runner');
    await open.getByLabel('Debug').check({ force: true });
    await open.getByLabel('Dry run').check({ force: true });
    for (const [label, text] of [
      ['Limit', 'web-01'],
      ['Tags', 'packages'],
      ['Skip tags', 'slow'],
      ['Arguments', '--forks=3'],
    ]) {
      await fillField(open, label ?? '', text ?? '');
      await open.page().keyboard.press('Enter');
    }
    await run(open);
    await open.waitFor({ state: 'hidden' });
    const task = await lastTask(template);
    expect(task.params).toMatchObject({
      debug: true,
      dry_run: true,
      diff: false,
      limit: ['web-01'],
      tags: ['packages'],
      skip_tags: ['slow'],
    });
    expect(task.arguments).toBe('["--forks=3"]');
    await waitForEnd(area.api, placeOf(task));
  });

  test('Terraform offers plan, destroy, auto approve, upgrade and reconfigure, and says what happens at once', async () => {
    const template = await add('Network', { app: 'terraform', playbook: '', inventory_id: null });
    const dialog = await openRun(template);
    for (const label of ['Plan', 'Upgrade', 'Reconfigure'])
      await dialog.getByLabel(label, { exact: true }).check({ force: true });
    await dialog.getByLabel('Auto approve').check({ force: true });
    await dialog.getByLabel('Plan', { exact: true }).uncheck({ force: true });
    await dialog.getByText('The plan is applied at once, and nobody sees it before.').waitFor();
    await dialog.getByLabel('Destroy').check({ force: true });
    await dialog.getByText('Everything that the state holds is destroyed at once').waitFor();
    await dialog.getByLabel('Auto approve').uncheck({ force: true });
    await run(dialog);
    await dialog.waitFor({ state: 'hidden' });
    const task = await lastTask(template);
    expect(task.params).toEqual({ plan: false, destroy: true, auto_approve: false, upgrade: true, reconfigure: true });
    if (!['error', 'success', 'stopped'].includes((await getTask(area.api, placeOf(task))).status)) {
      await stopTask(area.api, placeOf(task)).catch(() => undefined); // it has ended meanwhile
    }
    await waitForEnd(area.api, placeOf(task));
  });

  test('a commit is named behind one click, and what is no hash or no commit is refused', async () => {
    const first = await area.repository.head();
    await area.repository.commit('Second', { 'quick.sh': 'echo changed\n' });
    const template = await add('Older code');
    const dialog = await openRun(template);
    await dialog.getByRole('button', { name: 'Run another commit' }).click();
    await fillField(dialog, 'Commit', 'main');
    await run(dialog);
    await dialog.getByText('7 to 64 hexadecimal digits').waitFor();
    await fillField(dialog, 'Commit', first);
    await run(dialog);
    await dialog.waitFor({ state: 'hidden' });
    const task = await waitForSuccess(area.api, placeOf(await lastTask(template)));
    expect(task.commit_hash).toBe(first);
  });

  test('what the server refuses stands beside its field', async () => {
    const template = await add('Changes meanwhile', { survey_vars: [region] });
    const dialog = await openRun(template);
    await chooseOption(dialog, 'Region', 'Dublin');
    // The values are others when the launch arrives, and only the server knows: the page gets no answer any more.
    await dialog.page().route('**/api/project/*/templates/*', (route) => route.abort('connectionfailed'));
    await area.api.call(templateRoutes.update, {
      params: { project_id: area.workshop.projectId, template_id: template.id },
      body: {
        id: template.id,
        name: template.name,
        app: 'bash',
        survey_vars: [{ ...region, values: [{ name: 'Oslo', value: 'no' }] }],
      },
    });
    await run(dialog);
    await dialog.getByText('Region must be one of its values').waitFor();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await expect(lastTask(template)).rejects.toThrow('was not launched');
  });

  test('a runner without the tool is named before the launch', async () => {
    const dialog = await openRun(await add('Exotic', { app: 'pulumi', playbook: '' }));
    await dialog.getByText(/No runner that is online has pulumi/).waitFor();
  });

  test('a guest is told why he cannot run a template, on the button and in the dialog', async () => {
    const template = await add('Not for guests');
    const page = await area.open(`templates/${template.id}/tasks`, 'guest');
    const button = page.getByRole('button', { name: 'Run', exact: true });
    await button.focus();
    await page.getByText('Your role in this project may not run tasks.').waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await button.click({ force: true });
    await expect.poll(() => new URL(page.url()).searchParams.get('run')).toBeNull();
    const dialog = await openRun(template, 'guest');
    await dialog.getByText('Your role in this project may not run tasks.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
  });

  test('back closes the dialog, forward opens it, and a reload in the middle keeps it open', async () => {
    const template = await add('Back and forth');
    const page = await area.open(`templates/${template.id}/tasks`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = dialogOf(page, template.name);
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    await page.goForward();
    await run(dialog);
    await page
      .getByRole('article')
      .getByText(/quick|changed/)
      .first()
      .waitFor();
    const tasks = await area.api.call(taskRoutes.last, {
      params: { project_id: area.workshop.projectId },
      query: { limit: '5' },
    });
    expect(tasks.filter(({ template_id }) => template_id === template.id)).toHaveLength(1);
  });
});
