import type { RoleName } from '@signalbox/contract/permissions';
import { type Member, teamRoutes } from '@signalbox/contract/team';
import { type User, userRoutes } from '@signalbox/contract/users';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseOption, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
/** On a busy machine a page takes its time. */

describe.skipIf(missing)(`the team${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
  });

  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const params = () => ({ project_id: area.workshop.projectId });
  const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
  const roleOf = (page: Page, name: string): Locator => page.getByRole('combobox', { name: `Role of ${name}` });

  function addUser(name: string): Promise<User> {
    const username = name.toLowerCase().replace(/\W+/g, '.');
    const password = 'a password of some length';
    return area.api.call(userRoutes.create, { body: { name, username, email: `${username}@example.com`, password } });
  }

  async function addMember(name: string, role: RoleName): Promise<User> {
    const user = await addUser(name);
    await area.api.call(teamRoutes.add, { params: params(), body: { user_id: user.id, role } });
    return user;
  }

  async function findMember(name: string): Promise<Member | undefined> {
    const members = await area.api.call(teamRoutes.list, { params: params(), query: {} });
    return members.find((member) => member.name === name);
  }

  test('a member is added with a user and a role, gets another role in the list, and is removed', async () => {
    await addUser('Ada Lovelace');
    const page = await area.open('team');
    const watcher = await area.open('team', 'guest');
    await watcher.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New team member' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: /^Add/ }).click();
    await form.getByText('User is required').waitFor();
    await form.getByText('Role is required').waitFor();
    await chooseOption(form, 'User', 'Ada Lovelace (ada.lovelace)');
    await chooseOption(form, 'Role', 'Guest');
    await form.getByRole('button', { name: /^Add/ }).click();
    await form.waitFor({ state: 'hidden' });
    expect(await findMember('Ada Lovelace')).toMatchObject({ username: 'ada.lovelace', role: 'guest' });
    await rowOf(watcher, 'Ada Lovelace').getByText('Guest').waitFor();

    await roleOf(page, 'Ada Lovelace').click();
    await page.getByRole('option', { name: 'Manager', exact: true }).click();
    await rowOf(watcher, 'Ada Lovelace').getByText('Manager').waitFor();
    expect(await findMember('Ada Lovelace')).toMatchObject({ role: 'manager' });

    await page.getByRole('button', { name: 'Delete Ada Lovelace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await rowOf(watcher, 'Ada Lovelace').waitFor({ state: 'detached' });
    expect(await findMember('Ada Lovelace')).toBeUndefined();
  });

  test('a role that the server refuses goes back, and the reason is said', async () => {
    // An administrator may change himself, and he is the only owner.
    const page = await area.open('team', 'admin', { expectedStatuses: [409] });
    await roleOf(page, 'Administrator').click();
    await page.getByRole('option', { name: 'Guest', exact: true }).click();
    await page.getByText('admin is the only owner of this project').waitFor();
    await expect.poll(() => roleOf(page, 'Administrator').inputValue()).toBe('Owner');
    await page.getByRole('button', { name: 'Delete Administrator' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByText('admin is the only owner of this project').waitFor();
  });

  test('an owner changes neither his own role nor leaves, and is told why', async () => {
    const page = await area.open('team', 'owner');
    await expect.poll(() => roleOf(page, 'owner').isDisabled()).toBe(true);
    const leave = page.getByRole('button', { name: 'Leave project' });
    await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true');
    await leave.hover();
    await page.getByText('An owner cannot leave: another owner can remove you').waitFor();
    const remove = page.getByRole('button', { name: 'Delete owner' });
    await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'New team member' }).waitFor();
  });

  test.each([
    ['manager', 'You can run any tasks'],
    ['task_runner', 'You can run any tasks'],
    ['guest', 'You have read-only access'],
  ] as const)('a %s sees the team and can change nothing in it', async (role, words) => {
    const page = await area.open('team?edit=new', role);
    await rowOf(page, 'Administrator').getByText('Owner').waitFor();
    await page.getByText(words).waitFor();
    expect(await page.getByRole('button', { name: 'New team member' }).count()).toBe(0);
    expect(await page.getByRole('combobox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Delete / }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a member leaves the project and has no way to it any more', async () => {
    const page = await area.open('team', 'task_runner');
    await page.getByRole('button', { name: 'Leave project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click();
    await page.getByText('You have left Workshop').waitFor();
    await page.waitForURL(/\/project\/new$/);
    expect(await findMember('task_runner')).toBeUndefined();
  });

  test('the form is in the address: Back closes it, Forward opens it, and a reload leaves it open', async () => {
    const page = await area.open('team');
    await page.getByRole('button', { name: 'New team member' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goForward();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('New team member').waitFor();
  });

  test('the list is sorted by any of its columns, and the sort is in the address', async () => {
    await addMember('Zoe', 'manager');
    await addMember('Bob', 'guest');
    const page = await area.open('team?sort=role&order=desc');
    await rowOf(page, 'Zoe').waitFor();
    const names = () => page.getByRole('row').getByRole('cell').first().textContent();
    await expect.poll(names).not.toContain('Administrator');
    await page.getByRole('button', { name: 'Role', exact: true }).click();
    await expect.poll(names).toContain('Administrator');
    await expect.poll(() => new URL(page.url()).searchParams.get('order')).toBe('asc');
  });

  test('a link to the team comes back to it after the sign-in', async () => {
    const page = await area.openSignedOut();
    await page.goto(area.at('team'));
    await signInAsAdmin(page);
    await rowOf(page, 'Administrator').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(area.at('team'));
  });
});
