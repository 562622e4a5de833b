import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBreaches } from './fixtures/axe.ts';
import { type BigProject, bigProjectFiles, makeBigProject } from './fixtures/big-project.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { listAddresses, settle, visit } from './fixtures/console-routes.ts';
import { dialogs, elsewhere, findButton, listDialogFiles, openDialog } from './fixtures/dialogs.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`the console is for everybody${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let project: BigProject;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;

  beforeAll(async () => {
    repository = await makeGitRepository(bigProjectFiles);
    server = await startServer({ localRepositories: [repository.parent] });
    project = await makeBigProject(server, await server.signIn(), repository.path);
    browser = await launchBrowser();
    window = await browser.open(server.url, { expectedStatuses: [401] });
    page = window.page;
    page.setDefaultTimeout(60_000);
    await page.goto('/auth/login');
    await dress('light');
  });

  afterAll(async () => {
    await window?.close();
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  type Scheme = 'light' | 'dark';
  let scheme: Scheme = 'light';

  /** The page follows what the system says. */
  async function dress(wanted: Scheme): Promise<void> {
    scheme = wanted;
    await page.emulateMedia({ colorScheme: wanted, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${wanted}"]`).waitFor();
    await settle(page);
  }

  /** With every rule in the scheme that is on, and then the colours in the other, which stays on: nothing else depends on it. */
  async function findInBoth(place: string, part = 'html'): Promise<string[]> {
    const found = (await findBreaches(page, part)).map((breach) => `${place}, ${scheme}: ${breach}`);
    await dress(scheme === 'light' ? 'dark' : 'light');
    const ofColours = await findBreaches(page, part, 'colours');
    return [...found, ...ofColours.map((breach) => `${place}, ${scheme}: ${breach}`)];
  }

  test('the sign-in and its help break no rule of WCAG 2 A to 2.2 AA, in light and in dark', async () => {
    const breaches = await findInBoth('/auth/login');
    await findButton(page, "Can't sign in?").click();
    await page.getByRole('dialog').waitFor();
    breaches.push(...(await findInBoth('the help of the sign-in', '[role="dialog"]')));
    expect(breaches).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await signInAsAdmin(page);
    await settle(page);
  });

  test('no screen breaks a rule of WCAG 2 A to 2.2 AA, in light and in dark', { timeout: 600_000 }, async () => {
    const breaches: string[] = [];
    for (const address of await listAddresses(page, project)) {
      if (address === '/auth/login') continue;
      await visit(page, address);
      breaches.push(...(await findInBoth(address)));
    }
    expect(breaches).toEqual([]);
  });

  test('every file of the console that draws a dialog is among those that are looked at', () => {
    const known = new Set([...dialogs.flatMap(({ files }) => files), ...elsewhere]);
    expect(listDialogFiles().filter((file) => !known.has(file))).toEqual([]);
  });

  test('no dialog breaks a rule of WCAG 2 A to 2.2 AA, in light and in dark', { timeout: 600_000 }, async () => {
    const breaches: string[] = [];
    for (const dialog of dialogs) {
      const name = dialog.files[0] ?? '';
      try {
        await openDialog(page, dialog, project);
        breaches.push(...(await findInBoth(name, '[role="dialog"]:last-of-type')));
      } catch (error) {
        breaches.push(`${name} was not to be opened: ${String(error).split('\n')[0]}`);
      }
    }
    expect(breaches).toEqual([]);
  });
});
