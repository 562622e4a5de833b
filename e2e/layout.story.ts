import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BigProject, bigProjectFiles, makeBigProject } from './fixtures/big-project.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { listAddresses, settle } from './fixtures/console-routes.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { findMisfits, readShift, watchShifts } from './fixtures/layout.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');
const height = (width: number): number => (width < 960 ? 844 : 900);
const mostShift = 0.05;

describe.skipIf(missing)(`the console with a project of realistic size${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let project: BigProject;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;
  let addresses: string[];

  beforeAll(async () => {
    repository = await makeGitRepository(bigProjectFiles);
    server = await startServer({ localRepositories: [repository.parent] });
    project = await makeBigProject(server, await server.signIn(), repository.path);
    browser = await launchBrowser();
    window = await browser.open(server.url);
    page = window.page;
    await watchShifts(window.context);
    await page.goto('/');
    await signInAsAdmin(page);
    await settle(page);
    const logs = [project.taskId, project.failedId].map((id) => `/project/${project.projectId}/history?t=${id}`);
    addresses = [...(await listAddresses(page, project)), ...logs].filter((address) => address !== '/auth/login');
  });

  afterAll(async () => {
    await window?.close();
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  // The colours are another matter: nothing of the layout depends on them, and a picture of both is taken by npm run pictures.
  test.each([1440, 1024, 390])(
    'fits into %i px on every screen, cuts no text that is not to be had whole, and does not jump',
    { timeout: 600_000 },
    async (width) => {
      await page.setViewportSize({ width, height: height(width) });
      const found: string[] = [];
      for (const address of addresses) {
        await page.emulateMedia({ colorScheme: addresses.indexOf(address) % 2 === 0 ? 'light' : 'dark' });
        await page.goto(address);
        await page.locator('main').locator('h1, h2').first().waitFor();
        await settle(page);
        const shift = await readShift(page);
        if (shift >= mostShift) found.push(`${address}: shift of ${shift.toFixed(3)}`);
        found.push(...(await findMisfits(page)).map((misfit) => `${address}: ${misfit}`));
      }
      expect(found).toEqual([]);
    },
  );
});
