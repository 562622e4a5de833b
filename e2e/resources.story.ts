import { environmentRoutes } from '@signalbox/contract/environments';
import { inventoryRoutes } from '@signalbox/contract/inventories';
import { keyRoutes } from '@signalbox/contract/keys';
import { repositoryRoutes } from '@signalbox/contract/repositories';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

type Resource = {
  /** Last part of the address. */
  place: string;
  heading: string;
  object: string;
  /** The one that the workshop uses, and by what. */
  used: string;
  usedBy: string;
  add: (area: WorkArea, name: string) => Promise<{ id: number }>;
  rename: (area: WorkArea, id: number, name: string) => Promise<unknown>;
  remove: (area: WorkArea, id: number) => Promise<unknown>;
};

const projectOf = (area: WorkArea) => ({ project_id: area.workshop.projectId });
const repository = (area: WorkArea) => ({ git_url: '/srv/code', git_branch: '', ssh_key_id: area.workshop.keyId });
const inventory = (area: WorkArea) => ({ type: 'static' as const, inventory: 'web', ssh_key_id: area.workshop.keyId });

const resources: Resource[] = [
  {
    place: 'keys',
    heading: 'Key store',
    object: 'key',
    used: 'None',
    usedBy: 'Scripts',
    add: (area, name) => area.api.call(keyRoutes.create, { params: projectOf(area), body: { name, type: 'none' } }),
    rename: (area, id, name) =>
      area.api.call(keyRoutes.update, { params: { ...projectOf(area), key_id: id }, body: { id, name, type: 'none' } }),
    remove: (area, id) => area.api.call(keyRoutes.remove, { params: { ...projectOf(area), key_id: id } }),
  },
  {
    place: 'environment',
    heading: 'Variable groups',
    object: 'variable group',
    used: 'Nothing',
    usedBy: 'Their user',
    add: (area, name) =>
      area.api.call(environmentRoutes.create, { params: projectOf(area), body: { name, json: '{}' } }),
    rename: (area, id, name) =>
      area.api.call(environmentRoutes.update, {
        params: { ...projectOf(area), environment_id: id },
        body: { id, name },
      }),
    remove: (area, id) =>
      area.api.call(environmentRoutes.remove, { params: { ...projectOf(area), environment_id: id } }),
  },
  {
    place: 'inventory',
    heading: 'Inventory',
    object: 'inventory',
    used: 'Nobody',
    usedBy: 'Their user',
    add: (area, name) =>
      area.api.call(inventoryRoutes.create, { params: projectOf(area), body: { name, ...inventory(area) } }),
    rename: (area, id, name) =>
      area.api.call(inventoryRoutes.update, {
        params: { ...projectOf(area), inventory_id: id },
        body: { id, name, ...inventory(area) },
      }),
    remove: (area, id) => area.api.call(inventoryRoutes.remove, { params: { ...projectOf(area), inventory_id: id } }),
  },
  {
    place: 'repositories',
    heading: 'Repositories',
    object: 'repository',
    used: 'Scripts',
    usedBy: 'Their user',
    add: (area, name) =>
      area.api.call(repositoryRoutes.create, { params: projectOf(area), body: { name, ...repository(area) } }),
    rename: (area, id, name) =>
      area.api.call(repositoryRoutes.update, {
        params: { ...projectOf(area), repository_id: id },
        body: { id, name, ...repository(area) },
      }),
    remove: (area, id) => area.api.call(repositoryRoutes.remove, { params: { ...projectOf(area), repository_id: id } }),
  },
];

describe.skipIf(missing)(`keys, variable groups, inventories and repositories${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
    await addTemplate(area.api, area.workshop, { name: 'Their user', playbook: 'quick.sh' });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  describe.each(resources)('$heading', ({ place, heading, object, used, usedBy, add, rename, remove }) => {
    test('a guest and a task runner can only read', async () => {
      for (const role of ['guest', 'task_runner'] as const) {
        const page = await area.open(`${place}?edit=new`, role);
        await rowOf(page, used).waitFor();
        await page.getByText('You have read-only access').waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
        const buttons = page.getByRole('main').getByRole('button', { name: /^(New|Edit|Delete|Test|Attach) / });
        expect(await buttons.count()).toBe(0);
      }
    });

    test('what somebody else makes, renames and deletes is seen at once', async () => {
      const page = await area.open(place);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      const { id } = await add(area, 'From elsewhere');
      await rowOf(page, 'From elsewhere').waitFor();
      await rename(area, id, 'Renamed elsewhere');
      await rowOf(page, 'Renamed elsewhere').waitFor();
      await remove(area, id);
      await rowOf(page, 'Renamed elsewhere').waitFor({ state: 'detached' });
    });

    test('what is used cannot be deleted, and says by what with a link; what is not used is gone', async () => {
      await add(area, 'Short-lived');
      const page = await area.open(place);
      await page.getByRole('button', { name: `Delete ${used}` }).click();
      const refusal = page.getByRole('dialog', { name: `Can't delete the ${object}` });
      await refusal.getByRole('link', { name: usedBy }).waitFor();
      await refusal.getByRole('button', { name: 'OK' }).click();
      await page.getByRole('button', { name: 'Delete Short-lived' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/Short-lived deleted$/).waitFor();
      await rowOf(page, 'Short-lived').waitFor({ state: 'detached' });
      await rowOf(page, used).waitFor();
    });

    test('the form has an address: back, forward, a reload and a link for somebody signed out lead to it', async () => {
      const { id } = await add(area, 'Linked');
      const page = await area.open(place);
      await page.getByRole('button', { name: 'Edit Linked' }).click();
      const dialog = page.getByRole('dialog', { name: `Edit ${object}` });
      await dialog.waitFor();
      await page.goBack();
      await dialog.waitFor({ state: 'hidden' });
      await page.goForward();
      await dialog.waitFor();
      await page.reload();
      await dialog.waitFor();
      const stranger = await area.openSignedOut();
      await stranger.goto(area.at(`${place}?edit=${id}`));
      await signInAsAdmin(stranger);
      await stranger.getByRole('dialog', { name: `Edit ${object}` }).waitFor();
    });

    test('a server that cannot be reached is said in the form, which keeps what was typed', async () => {
      await add(area, 'Kept');
      const page = await area.open(place, 'admin', { connectionMayBreak: true });
      await page.getByRole('button', { name: 'Edit Kept' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name', { exact: false }).first().fill('Kept for later');
      await page.route(`**/${place}/*`, (route) => route.abort('connectionrefused'));
      await form.getByRole('button', { name: /^Save/ }).click();
      await form.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      await expect.poll(() => form.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Kept for later');
      await page.unroute(`**/${place}/*`);
      await form.getByRole('button', { name: /^Save/ }).click();
      await rowOf(page, 'Kept for later').waitFor();
    });
  });
});
