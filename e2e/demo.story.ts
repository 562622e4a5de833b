import { totpRoutes } from '@signalbox/contract/totp';
import { userRoutes } from '@signalbox/contract/users';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { chooseOption, fillField, signIn, signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { adminPassword, type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');
/** A demo, with what else can be switched off. */
const env = {
  SIGNALBOX_DEMO: '1',
  SIGNALBOX_DEMO_MODE: '1',
  SIGNALBOX_USE_REMOTE_RUNNER: '0',
  SIGNALBOX_PROJECT_RUNNERS: '0',
  SIGNALBOX_TOTP_ALLOW_RECOVERY: '0',
};

describe.skipIf(missing)(`a public demo with features switched off${because(missing)}`, () => {
  let server: SignalboxServer;
  let api: Api;
  let browser: ChromiumBrowser;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    server = await startServer({ env });
    api = await server.signIn();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  async function open(path: string, options: ConsoleOptions = {}): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    await window.page.goto(path);
    return window.page;
  }

  test('the sign-in screen shows the demo account, which looks at all and is refused every change', async () => {
    const page = await open('/', { expectedStatuses: [403] });
    await page.getByText('This is a demo').waitFor();
    await page.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Only administrators can change something.').waitFor();
    await page.goto('/project/1/keys?edit=new');
    const form = page.getByRole('dialog', { name: 'New key' });
    await fillField(form, 'Name', 'Mine');
    await chooseOption(form, 'Type', 'None');
    await form.getByRole('button', { name: /^Create/ }).click();
    await form.getByText('This is a demo: only administrators can change something').waitFor();
  });

  test('an administrator of a demo changes what he likes and sees no banner', async () => {
    const page = await open('/project/1/keys?edit=new');
    await signInAsAdmin(page);
    const form = page.getByRole('dialog', { name: 'New key' });
    await fillField(form, 'Name', 'His');
    await chooseOption(form, 'Type', 'None');
    await form.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('row').filter({ hasText: 'His' }).waitFor();
    expect(await page.getByText('Only administrators can change something.').count()).toBe(0);
  });

  test('where remote runners are switched off, no menu leads to them, and their page says so', async () => {
    const page = await open('/runners');
    await signInAsAdmin(page);
    await page.getByText('Remote runners are switched off').waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Users' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Runners' }).count()).toBe(0);
  });

  test('where projects have no runners, their tab says that it is a premium feature and offers no new one', async () => {
    const page = await open('/project/1/runners');
    await signInAsAdmin(page);
    await page.getByText('Project-level runners are a premium feature').waitFor();
    expect(await page.getByRole('button', { name: 'New runner' }).count()).toBe(0);
  });

  test('where recovery is switched off, the second step offers the code alone', async () => {
    const { id } = await api.call(userRoutes.current, {});
    const { recovery_code: code } = await api.call(totpRoutes.enrol, { params: { user_id: id } });
    expect(code).toBeUndefined();
    const page = await open('/', { expectedStatuses: [401] });
    await page.getByLabel('Username or email').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
    await page.getByRole('button', { name: 'Sign in with another account' }).waitFor();
    expect(await page.getByRole('button', { name: 'Use the recovery code' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await signIn(page, { username: 'demo', password: 'demo' });
  });
});
