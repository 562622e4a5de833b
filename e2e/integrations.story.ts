import { integrationAliasRoutes } from '@signalbox/contract/integration-aliases';
import { integrationMatcherRoutes } from '@signalbox/contract/integration-matchers';
import { type IntegrationInput, integrationRoutes } from '@signalbox/contract/integrations';
import { keyRoutes } from '@signalbox/contract/keys';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`integrations${because(missing)}`, () => {
  let area: WorkArea;
  let build: Template;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
    build = await addTemplate(area.api, area.workshop, { name: 'Build', playbook: 'quick.sh' });
    await area.api.call(keyRoutes.create, {
      params: projectOf(),
      body: { name: 'Webhook secret', type: 'login_password', login_password: { login: '', password: 'open sesame' } },
    });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const projectOf = () => ({ project_id: area.workshop.projectId });
  const submit = (dialog: Locator) => dialog.getByRole('button', { name: /^(Create|Save)/ }).click();
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  async function addIntegration(name: string, change: Partial<IntegrationInput> = {}): Promise<number> {
    const body = { name, template_id: build.id, ...change };
    return (await area.api.call(integrationRoutes.create, { params: projectOf(), body })).id;
  }

  async function addAlias(id: number): Promise<string> {
    const params = { ...projectOf(), integration_id: id };
    return (await area.api.call(integrationAliasRoutes.create, { params })).url;
  }

  /** Calls an address as another system would, whatever the public address of the server is. */
  async function callAlias(url: string, body: unknown, headers: Record<string, string> = {}): Promise<void> {
    await area.api.send('POST', new URL(url).pathname.replace(/^\/api/, ''), JSON.stringify(body), headers);
  }

  test('one is made, changed and deleted, and its template is a link', async () => {
    const page = await area.open('integrations');
    await page.getByRole('button', { name: 'New integration' }).first().click();
    const form = page.getByRole('dialog');
    await submit(form);
    await form.getByText('Name is required').waitFor();
    await form.getByText('Template is required').waitFor();
    await fillField(form, 'Name', 'Push');
    await chooseOption(form, 'Template', 'Build');
    await expect.poll(() => form.getByLabel('Header name').count()).toBe(0);
    await chooseOption(form, 'Authentication', 'GitHub Webhooks');
    await expect.poll(() => form.getByLabel('Header name').count()).toBe(0);
    await chooseOption(form, 'Authentication', 'HMAC');
    await submit(form);
    await form.getByText('Header name is required').waitFor();
    await form.getByText('Secret key is required').waitFor();
    await fillField(form, 'Header name', 'X-Signature');
    await chooseOption(form, 'Secret key', 'Webhook secret');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    const row = page.getByRole('row').filter({ hasText: 'Push' });
    const target = await row.getByRole('link', { name: 'Build' }).getAttribute('href');
    expect(target).toContain(`/templates/${build.id}`);

    await row.getByRole('button', { name: 'Edit Push' }).click();
    await fillField(form, 'Name', 'Push to main');
    await submit(form);
    await page.getByRole('link', { name: 'Push to main' }).click();
    await page.getByRole('heading', { name: 'Push to main', level: 1 }).waitFor();
    await page.getByRole('main').getByText('X-Signature').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Integration Push to main deleted').waitFor();
    await page.waitForURL(/\/integrations$/);
    await expect.poll(() => page.getByRole('link', { name: 'Push to main' }).count()).toBe(0);
  });

  test('the project has aliases, each to copy and to delete', async () => {
    const page = await area.open('integrations');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const aliases = section(page, 'Project aliases');
    await aliases.getByText('There is no aliases.').waitFor();
    await aliases.getByRole('button', { name: 'Add alias' }).click();
    const url = await aliases.getByRole('listitem').locator('code').textContent();
    expect(url).toMatch(/\/api\/integrations\/[a-z0-9]{16}$/);
    await aliases.getByRole('button', { name: /^Copy/ }).click();
    await page.getByText('The alias URL has been copied to the clipboard.').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    await aliases.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await aliases.getByText('There is no aliases.').waitFor();
  });

  test('the global alias is saved at once, and shows matchers in the place of aliases', async () => {
    const id = await addIntegration('Switched');
    const params = { ...projectOf(), integration_id: id };
    const page = await area.open(`integrations/${id}`);
    await section(page, 'Aliases').waitFor();
    await expect.poll(() => section(page, 'Matchers').count()).toBe(0);
    await page.getByRole('switch', { name: 'Global alias' }).check();
    await section(page, 'Matchers').waitFor();
    await expect.poll(() => section(page, 'Aliases').count()).toBe(0);
    await expect.poll(async () => (await area.api.call(integrationRoutes.get, { params })).searchable).toBe(true);
    await page.reload();
    await section(page, 'Matchers').waitFor();
  });

  test('matchers and values are made, changed and deleted, and each field is asked for', async () => {
    const id = await addIntegration('Parts', { searchable: true });
    const page = await area.open(`integrations/${id}`);
    const matchers = section(page, 'Matchers');
    await matchers.getByRole('button', { name: 'Add matcher' }).click();
    const form = page.getByRole('dialog');
    await chooseOption(form, 'Match source', 'Body');
    await submit(form);
    for (const title of ['Name', 'Body data format', 'Key', 'Comparison method', 'Value']) {
      await form.getByText(`${title} is required`).waitFor();
    }
    await fillField(form, 'Name', 'Main branch');
    await chooseOption(form, 'Body data format', 'JSON');
    await fillField(form, 'Key', 'ref');
    await chooseOption(form, 'Comparison method', 'Equals');
    await fillField(form, 'Value', 'refs/heads/main');
    await submit(form);
    await matchers.getByText('refs/heads/main').waitFor();
    await matchers.getByRole('button', { name: 'Edit Main branch' }).click();
    await chooseOption(form, 'Comparison method', 'Contains');
    await submit(form);
    await matchers.getByText('Contains').waitFor();
    await matchers.getByRole('button', { name: 'Delete Main branch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await matchers.getByText(/There is no matcher/).waitFor();

    const values = section(page, 'Extracted values');
    await values.getByRole('button', { name: 'Add value' }).click();
    await submit(form);
    for (const title of ['Name', 'Value source', 'Key', 'Variable']) {
      await form.getByText(`${title} is required`).waitFor();
    }
    await fillField(form, 'Name', 'Commit');
    await chooseOption(form, 'Value source', 'Header');
    await fillField(form, 'Key', 'X-Commit');
    await fillField(form, 'Variable', 'commit');
    await submit(form);
    await values.getByRole('row').filter({ hasText: 'X-Commit' }).getByText('commit', { exact: true }).waitFor();
  });

  test('a call is shown with its verdict step by step, and can be replayed', async () => {
    const id = await addIntegration('Called');
    const params = { ...projectOf(), integration_id: id };
    const body = { name: 'Main', match_type: 'body', body_data_type: 'json', key: 'ref', method: 'equals' } as const;
    const matcher = await area.api.call(integrationMatcherRoutes.create, { params, body: { ...body, value: 'main' } });
    const url = await addAlias(id);
    const page = await area.open(`integrations/${id}`);
    const deliveries = section(page, 'Deliveries');
    await deliveries.getByText('No call has arrived yet.').waitFor();
    await page.getByText(/1 matcher must hold for calls to its own aliases, too/).waitFor();
    await callAlias(url, { ref: 'topic' }, { 'content-type': 'application/json', 'x-token': 'tell nobody' });
    await deliveries.getByText('Not matched').waitFor();
    await deliveries.getByRole('button', { name: 'The matcher "Main" does not hold' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delivery #/ });
    await dialog.getByRole('img', { name: 'Does not hold' }).waitFor();
    await dialog.getByText('it was topic').waitFor();
    await dialog.getByText('No authentication is asked for').waitFor();
    await expect.poll(() => dialog.textContent()).not.toContain('tell nobody');

    const change = { ...body, id: matcher.id, integration_id: id, value: 'topic' };
    await area.api.call(integrationMatcherRoutes.update, {
      params: { ...params, matcher_id: matcher.id },
      body: change,
    });
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText(/Replay of delivery #\d+ by admin/).waitFor();
    await dialog.getByRole('img', { name: 'Holds' }).waitFor();
    await dialog.getByRole('link', { name: /^#\d+$/ }).click();
    await page.getByRole('article').getByText('quick', { exact: true }).waitFor();
  });

  test('a call whose sender was not proved cannot be replayed, and the button says why', async () => {
    const keys = await area.api.call(keyRoutes.list, { params: projectOf() });
    const secret = keys.find(({ type }) => type === 'login_password')?.id ?? 0;
    const id = await addIntegration('Guarded', { auth_method: 'token', auth_header: 'X-Key', auth_secret_id: secret });
    await callAlias(await addAlias(id), {}, { 'x-key': 'wrong' });
    const page = await area.open(`integrations/${id}`);
    await section(page, 'Deliveries').getByText('Refused').waitFor();
    await section(page, 'Deliveries').getByRole('button', { name: 'The token is wrong' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Replay' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await button.hover();
    await page.getByText('It was refused: nobody knows who sent it.').waitFor();
  });

  test.each(['guest', 'task_runner', 'manager'] as const)(
    'a %s sees integrations, and neither their calls nor a way to change them',
    async (role) => {
      const id = await addIntegration(`Seen by a ${role}`);
      const url = await addAlias(id);
      const page = await area.open('integrations', role);
      await page.getByRole('link', { name: `Seen by a ${role}` }).waitFor();
      await page.getByText('You have read-only access').waitFor();
      expect(await page.getByRole('button', { name: /^(New|Add|Edit|Delete) ?/ }).count()).toBe(0);
      await page.getByRole('link', { name: `Seen by a ${role}` }).click();
      await page.getByText(url).waitFor();
      await expect.poll(() => page.getByRole('switch').isDisabled()).toBe(true);
      expect(await section(page, 'Deliveries').count()).toBe(0);
      const changes = page.getByRole('main').getByRole('button', { name: /^(New|Add|Edit|Delete) ?/ });
      expect(await changes.count()).toBe(0);
      await page.goto(area.at('integrations?edit=new'));
      await page.getByRole('link', { name: `Seen by a ${role}` }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  test('what the server refuses is said in the form', async () => {
    const gone = await addTemplate(area.api, area.workshop, { name: 'Soon gone', playbook: 'quick.sh' });
    const page = await area.open('integrations?edit=new', 'admin', { expectedStatuses: [400, 404] });
    const form = page.getByRole('dialog');
    await fillField(form, 'Name', 'Orphan');
    await chooseOption(form, 'Template', 'Soon gone');
    await area.api.call(templateRoutes.remove, { params: { ...projectOf(), template_id: gone.id } });
    await submit(form);
    await form.getByText('Template names a template that is not in this project').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Orphan' }).count()).toBe(0);
  });

  test('a template that an integration starts cannot be deleted, and the integration is a link', async () => {
    const used = await addTemplate(area.api, area.workshop, { name: 'Used', playbook: 'quick.sh' });
    const id = await addIntegration('Its user', { template_id: used.id });
    const page = await area.open(`templates/${used.id}/tasks`);
    await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Can't delete the/ });
    await dialog.getByRole('link', { name: 'Its user' }).click();
    await page.waitForURL(new RegExp(`/integrations/${id}$`));
  });

  test('what somebody else makes and deletes is seen at once', async () => {
    const page = await area.open('integrations');
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    const id = await addIntegration('From elsewhere');
    const row = page.getByRole('link', { name: 'From elsewhere' });
    await row.waitFor();
    await area.api.call(integrationRoutes.remove, { params: { ...projectOf(), integration_id: id } });
    await row.waitFor({ state: 'detached' });
  });

  test('forms have an address: back, forward, a reload and a link for somebody signed out lead to them', async () => {
    const id = await addIntegration('Linked', { searchable: true });
    const page = await area.open(`integrations/${id}`);
    await page.getByRole('button', { name: 'Add matcher' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add matcher' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    await page.goForward();
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    const stranger = await area.openSignedOut();
    await stranger.goto(area.at(`integrations/${id}?matcher=new`));
    await signInAsAdmin(stranger);
    await stranger.getByRole('dialog', { name: 'Add matcher' }).waitFor();
  });
});
