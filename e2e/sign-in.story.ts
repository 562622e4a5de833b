import { projectRoutes } from '@signalbox/contract/projects';
import { signInFailures } from '@signalbox/contract/single-sign-on';
import { teamRoutes } from '@signalbox/contract/team';
import { userRoutes } from '@signalbox/contract/users';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { Authenticator } from './fixtures/authenticator.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { readQr } from './fixtures/read-qr.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const password = 'a password of some length';
const provider = { provider_url: 'http://127.0.0.1:1', client_id: 'console', client_secret: 'none' };
const providers = {
  acme: { ...provider, display_name: 'Acme login', color: '#b84e09' },
  code: { ...provider, display_name: 'GitHub', icon: 'github' },
};
const missing = missingFor('chromium');

describe.skipIf(missing)(`signing in${because(missing)}`, () => {
  let server: SignalboxServer;
  let api: Api;
  let browser: ChromiumBrowser;
  let place = '';
  let userId = 0;
  let app: Authenticator;
  let recoveryCode = '';
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    server = await startServer({ env: { SIGNALBOX_OIDC_PROVIDERS: JSON.stringify(providers) } });
    api = await server.signIn();
    browser = await launchBrowser();
    const { id: projectId } = await api.call(projectRoutes.create, { body: { name: 'Yard' } });
    const body = { name: 'Two Steps', username: 'two', email: 'two@example.com', password };
    userId = (await api.call(userRoutes.create, { body })).id;
    const member = { user_id: userId, role: 'guest' as const };
    await api.call(teamRoutes.add, { params: { project_id: projectId }, body: member });
    place = `/project/${projectId}/keys?sort=type`;
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  async function open(options: ConsoleOptions = {}): Promise<Page> {
    const window = await browser.open(server.url, options);
    windows.push(window);
    return window.page;
  }

  /** The first step, which a second one may follow. */
  async function sendPassword(page: Page): Promise<void> {
    await page.getByLabel('Username or email').fill('two');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async function typeCode(page: Page, code: string): Promise<void> {
    await page.getByLabel('Verification code').first().focus();
    await page.keyboard.type(code);
  }

  test('every reason for which a provider lets nobody in has words of its own', async () => {
    const page = await open();
    const told = new Set<string>();
    for (const code of [...signInFailures, 'sso_<b>']) {
      await page.goto(`/auth/login?error=${encodeURIComponent(code)}`);
      told.add((await page.getByRole('alert').textContent()) ?? '');
    }
    expect(told.size).toBe(signInFailures.length);
    expect([...told].join()).not.toContain('sso_');
    await signInAsAdmin(page);
    await page.waitForURL(/\/project\/\d+\//);
    await expect.poll(() => new URL(page.url()).searchParams.get('error')).toBeNull();
  });

  test('each provider has a button with its name, and a wish for a premium project goes with it', async () => {
    const page = await open();
    await page.goto('/auth/login?new_project=premium');
    const button = page.getByRole('link', { name: 'Continue with Acme login' });
    await expect
      .poll(() => button.getAttribute('href'))
      .toBe('/api/auth/oidc/acme/login?redirect=%2Fproject%2Fpremium');
    const colours = await page
      .locator('[data-coloured]')
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
    expect(colours).toContain('rgb(184, 78, 9)');
    await page.getByRole('link', { name: 'Continue with GitHub' }).locator('svg.tabler-icon-brand-github').waitFor();
    await signInAsAdmin(page);
    await page.waitForURL('**/project/new');
    // Where the provider leads back to.
    await page.goto('/project/premium');
    await page.waitForURL('**/project/new');
  });

  test('the help tells the commands of an operator', async () => {
    const page = await open();
    await page.goto('/auth/login');
    await page.getByRole('button', { name: "Can't sign in?" }).click();
    const help = page.getByRole('dialog', { name: "Can't sign in?" });
    for (const command of ['user list', 'user change-password --login', 'user add --admin']) {
      await help.getByText(command).waitFor();
    }
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  test('an empty form says what is missing', async () => {
    const page = await open();
    await page.goto('/auth/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Username is required').waitFor();
    await page.getByText('Password is required').waitFor();
  });

  test('a person switches the second step on, gets a QR code that an app reads, and a recovery code to copy', async () => {
    const page = await open();
    await page.goto('/');
    await sendPassword(page);
    await page.waitForURL(/\/project\/\d+\/history/);
    await page.goto(`${place}&account=security`);
    const dialog = page.getByRole('dialog', { name: 'Edit account' });
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    app = new Authenticator(await readQr(dialog.getByRole('img', { name: /^QR code/ })));
    recoveryCode = (await dialog.locator('code').textContent()) ?? '';
    expect(recoveryCode).toMatch(/^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy the recovery code' }).click();
    await page.getByText('The recovery code has been copied to your clipboard.').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCode);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not now'));
    });
    await dialog.getByRole('button', { name: 'Copy the recovery code' }).click();
    await page.getByText("Can't copy the recovery code: not now").waitFor();
  });

  test('after the password a code is asked for; a wrong one is refused, and a good one leads to the deep link', async () => {
    const page = await open({ expectedStatuses: [401] });
    await page.goto(place);
    await sendPassword(page);
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
    await typeCode(page, '000000');
    await page.getByText('Incorrect verification code.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code has 6 digits.').waitFor();
    await typeCode(page, await app.showCode());
    await page.getByRole('heading', { name: 'Key store' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(place);
  });

  test('who has given up can sign in with another account', async () => {
    const page = await open({ expectedStatuses: [401] });
    await page.goto('/');
    await sendPassword(page);
    await page.getByRole('button', { name: 'Sign in with another account' }).click();
    await signInAsAdmin(page);
    await page.getByRole('button', { name: 'Account of Administrator' }).waitFor();
  });

  test('the QR code is gone after the first code, and the app can be set up anew', async () => {
    const page = await open({ expectedStatuses: [401, 404] });
    await page.goto(`${place}&account=security`);
    await sendPassword(page);
    await typeCode(page, await app.showCode());
    const dialog = page.getByRole('dialog', { name: 'Edit account' });
    await dialog.getByRole('button', { name: 'Show the QR code' }).click();
    await dialog.getByText('The QR code is not shown any more').waitFor();
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    const question = page.getByRole('dialog', { name: 'Switch two-step verification off' });
    await question.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Two-step verification is off').waitFor();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor();
    recoveryCode = (await dialog.locator('code').textContent()) ?? '';
  });

  test('the recovery code signs in where the app is lost, and there is a way back to the code', async () => {
    const page = await open({ expectedStatuses: [401] });
    await page.goto(place);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const field of ['Username', 'Password']) await page.getByText(`${field} is required`).waitFor();
    await sendPassword(page);
    await page.getByRole('button', { name: 'Use the recovery code' }).click();
    await page.getByRole('button', { name: 'Use a verification code' }).click();
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The code has 6 digits.').waitFor();
    await page.getByRole('button', { name: 'Use the recovery code' }).click();
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByText('Recovery code is required').waitFor();
    await page.getByLabel('Recovery code').fill('abcd-abcd');
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByText('Incorrect recovery code.').waitFor();
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByRole('heading', { name: 'Key store' }).waitFor();
    expect((await api.call(userRoutes.get, { params: { user_id: userId } })).totp).toBeNull();
  });
});
