import { integrationRoutes } from '@signalbox/contract/integrations';
import { keyRoutes } from '@signalbox/contract/keys';
import { projectRunnerRoutes } from '@signalbox/contract/runners';
import { scheduleRoutes } from '@signalbox/contract/schedules';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { viewRoutes } from '@signalbox/contract/views';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`the work areas of a project${because(missing)}`, () => {
  let area: WorkArea;
  let template: Template;
  let viewId: number;
  let scheduleId: number;
  let integrationId: number;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
    const { api, workshop } = area;
    template = await addTemplate(api, workshop, { name: 'Quick', playbook: 'quick.sh' });
    viewId = (await api.call(viewRoutes.create, { params: params(), body: { title: 'Production' } })).id;
    const schedule = { name: 'On push', template_id: template.id, cron_format: '0 4 1 1 *' };
    const body = { ...schedule, repository_id: workshop.repositoryId };
    scheduleId = (await api.call(scheduleRoutes.create, { params: params(), body })).id;
    const integration = { name: 'Push', template_id: template.id };
    integrationId = (await api.call(integrationRoutes.create, { params: params(), body: integration })).id;
    for (let number = 1; number <= 21; number += 1) {
      const name = `spare ${number}`;
      await api.call(keyRoutes.create, { params: params(), body: { name, type: 'none' } });
      await api.call(projectRunnerRoutes.create, { params: params(), body: { name, tag: 'spare' } });
    }
    const login = { login: 'vault', password: 'open sesame' };
    await api.call(keyRoutes.create, {
      params: params(),
      body: { name: 'Vault', type: 'login_password', login_password: login },
    });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const params = () => ({ project_id: area.workshop.projectId });
  const mainOf = (page: Page): Locator => page.getByRole('main');
  const bodyRows = (page: Page): Locator => mainOf(page).locator('tbody').getByRole('row');
  const labelsOf = async (place: Locator, labels: string[]): Promise<void> => {
    for (const label of labels) {
      const text = new RegExp(`^${label.replace(/[()]/g, '\\$&')}\\s*\\*?$`);
      await place.getByLabel(text).first().waitFor({ state: 'attached' });
    }
  };

  test('addresses of a template lead to its tasks, that of a new one to its form', async () => {
    const page = await area.open(`templates/${template.id}`);
    await page.waitForURL(new RegExp(`/project/\\d+/templates/${template.id}/tasks$`));
    await page.goto(area.at(`views/${viewId}/templates/${template.id}`));
    await page.waitForURL(new RegExp(`/views/${viewId}/templates/${template.id}/tasks$`));
    await page.goto(area.at('templates/new'));
    await page.waitForURL(/\/project\/\d+\/templates\/new\/edit$/);
  });

  test('every list has its columns', async () => {
    const lists: [string, string[]][] = [
      ['templates', ['Name', 'Version', 'Status', 'Last task', 'Playbook', 'Inventory', 'Environment', 'Repository']],
      ['schedule', ['Active', 'Name', 'Cron', 'Template']],
      ['environment', ['Name']],
      ['inventory', ['Name', 'Type', 'Path']],
      ['keys', ['Name', 'Type']],
      ['repositories', ['Name', 'Git URL', 'Access key']],
      ['team', ['Name', 'Username', 'Role']],
      ['integrations', ['Name', 'Template']],
      ['runners', ['Active', 'Name', 'State', 'Webhook', 'Tag', 'Max parallel']],
    ];
    const page = await area.open('templates');
    const tabs = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    await expect.poll(() => tabs.allTextContents()).toEqual(['All1', 'Production0']);
    for (const [place, columns] of lists) {
      await page.goto(area.at(place));
      // Those of the buttons and of the arrow have titles for those who cannot see them.
      const head = mainOf(page).locator('thead').first().locator('th:not(:has([class*="VisuallyHidden"]))');
      await expect.poll(async () => [place, await head.allTextContents()]).toEqual([place, columns]);
      await bodyRows(page).first().getByRole('button').last().waitFor();
    }
    await page.goto(area.at('repositories'));
    await page.getByRole('row').filter({ hasText: 'Scripts' }).getByRole('cell', { name: 'None' }).waitFor();
    await page.goto(area.at('schedule'));
    const target = page.getByRole('row').filter({ hasText: 'On push' }).getByRole('link', { name: 'Quick' });
    await expect.poll(() => target.getAttribute('href')).toContain(area.at(`templates/${template.id}`));
  });

  test('resources stand in one list, events and runners 20 to a page', async () => {
    const page = await area.open('keys');
    await page.getByRole('row').filter({ hasText: 'spare 21' }).waitFor();
    await expect.poll(() => bodyRows(page).count()).toBeGreaterThan(21);
    for (const place of ['activity', 'runners']) {
      await page.goto(area.at(place));
      await expect.poll(() => bodyRows(page).count()).toBe(20);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.waitForURL(/[?&]page=2/);
    }
  });

  test('the form of a template has every field, and so have its survey variables and vaults', async () => {
    const page = await area.open('templates/new/edit?app=ansible');
    const form = mainOf(page);
    await form.getByLabel('Run on new commits').check({ force: true });
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('Repository to check is required').waitFor();
    await labelsOf(form, ['Name', 'View', 'Description', 'Playbook filename', 'Repository', 'Branch', 'Inventory']);
    await labelsOf(form, ['Variable group', 'Arguments', 'Limit', 'Tags', 'Skip tags', 'Debug', 'Runner tag']);
    await labelsOf(form, ['Time limit in seconds', 'Grace time in seconds', 'Tasks may run side by side']);
    await labelsOf(form, ['No alerts about successful tasks', 'Repository to check', 'Check every']);
    await form.getByText('Build', { exact: true }).click();
    await expect.poll(() => form.getByLabel(/^Start version/).getAttribute('placeholder')).toBe('0.0.0');
    await form.getByText('Deploy', { exact: true }).click();
    await labelsOf(form, ['Build template', 'Run after every successful build']);
    await form.getByRole('button', { name: 'Add vault' }).click();
    await labelsOf(form, ['Vault name', 'Vault type', 'Vault password']);
    await form
      .getByLabel(/^Vault password/)
      .first()
      .click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Vault']);
    await page.keyboard.press('Escape');
    await chooseOption(form, 'Vault type', 'Script');
    await labelsOf(form, ['Script']);
    await form.getByRole('button', { name: 'Add variable' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add variable' });
    await labelsOf(dialog, ['Name', 'Title', 'Description', 'Type', 'Required']);
    await dialog.getByLabel('Type').first().click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['String', 'Integer', 'Enum', 'Secret']);
    await page.getByRole('option', { name: 'Enum' }).click();
    await dialog.getByRole('group', { name: 'Values' }).waitFor();
  });

  test('an argument says something, is trimmed, and is offered again for the same app', async () => {
    const same = await addTemplate(area.api, area.workshop, { name: 'Same app', playbook: 'quick.sh' });
    const other = await addTemplate(area.api, area.workshop, {
      name: 'Other app',
      app: 'python',
      playbook: 'quick.py',
    });
    const page = await area.open(`templates/${template.id}/tasks?dialog=edit`);
    const form = page.getByRole('dialog', { name: 'Edit template' });
    // Whether they may be set at launch is asked by the same word.
    const field = form.getByLabel('Arguments').and(page.locator('input:not([type=checkbox])')).first();
    await field.fill('  --now ');
    await field.press('Enter');
    await field.fill('   ');
    await field.press('Tab');
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    const stored = await area.api.call(templateRoutes.get, { params: { ...params(), template_id: template.id } });
    expect(stored.arguments).toBe('["--now"]');
    for (const [{ id }, offered] of [
      [same, 1],
      [other, 0],
    ] as const) {
      await page.goto(area.at(`templates/${id}/tasks?dialog=edit`));
      await field.click();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.getByRole('option', { name: '--now' }).count()).toBe(offered);
    }
  });

  test('the time of a check for new commits is checked before the template is saved', async () => {
    const { id } = await addTemplate(area.api, area.workshop, { name: 'Watches', playbook: 'quick.sh' });
    const page = await area.open(`templates/${id}/tasks?dialog=edit`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    const form = page.getByRole('dialog', { name: 'Edit template' });
    await form.getByLabel('Run on new commits').check({ force: true });
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    const path = `/api${area.at('')}`;
    expect(sent).toEqual([`POST ${path}schedules/validate`, `PUT ${path}templates/${id}`, `POST ${path}schedules`]);
  });

  test('a schedule is picked from five kinds of times, and says whose commits it looks at', async () => {
    const page = await area.open(`schedule?edit=${scheduleId}`);
    const form = page.getByRole('dialog', { name: 'Edit schedule' });
    await form.getByText('Starts a task only when the branch of Scripts has a new commit.').waitFor();
    await labelsOf(form, ['Name', 'Template', 'Cron']);
    await form.getByLabel('Cron').fill('5 1 1 1 1');
    const picks = (name: string) => form.getByRole('group', { name }).getByRole('button').allTextContents();
    const numbers = (count: number, first: number, step = 1) =>
      Array.from({ length: count }, (_, at) => String(first + at * step));
    const twoDigits = (list: string[]) => list.map((number) => number.padStart(2, '0'));
    await expect.poll(() => picks('Weekdays')).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
    expect(await picks('Minutes')).toEqual(twoDigits(numbers(12, 0, 5)));
    expect(await picks('Hours')).toEqual(twoDigits(numbers(24, 0)));
    expect(await picks('Days of the month')).toEqual(numbers(31, 1));
    const months = await picks('Months');
    expect([months.length, months[0], months[11]]).toEqual([12, 'Jan', 'Dec']);
  });

  test('an inventory has its keys, a variable group its three parts, and an editor goes in by two spaces', async () => {
    const page = await area.open('inventory?edit=new');
    const form = page.getByRole('dialog');
    await labelsOf(form, ['Name', 'User credentials', 'Sudo credentials (optional)', 'Type']);
    await page.goto(area.at('environment?edit=new'));
    for (const name of ['Environment variables', 'Secrets', 'Extra variables']) {
      await form.getByRole('region', { name }).waitFor();
    }
    const variables = form.getByRole('region', { name: 'Extra variables' });
    await variables.getByText('JSON', { exact: true }).click();
    const editor = variables.getByRole('textbox', { name: 'Extra variables as JSON' });
    await editor.fill('{}');
    await editor.press('Tab');
    await expect.poll(() => editor.textContent()).toBe('  {}');
  });

  test('the secret of a key is written and never read', async () => {
    const keys = await area.api.call(keyRoutes.list, { params: params() });
    const vault = keys.find(({ name }) => name === 'Vault');
    expect(JSON.stringify(vault)).not.toContain('open sesame');
    const page = await area.open(`keys?edit=${vault?.id}`);
    const form = page.getByRole('dialog');
    await form.getByLabel('Override').check();
    await expect
      .poll(() =>
        form
          .getByLabel(/^Password/)
          .first()
          .inputValue(),
      )
      .toBe('');
  });

  test('who manages resources makes new ones everywhere, and a guest finds nothing to change', async () => {
    const places = ['templates', 'schedule', 'environment', 'inventory', 'keys', 'repositories'];
    const manager = await area.open('templates', 'manager');
    await manager.getByRole('button', { name: 'Edit views' }).waitFor();
    const guest = await area.open('templates', 'guest');
    for (const place of places) {
      await manager.goto(area.at(place));
      await mainOf(manager).getByRole('button', { name: /^New / }).first().waitFor();
      await guest.goto(area.at(place));
      await bodyRows(guest).first().waitFor();
      await guest.getByText('You have read-only access').waitFor();
      const changes = mainOf(guest).getByRole('button', { name: /^(New|Edit|Copy|Delete)\b/ });
      await expect.poll(async () => [place, await changes.count()]).toEqual([place, 0]);
    }
  });

  test('who may change the project has its settings and works on integrations', async () => {
    for (const [role, count] of [
      ['owner', 1],
      ['manager', 0],
    ] as const) {
      const page = await area.open('integrations', role);
      await page.getByRole('link', { name: 'Push' }).waitFor();
      await expect
        .poll(async () => [role, await page.getByRole('button', { name: 'New integration' }).count()])
        .toEqual([role, count]);
      await page.goto(area.at('activity'));
      await bodyRows(page).first().waitFor();
      const tabs = page.getByRole('navigation', { name: 'Dashboard' });
      await expect
        .poll(async () => [role, await tabs.getByRole('link', { name: 'Settings' }).count()])
        .toEqual([role, count]);
    }
  });

  test('no address can be added while the others are not known, and an integration leads back to the list', async () => {
    const page = await area.open(`integrations/${integrationId}`);
    const answered = Promise.withResolvers<void>();
    await page.route('**/integrations/aliases', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Integrations' }).click();
    await page.waitForURL(/\/integrations$/);
    // The address changes before the screen does, and the integration has such a button as well.
    await page.getByRole('button', { name: 'New integration' }).waitFor();
    const button = page.getByRole('button', { name: 'Add alias' });
    await button.waitFor();
    await expect.poll(() => button.isDisabled()).toBe(true);
    answered.resolve();
    await page.getByText('There is no aliases.').waitFor();
    await expect.poll(() => button.isDisabled()).toBe(false);
  });

  test('settings are a form, a backup and the deletion, and are saved with a name and a limit that is a number', async () => {
    const page = await area.open('settings');
    for (const name of ['Download backup', 'Delete project']) await page.getByRole('button', { name }).waitFor();
    await fillField(page, 'Project name', '');
    await page.getByLabel(/^Max number of parallel tasks/).fill('-1');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Project name is required').waitFor();
    await page.getByText('Must be 0 or greater').waitFor();
  });

  test('what has succeeded is said, and so is why a copy failed', async () => {
    const page = await area.open('settings');
    await page.getByRole('button', { name: 'Download backup' }).click();
    await page.getByText('Project exported.').waitFor();
    const { id } = await addTemplate(area.api, area.workshop, { name: 'Short-lived', playbook: 'quick.sh' });
    await page.goto(area.at(`templates/${id}/tasks`));
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Template "Short-lived" deleted').waitFor();
    await page.goto(area.at('integrations'));
    await page.getByRole('button', { name: 'Add alias' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = mainOf(page).getByRole('button', { name: /^Copy/ });
    await copy.click();
    await page.getByText('The alias URL has been copied to the clipboard.').waitFor();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not now'));
    });
    await copy.click();
    await page.getByText("Can't copy to clipboard: not now").waitFor();
  });

  test('where there are no workspaces, aliases and states, a sentence says so', async () => {
    const network = { name: 'Network', app: 'terraform', playbook: '', inventory_id: null };
    const { id } = await addTemplate(area.api, area.workshop, network);
    const page = await area.open('history');
    // The server gives every such template a workspace, so that none is seen only for a moment.
    await page.route('**/api/project/*/inventory*', (route) => route.fulfill({ json: [] }));
    await page.goto(area.at(`templates/${id}/state`));
    await page.getByText('No workspaces.').waitFor();
    await page.unroute('**/api/project/*/inventory*');
    await page.reload();
    await page.getByText('There is no aliases.').waitFor();
    await page.getByText('No state available.').waitFor();
  });
});
