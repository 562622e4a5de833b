import { inventoryRoutes } from '@signalbox/contract/inventories';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`how the keys of hosts are checked is chosen in the console${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
  });
  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  test('for a repository that is reached by ssh, and for no other', async () => {
    const params = { project_id: area.workshop.projectId };
    const body = {
      name: 'Remote',
      git_url: 'git@git.example.org:a.git',
      git_branch: 'main',
      ssh_key_id: area.workshop.keyId,
    };
    const { id, host_key_policy } = await area.api.call(repositoryRoutes.create, { params, body });
    expect(host_key_policy).toBe('accept-new');
    const page = await area.open(`repositories?edit=${id}`);
    const form = page.getByRole('dialog');
    await form.getByText('The key of the first contact is remembered', { exact: false }).waitFor();
    await form.getByRole('button', { name: 'https', exact: true }).click();
    await form.getByLabel('Host keys (ssh)').first().waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'ssh', exact: true }).click();
    await chooseOption(form, 'Host keys (ssh)', 'Only known keys');
    await form.getByText('A host whose key the runner does not know yet is refused.').waitFor();
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    const stored = await area.api.call(repositoryRoutes.get, { params: { ...params, repository_id: id } });
    expect(stored.host_key_policy).toBe('strict');
  });

  test('for an inventory', async () => {
    const params = { project_id: area.workshop.projectId, inventory_id: area.workshop.inventoryId };
    const page = await area.open(`inventory?edit=${params.inventory_id}`);
    const form = page.getByRole('dialog');
    await chooseOption(form, 'Host keys (ssh)', 'Do not check');
    await form.getByText('can pretend to be the host', { exact: false }).waitFor();
    await form.getByRole('button', { name: /^Save/ }).click();
    await form.waitFor({ state: 'hidden' });
    expect((await area.api.call(inventoryRoutes.get, { params })).host_key_policy).toBe('off');
  });
});
