import { backupRoutes } from '@signalbox/contract/backup';
import { environmentRoutes } from '@signalbox/contract/environments';
import { type InventoryType, inventoryRoutes } from '@signalbox/contract/inventories';
import { keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, fillField } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`forms of keys, variable groups, inventories and repositories${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const projectOf = () => ({ project_id: area.workshop.projectId });
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const submit = (form: Locator) => form.getByRole('button', { name: /^(Create|Save)/ }).click();

  test('a key without its secret is marked, and gets one only when it is overridden', async () => {
    // A backup holds no secrets, so what is restored from it has lost them.
    const params = projectOf();
    const secret = { login: '', password: 'lost' };
    const body = { name: 'Bare', type: 'login_password', login_password: secret } as const;
    await area.api.call(keyRoutes.create, { params, body });
    const backup = await area.api.call(backupRoutes.create, { params });
    const restored = await area.api.call(backupRoutes.restore, {
      body: { ...backup, meta: { ...backup.meta, name: 'Restored' } },
    });
    const page = await area.open('keys');
    await rowOf(page, 'Bare').waitFor();
    await expect.poll(() => page.getByText('empty', { exact: true }).count()).toBe(0);
    await page.goto(`/project/${restored.id}/keys`);
    await rowOf(page, 'Bare').getByText('empty', { exact: true }).waitFor();
    await expect.poll(() => rowOf(page, 'None').first().getByText('empty', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Edit Bare' }).click();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByLabel('Type').first().isDisabled()).toBe(true);
    await expect.poll(() => form.getByLabel(/^Password/).count()).toBe(0);
    await form.getByLabel('Override').check();
    await submit(form);
    await form.getByText('Password is required').waitFor();
    await fillField(form, 'Password', 'open sesame');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    await rowOf(page, 'Bare').getByText('empty', { exact: true }).waitFor({ state: 'detached' });
  });

  test('name, type and the secret of a new key are required, by its type', async () => {
    const page = await area.open('keys?edit=new');
    const form = page.getByRole('dialog');
    await submit(form);
    await form.getByText('Name is required').waitFor();
    await form.getByText('Type is required').waitFor();
    await chooseOption(form, 'Type', 'SSH key');
    await submit(form);
    await form.getByText('Private key is required').waitFor();
    await chooseOption(form, 'Type', 'Login with password');
    await submit(form);
    await form.getByText('Password is required').waitFor();
  });

  test('a form that is left with Back while it is saved is saved once, and leaves the next one alone', async () => {
    const page = await area.open('environment');
    const add = async (name: string): Promise<Locator> => {
      await page.getByRole('button', { name: /^New / }).first().click();
      await fillField(page.getByRole('dialog'), 'Name', name);
      return page.getByRole('dialog');
    };
    const answered = Promise.withResolvers<void>();
    let saves = 0;
    await page.route(/\/environment$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      saves += 1;
      await answered.promise;
      await route.continue();
    });
    const first = await add('Left early');
    await submit(first);
    await expect.poll(() => saves).toBe(1);
    await page.goBack();
    await first.waitFor({ state: 'detached' });
    const second = await add('Second thought');
    answered.resolve();
    await rowOf(page, 'Left early').waitFor();
    await expect.poll(() => second.getByLabel(/^Name/).first().inputValue()).toBe('Second thought');
    await submit(second);
    await rowOf(page, 'Second thought').waitFor();
    expect(saves).toBe(2);
    await expect.poll(() => rowOf(page, 'Left early').count()).toBe(1);
  });

  test('variables are a table where they are flat, and JSON where they are not', async () => {
    const page = await area.open('environment?edit=new');
    const form = page.getByRole('dialog');
    await submit(form);
    await form.getByText('Name is required').waitFor();
    await fillField(form, 'Name', 'Mixed');
    const variables = form.getByRole('region', { name: 'Extra variables' });
    await variables.getByText('JSON', { exact: true }).click();
    const editor = variables.getByRole('textbox', { name: 'Extra variables as JSON' });
    await editor.fill('{"a": ');
    await variables.getByText('Table', { exact: true }).click();
    await variables.getByText('Must be valid JSON').waitFor();
    await editor.fill('{"a": {"b": 1}}');
    await variables.getByText('Table', { exact: true }).click();
    await variables.getByText("Can't be displayed as table.").waitFor();
    await editor.fill('{"size": 3, "region": "eu"}');
    await variables.getByText('Table', { exact: true }).click();
    await expect.poll(() => variables.getByLabel('Value of size').inputValue()).toBe('3');
    await variables.getByLabel('Value of region').fill('us');
    await variables.getByText('JSON', { exact: true }).click();
    await expect.poll(() => editor.textContent()).toContain('"region": "us"');
    const env = form.getByRole('region', { name: 'Environment variables' });
    await env.getByRole('button', { name: /^Add variable/ }).click();
    await env.getByLabel('Name of the variable').fill('LANG');
    await env.getByLabel('Value of LANG').fill('C');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    const groups = await area.api.call(environmentRoutes.list, { params: projectOf() });
    const stored = groups.find(({ name }) => name === 'Mixed');
    expect(JSON.parse(stored?.json ?? '')).toEqual({ size: 3, region: 'us' });
    expect(JSON.parse(stored?.env ?? '')).toEqual({ LANG: 'C' });
  });

  test('secrets of a variable group are created, changed and deleted by type, and never shown', async () => {
    const group = await area.api.call(environmentRoutes.create, {
      params: projectOf(),
      body: {
        name: 'Secretive',
        secrets: [
          { type: 'var', name: 'kept', secret: 'one', operation: 'create' },
          { type: 'env', name: 'DROPPED', secret: 'two', operation: 'create' },
        ],
      },
    });
    const page = await area.open(`environment?edit=${group.id}`);
    const form = page.getByRole('dialog');
    const secrets = form.getByRole('region', { name: 'Secrets' });
    await expect.poll(() => secrets.getByLabel('Value of kept').inputValue()).toBe('');
    await secrets.getByLabel('Name of the secret').first().fill('renamed');
    await secrets.getByRole('button', { name: 'Remove DROPPED' }).click();
    await secrets.getByRole('button', { name: 'Add secret' }).click();
    await secrets.getByLabel('Name of the secret').last().fill('TOKEN');
    await chooseOption(secrets, 'Type of TOKEN', 'Env variable');
    await submit(form);
    await form.getByText('Value is required').waitFor();
    await fillField(secrets, 'Value of TOKEN', 'three');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    const params = { ...projectOf(), environment_id: group.id };
    const { secrets: stored } = await area.api.call(environmentRoutes.get, { params });
    expect(stored?.map(({ type, name, secret }) => [type, name, secret]).sort()).toEqual([
      ['env', 'TOKEN', ''],
      ['var', 'renamed', ''],
    ]);
  });

  test('the list tells the five types of inventory, and the path of two of them', async () => {
    const add = (type: InventoryType, text: string) =>
      area.api.call(inventoryRoutes.create, {
        params: projectOf(),
        body: { name: `a ${type} one`, type, inventory: text, ssh_key_id: area.workshop.keyId },
      });
    await add('static', '[web]');
    await add('static-yaml', 'all: {}');
    await add('file', 'hosts/prod.yml');
    await add('tofu-workspace', 'staging');
    await add('terraform-workspace', 'prod');
    const page = await area.open('inventory');
    const cells = async (type: string) =>
      (await rowOf(page, `a ${type} one`).getByRole('cell').allTextContents()).slice(1, 3);
    await rowOf(page, 'a file one').waitFor();
    expect(await cells('static')).toEqual(['Static', '—']);
    expect(await cells('static-yaml')).toEqual(['Static YAML', '—']);
    expect(await cells('file')).toEqual(['File', 'hosts/prod.yml']);
    expect(await cells('tofu-workspace')).toEqual(['OpenTofu workspace', '—']);
    expect(await cells('terraform-workspace')).toEqual(['Terraform workspace', 'prod']);
    const attach = rowOf(page, 'a file one').getByRole('button', { name: /^Attach/ });
    expect(await attach.count()).toBe(0);
    expect(await rowOf(page, 'a tofu-workspace one').getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  });

  test('a workspace is attached to a template of its app, and says afterwards to which it belongs', async () => {
    await addTemplate(area.api, area.workshop, {
      name: 'Network',
      app: 'terraform',
      playbook: 'net',
      inventory_id: null,
    });
    await addTemplate(area.api, area.workshop, { name: 'Other app', app: 'tofu', playbook: 'net', inventory_id: null });
    await area.api.call(inventoryRoutes.create, {
      params: projectOf(),
      body: { name: 'loose', type: 'terraform-workspace', inventory: 'loose', ssh_key_id: area.workshop.keyId },
    });
    const page = await area.open('inventory');
    await rowOf(page, 'loose').waitFor();
    expect(await page.getByRole('button', { name: 'Edit loose' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Attach loose to a template' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Attach/ }).click();
    await dialog.getByText('Template is required').waitFor();
    await dialog.getByLabel('Template').first().click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Network']);
    await page.getByRole('option', { name: 'Network' }).click();
    await dialog.getByRole('button', { name: /^Attach/ }).click();
    await page.getByText('Workspace loose attached').waitFor();
    await page.getByRole('button', { name: 'Attach loose to a template' }).click();
    await dialog.getByRole('link', { name: 'Network' }).waitFor();
  });

  test('an inventory is made for an app, asks for what its type needs, and is checked as it is typed', async () => {
    const page = await area.open('inventory');
    await page.getByRole('button', { name: 'New inventory' }).click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Ansible']);
    await page.getByRole('menuitem', { name: 'Ansible' }).click();
    const form = page.getByRole('dialog');
    await submit(form);
    for (const title of ['Name', 'User credentials', 'Type']) await form.getByText(`${title} is required`).waitFor();
    await fillField(form, 'Name', 'Made');
    await chooseOption(form, 'User credentials', 'None');
    await chooseOption(form, 'Type', 'File');
    await submit(form);
    await form.getByText('Path to the inventory file is required').waitFor();
    await form.getByText('Repository (optional)').waitFor();
    await chooseOption(form, 'Type', 'Static YAML');
    await fillField(form, 'Inventory', 'all: [');
    await form.locator('.cm-lint-marker-error').first().waitFor();
    await chooseOption(form, 'Type', 'Static');
    await fillField(form, 'Inventory', '[web');
    await form.locator('.cm-lint-marker-error').first().waitFor();
    await fillField(form, 'Inventory', '[web]\nweb-01\n\n');
    await form.locator('.cm-lint-marker-error').first().waitFor({ state: 'detached' });
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    const stored = await area.api.call(inventoryRoutes.list, { params: projectOf() });
    expect(stored.find(({ name }) => name === 'Made')?.inventory).toBe('[web]\nweb-01');
  });

  test('what is selected is typed over though the page was too busy to tell the editor of it', async () => {
    const page = await area.open('inventory');
    await page.getByRole('button', { name: 'New inventory' }).click();
    await page.getByRole('menuitem', { name: 'Ansible' }).click();
    const form = page.getByRole('dialog');
    await chooseOption(form, 'Type', 'Static YAML');
    await fillField(form, 'Inventory', 'all: [');
    // What is marked is a styled element, whose look the browser would give to the text that it puts there.
    await form.locator('.cm-lint-marker-error').first().waitFor();
    const editor = form.getByLabel('Inventory', { exact: true });
    await editor.blur();
    const isBusy = editor.evaluate((element: HTMLElement) => {
      element.focus();
      globalThis.getSelection()?.selectAllChildren(element);
      const end = performance.now() + 800;
      while (performance.now() < end);
    });
    const isTyped = new Promise((resolve) => setTimeout(resolve, 300)).then(() => page.keyboard.insertText('[web'));
    await Promise.all([isBusy, isTyped]);
    await expect.poll(() => editor.textContent()).toBe('[web');
  });

  test('chips rewrite the beginning of the URL of a repository, and a local path needs no branch', async () => {
    const page = await area.open('repositories?edit=new');
    const form = page.getByRole('dialog');
    await submit(form);
    for (const title of ['Name', 'URL or path', 'Access key']) await form.getByText(`${title} is required`).waitFor();
    const url = form.getByLabel('URL or path');
    const chip = (name: string) =>
      form.getByRole('group', { name: 'Type of the URL' }).getByRole('button', { name, exact: true });
    await url.fill('git@example.com:team/infra.git');
    await expect.poll(() => chip('ssh').getAttribute('aria-pressed')).toBe('true');
    await chip('https').click();
    await expect.poll(() => url.inputValue()).toBe('https://git@example.com/team/infra.git');
    await url.fill('svn://example.com/infra');
    await fillField(form, 'Name', 'Chipped');
    await chooseOption(form, 'Access key', 'None');
    await submit(form);
    await form.getByText('URL or path is not a repository URL that can be used').waitFor();
    await url.fill(' https://example.com/infra.git ');
    await submit(form);
    await form.getByText('Branch is required').waitFor();
    await fillField(form, 'Branch', ' main ');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    await rowOf(page, 'Chipped').getByText('main', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit Chipped' }).click();
    await chip('local').click();
    await expect.poll(() => url.inputValue()).toBe('/example.com/infra.git');
    await fillField(form, 'Branch (optional)', '');
    await submit(form);
    await form.waitFor({ state: 'hidden' });
    await rowOf(page, 'Chipped').getByText('/example.com/infra.git').waitFor();
    await expect.poll(() => rowOf(page, 'Chipped').getByText('main', { exact: true }).count()).toBe(0);
  });

  test('a key that is gone is refused by the server, and said at its field', async () => {
    const key = await area.api.call(keyRoutes.create, {
      params: projectOf(),
      body: { name: 'Soon gone', type: 'none' },
    });
    const page = await area.open('repositories?edit=new', 'admin', { expectedStatuses: [400, 404] });
    const form = page.getByRole('dialog');
    await fillField(form, 'Name', 'Orphan');
    await fillField(form, 'URL or path', '/srv/code');
    await chooseOption(form, 'Access key', 'Soon gone');
    await area.api.call(keyRoutes.remove, { params: { ...projectOf(), key_id: key.id } });
    await submit(form);
    await form.getByText('Access key names a key that is not in this project').waitFor();
    const stored = await area.api.call(repositoryRoutes.list, { params: projectOf() });
    expect(stored.map(({ name }) => name)).not.toContain('Orphan');
  });
});
