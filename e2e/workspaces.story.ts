import { type Inventory, inventoryRoutes } from '@signalbox/contract/inventories';
import { type Key, keyRoutes } from '@signalbox/contract/keys';
import { type Template, templateRoutes } from '@signalbox/contract/templates';
import { type TerraformAlias, terraformRoutes } from '@signalbox/contract/terraform';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

/** Stores a state as the tool does it: at an address, with login and password. */
async function writeState(alias: TerraformAlias, serial: number): Promise<void> {
  const state = { version: 4, terraform_version: '1.9.0', serial, lineage: 'a-lineage', outputs: {}, resources: [] };
  const answer = await fetch(alias.url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('tool:a password')}`, 'content-type': 'application/json' },
    body: JSON.stringify(state),
  });
  if (!answer.ok) throw new Error(`the state was answered ${answer.status}: ${await answer.text()}`);
}

describe.skipIf(missing)(`workspaces of a template${because(missing)}`, () => {
  let area: WorkArea;
  let access: Key;
  let template: Template;
  let workspace: Inventory;

  beforeAll(async () => {
    area = await openWorkArea({ 'main.tf': '' });
    access = await area.api.call(keyRoutes.create, {
      params: params(),
      body: { name: 'State access', type: 'login_password', login_password: { login: 'tool', password: 'a password' } },
    });
    template = await addTemplate(area.api, area.workshop, {
      name: 'Network',
      app: 'terraform',
      playbook: '',
      inventory_id: null,
    });
    [workspace] = (await listOwn()) as [Inventory];
  });
  afterAll(async () => {
    await area?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await area.closeWindows();
  });

  const params = () => ({ project_id: area.workshop.projectId });
  const listOwn = async (): Promise<Inventory[]> => {
    const all = await area.api.call(inventoryRoutes.list, { params: params() });
    return all.filter(({ template_id: holder }) => holder === template.id);
  };
  const addWorkspace = (name: string, holder: number | null): Promise<Inventory> =>
    area.api.call(inventoryRoutes.create, {
      params: params(),
      body: {
        name: `Network - ${name}`,
        inventory: name,
        type: 'terraform-workspace',
        ssh_key_id: area.workshop.keyId,
        template_id: holder,
      },
    });
  const ofWorkspace = () => ({ ...params(), inventory_id: workspace.id });
  const open = (who: Parameters<WorkArea['open']>[1] = 'admin'): Promise<Page> =>
    area.open(`templates/${template.id}/state`, who);
  const rowOf = (page: Page, name: string) =>
    page
      .getByRole('region', { name: 'Workspaces' })
      .getByRole('row')
      .filter({ hasText: `Network - ${name}` });

  test('only templates for Terraform and OpenTofu have workspaces', async () => {
    const script = await addTemplate(area.api, area.workshop, { name: 'Script', playbook: 'run.sh' });
    const page = await area.open(`templates/${script.id}/state`);
    await page.waitForURL(/\/tasks$/);
    expect(await page.getByRole('link', { name: 'Workspaces' }).count()).toBe(0);
    await page.goto(area.at(`templates/${template.id}/tasks`));
    await page.getByRole('link', { name: 'Workspaces' }).click();
    await rowOf(page, 'default').waitFor();
  });

  test('a manager creates a workspace, makes it the default, detaches one and deletes one', async () => {
    const page = await open('manager');
    await page.getByRole('button', { name: 'New workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'New workspace' });
    await dialog.getByRole('button', { name: /^Create/ }).click();
    await dialog.getByText('Workspace name is required').waitFor();
    await dialog.getByText('SSH key is required').waitFor();
    await fillField(dialog, 'Workspace name', 'staging');
    await chooseOption(dialog, 'SSH key', 'None');
    await dialog.getByRole('button', { name: /^Create/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await listOwn()).find(({ inventory }) => inventory === 'staging')).toMatchObject({
      name: 'Network - staging',
      type: 'terraform-workspace',
      ssh_key_id: area.workshop.keyId,
    });
    await page.getByRole('button', { name: 'Make default staging' }).click();
    await rowOf(page, 'staging').getByText('default', { exact: true }).waitFor();
    const stored = await area.api.call(templateRoutes.get, { params: { ...params(), template_id: template.id } });
    expect(stored.inventory_id).not.toBe(workspace.id);
    await page.getByRole('button', { name: 'Make default default' }).click();
    await page.getByText('Workspace default is the default now').waitFor();
    await page.getByRole('button', { name: 'Detach staging' }).click();
    await rowOf(page, 'staging').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Attach workspace' }).click();
    const attach = page.getByRole('dialog', { name: 'Attach workspace' });
    await attach.getByRole('button', { name: /^Attach/ }).click();
    await attach.getByText('Workspace is required').waitFor();
    await chooseOption(attach, 'Workspace', 'Network - staging');
    await attach.getByRole('button', { name: /^Attach/ }).click();
    await rowOf(page, 'staging').waitFor();
    await page.getByRole('button', { name: 'Delete staging' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await rowOf(page, 'staging').waitFor({ state: 'hidden' });
    expect((await listOwn()).map(({ inventory }) => inventory)).toEqual(['default']);
  });

  test('the default workspace is neither detached nor deleted, and says why', async () => {
    const page = await open();
    for (const name of ['Detach default', 'Delete default']) {
      const button = page.getByRole('button', { name });
      await button.waitFor();
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      await button.click({ force: true });
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await page
      .getByText(/This is the default workspace/)
      .first()
      .waitFor();
    expect(await listOwn()).toHaveLength(1);
  });

  test('an alias is added with a key that has a password, copied, given another key, and deleted', async () => {
    await area.api.call(keyRoutes.create, {
      params: params(),
      body: { name: 'Second access', type: 'login_password', login_password: { login: 'tool', password: 'other' } },
    });
    const page = await open();
    const aliases = page.getByRole('region', { name: 'State aliases of default' });
    await aliases.getByText('There is no aliases.').waitFor();
    await aliases.getByRole('button', { name: 'Add alias' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add alias' });
    await dialog.getByRole('button', { name: /^Create/ }).click();
    await dialog.getByText('Auth key is required').waitFor();
    await dialog.getByLabel('Auth key').first().click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Second access', 'State access']);
    await page.getByRole('option', { name: 'State access' }).click();
    await dialog.getByRole('button', { name: /^Create/ }).click();
    const [alias] = await expect
      .poll(() => area.api.call(terraformRoutes.listAliases, { params: ofWorkspace() }), { timeout: 60_000 })
      .toHaveLength(1)
      .then(() => area.api.call(terraformRoutes.listAliases, { params: ofWorkspace() }));
    if (alias === undefined) throw new Error('there is no alias');
    await aliases.getByText(alias.url).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await aliases.getByRole('button', { name: 'Copy the URL' }).click();
    await page.getByText('The alias URL has been copied to the clipboard.').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(alias.url);
    await aliases.getByRole('button', { name: `Edit ${alias.url}` }).click();
    const edit = page.getByRole('dialog', { name: 'Edit alias' });
    await chooseOption(edit, 'Auth key', 'Second access');
    await edit.getByRole('button', { name: /^Save/ }).click();
    await aliases.getByRole('row').filter({ hasText: 'Second access' }).waitFor();
    await aliases.getByRole('button', { name: `Delete ${alias.url}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await aliases.getByText('There is no aliases.').waitFor();
  });

  test('states appear as they are written, are read without being changed, and are deleted', async () => {
    const page = await open();
    const states = page.getByRole('region', { name: 'States of default' });
    await states.getByText('No state available.').waitFor();
    const alias = await area.api.call(terraformRoutes.createAlias, {
      params: ofWorkspace(),
      body: { auth_key_id: access.id },
    });
    await writeState(alias, 1);
    await states.getByRole('button', { name: 'Serial 1', exact: true }).waitFor();
    await expect
      .poll(() => states.locator('th').allTextContents())
      .toEqual(['State', 'Task', 'Status', 'Created', 'Actions']);
    const addresses = page.getByRole('region', { name: 'State aliases of default' });
    await addresses.getByRole('row').filter({ hasText: alias.url }).getByText('State access').waitFor();
    await writeState(alias, 2);
    await states.getByRole('row').filter({ hasText: 'Serial 2' }).getByText('current').waitFor();
    await states.getByRole('button', { name: 'Serial 1', exact: true }).click();
    const viewer = page.getByRole('dialog', { name: 'State of default' });
    const editor = viewer.getByRole('textbox', { name: 'State of default' });
    await editor.getByText('"a-lineage"').waitFor();
    await expect.poll(() => editor.getAttribute('contenteditable')).not.toBe('plaintext-only');
    await editor.click();
    await page.keyboard.type('x');
    expect((await editor.textContent())?.startsWith('{')).toBe(true);
    await page.reload();
    await editor.getByText('"a-lineage"').waitFor();
    await page.goBack();
    await viewer.waitFor({ state: 'hidden' });
    await states.getByRole('button', { name: 'Delete Serial 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await states.getByRole('button', { name: 'Serial 1', exact: true }).waitFor({ state: 'hidden' });
    const left = await area.api.call(terraformRoutes.listStates, { params: ofWorkspace() });
    expect(left.map(({ serial }) => serial)).toEqual([2]);
  });

  test('each workspace has states and aliases of its own, and the address names it', async () => {
    const second = await addWorkspace('second', template.id);
    const page = await open();
    await rowOf(page, 'second').getByRole('link', { name: 'second' }).click();
    await page.getByRole('region', { name: 'States of second' }).getByText('No state available.').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('workspace')).toBe(String(second.id));
    await page.goBack();
    await page.getByRole('region', { name: 'States of default' }).waitFor();
    await area.api.call(inventoryRoutes.remove, { params: { ...params(), inventory_id: second.id } });
    await rowOf(page, 'second').waitFor({ state: 'hidden' });
  });

  test.each(['guest', 'task_runner'] as const)(
    'a %s sees workspaces and states, but no text and no button',
    async (role) => {
      const page = await open(role);
      await page.getByRole('row').filter({ hasText: 'Serial 2' }).waitFor();
      for (const name of ['New workspace', 'Attach workspace', 'Add alias', 'Delete default', 'Serial 2']) {
        expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
      }
      await page.goto(area.at(`templates/${template.id}/state?dialog=workspace`));
      await rowOf(page, 'default').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );
});

describe.skipIf(missing)(`a server without the features of other editions${because(missing)}`, () => {
  const off = { SIGNALBOX_TERRAFORM_BACKEND: '0', SIGNALBOX_PROJECT_RUNNERS: '0' };

  test('says that states are not kept, offers no alias, and asks for no runner tag', async () => {
    await using area = await openWorkArea({ 'main.tf': '' }, off);
    const { id } = await addTemplate(area.api, area.workshop, {
      name: 'Network',
      app: 'tofu',
      playbook: '',
      inventory_id: null,
    });
    const page = await area.open(`templates/${id}/state`);
    await page.getByText('The HTTP backend for states is a premium feature').waitFor();
    await page.getByText('States are kept by the HTTP backend').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Add alias' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit template' });
    await form.getByText('Project-level runners are a premium feature.').waitFor();
    await expect.poll(() => form.getByLabel('Runner tag').first().isDisabled()).toBe(true);
    await page.goto(area.at('runners'));
    await page.getByText('Project-level runners are a premium feature').waitFor();
    expect(await page.getByRole('button', { name: 'New runner' }).count()).toBe(0);
    await area.closeWindows();
  });
});
