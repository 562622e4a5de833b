import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BigProject, bigProjectFiles, makeBigProject } from './fixtures/big-project.ts';
import { type BrowserWindow, type ChromiumBrowser, type ConsoleOptions, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { listAddresses, settle } from './fixtures/console-routes.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { findMisfits } from './fixtures/layout.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { adminPassword, type SignalboxServer, startServer } from './fixtures/server.ts';

const missing = missingFor('chromium');

const locales = new URL('../packages/web/src/locales/', import.meta.url);

/** All messages of a language, as they are shown: an apostrophe is doubled in the files. */
function readMessages(id: string): Record<string, string> {
  const folder = new URL(`${id}/`, locales);
  const areas = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8').replaceAll("''", "'"));
  return Object.assign({}, ...areas.map((text) => JSON.parse(text) as object));
}

const english = readMessages('en');
const languages = [
  { id: 'es', tag: 'es-AR', lang: 'es' },
  { id: 'ru', tag: 'ru-RU', lang: 'ru' },
  { id: 'de', tag: 'de-CH', lang: 'de' },
  { id: 'nl', tag: 'nl-BE', lang: 'nl' },
  { id: 'zh_cn', tag: 'zh-CN', lang: 'zh-CN' },
  { id: 'zh_tw', tag: 'zh-HK', lang: 'zh-TW' },
  { id: 'fr', tag: 'fr-CA', lang: 'fr' },
  { id: 'it', tag: 'it-IT', lang: 'it' },
  { id: 'pl', tag: 'pl-PL', lang: 'pl' },
  { id: 'pt', tag: 'pt-AO', lang: 'pt-PT' },
  { id: 'pt_br', tag: 'pt-BR', lang: 'pt-BR' },
];

/** Names that the scene gives, which are English words, too. */
const given = ['Administrator', 'admin', 'Token', 'None'];
/** Texts, names, titles and placeholders of the page, each by itself. */
function listWords(page: Page, except: string): Promise<string[]> {
  return page.evaluate((stored) => {
    const elements = [...document.querySelectorAll('body *')].filter((element) => element.closest(stored) === null);
    const words = elements.flatMap((element) => [
      ...[...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : null)),
      ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name)),
    ]);
    return [...new Set(words.map((word) => word?.trim() ?? ''))].filter((word) => word !== '');
  }, except);
}

describe.skipIf(missing)(`the languages of the console${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let project: BigProject;
  let browser: ChromiumBrowser;
  const windows: BrowserWindow[] = [];

  beforeAll(async () => {
    repository = await makeGitRepository(bigProjectFiles);
    server = await startServer({ localRepositories: [repository.parent] });
    project = await makeBigProject(server, await server.signIn(), repository.path);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  async function open(options: ConsoleOptions): Promise<Page> {
    const window = await browser.open(server.url, { expectedStatuses: [401], ...options });
    windows.push(window);
    await window.page.goto('/auth/login');
    return window.page;
  }

  /** By the API: the words of the form are those of the language. */
  async function signInWordlessly(page: Page): Promise<void> {
    const answer = await page.context().request.post('/api/auth/login', {
      data: { auth: 'admin', password: adminPassword },
    });
    expect(answer.status()).toBe(204);
  }

  /** What a language has a word of its own for, and is shown in English. */
  async function findEnglish(page: Page, id: string): Promise<string[]> {
    const messages = readMessages(id);
    const own = new Set(Object.values(messages));
    const foreign = new Set(Object.values(english).filter((message) => !own.has(message)));
    // What has happened is stored, and told, in the words of the server.
    const stored = `[data-title="${messages['activity.description']}"]`;
    const words = (await listWords(page, stored)).filter((word) => !given.includes(word));
    return words.filter((word) => foreign.has(word) || Object.hasOwn(english, word));
  }

  test.each(languages)(
    'a browser of $tag is spoken to in its language, and everything fits',
    { timeout: 120_000 },
    async ({ id, tag, lang }) => {
      const page = await open({ locale: tag });
      await page.getByRole('button', { name: readMessages(id)['signIn.submit'] ?? '', exact: true }).waitFor();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(lang);
      const found = await findEnglish(page, id);
      await signInWordlessly(page);
      const { projectId, templateId, failedId } = project;
      for (const path of ['history', 'templates', `templates/${templateId}/details`, `history?t=${failedId}`]) {
        await page.goto(`/project/${projectId}/${path}`);
        await page.locator('main').locator('h1, h2').first().waitFor();
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await settle(page);
          found.push(...(await findEnglish(page, id)).map((word) => `${path}: ${word}`));
          found.push(...(await findMisfits(page)).map((misfit) => `${path} at ${width}: ${misfit}`));
        }
      }
      expect([...new Set(found)]).toEqual([]);
    },
  );

  // Its words are the longest ones.
  test.each([1440, 390])('every screen is German, and fits into %i px', { timeout: 300_000 }, async (width) => {
    const page = await open({ locale: 'de-DE', width, height: 900 });
    await signInWordlessly(page);
    await page.goto('/');
    await page.locator('main').locator('h1, h2').first().waitFor();
    const found: string[] = [];
    for (const address of await listAddresses(page, project)) {
      if (address === '/auth/login') continue;
      await page.goto(address);
      await page.locator('main').locator('h1, h2').first().waitFor();
      await settle(page);
      found.push(...(await findEnglish(page, 'de')).map((word) => `${address}: ${word}`));
      found.push(...(await findMisfits(page)).map((misfit) => `${address}: ${misfit}`));
    }
    expect(found).toEqual([]);
  });

  test('a language is chosen from the menu, at once and for good, until the system decides again', async () => {
    const page = await open({ locale: 'de-DE' });
    await signInWordlessly(page);
    await page.goto(`/project/${project.projectId}/keys`);
    const choose = async (words: Record<string, string>, title: string): Promise<void> => {
      await page.getByRole('button', { name: words['shell.userMenu'] ?? '' }).click();
      await page.getByText(words['shell.language'] ?? '', { exact: true }).hover();
      await page.getByRole('menuitemradio', { name: title, exact: true }).click();
    };
    const heading = (id: string) =>
      page.getByRole('heading', { level: 1, name: readMessages(id)['nav.keys'] ?? '', exact: true });
    await heading('de').waitFor();
    for (const [from, to, title] of [
      ['de', 'fr', 'Français'],
      ['fr', 'zh_tw', '中文 (台灣)'],
      ['zh_tw', 'en', 'English'],
    ] as const) {
      await choose(readMessages(from), title);
      await heading(to).waitFor();
    }
    await page.reload();
    await heading('en').waitFor();
    await choose(english, english['shell.systemLanguage'] ?? '');
    await heading('de').waitFor();
  });

  test('a dictionary that cannot be fetched leaves the console in English, and says so', async () => {
    const page = await open({ expectedStatuses: [401, 404] });
    await page.context().addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }));
    await page.route(/\/assets\/de-[^/]*[.]js$/, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByRole('alert').waitFor();
    await signInAsAdmin(page);
  });
});
