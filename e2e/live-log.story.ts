import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { taskRoutes } from '@signalbox/contract/tasks';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { readDrawnLines, readLastLine, readWholeLog } from './fixtures/shown-log.ts';
import { launch, readLog, type TaskPlace, waitForSuccess } from './fixtures/tasks.ts';
import { waitUntil } from './fixtures/wait.ts';

const files = {
  'count.py': `
import sys, time
for number in range(1, int(sys.argv[1]) + 1):
    print('\\033[3%dmnumber %d\\033[0m of the count' % (number % 8, number), flush=True)
    time.sleep(float(sys.argv[2]))
`,
  'wild.py': `
import sys
out = sys.stdout.buffer
out.write(b'<img src=x onerror=alert(1)> <script>alert(2)</script> &amp;\\n')
out.write(b'0123456789' * 1000000 + b'\\n')
for line in range(2000):
    out.write(b''.join(b'\\033[3%d;1m%d' % (i % 8, i % 10) for i in range(500)) + b'\\033[0m\\n')
out.write(b'before\\0after \\xff\\xfe broken\\n')
out.write(b'the very end\\n')
`,
};

const missing = missingFor('chromium', 'python3');

describe.skipIf(missing)(`a live log${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;

  beforeAll(async () => {
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    window = await browser.open(server.url, { connectionMayBreak: true });
    page = window.page;
    await page.goto('/');
    await signInAsAdmin(page);
  });

  afterEach(() => window.close());

  async function run(playbook: string, ...args: string[]): Promise<TaskPlace> {
    const template = await addTemplate(api, workshop, {
      name: `${playbook} ${args.join(' ')} ${Math.random()}`,
      app: 'python',
      playbook,
      arguments: JSON.stringify(args),
    });
    return launch(api, template);
  }

  const openLog = (place: TaskPlace, more = '') =>
    page.goto(`/project/${place.project_id}/history?t=${place.task_id}${more}`);

  /** What the browser showed, line by line, must be what is stored. */
  async function expectWholeLog(place: TaskPlace): Promise<void> {
    const stored = await readLog(api, place);
    const shown = await readWholeLog(page, stored.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are not part of the text that is shown
    const plain = stored.map((line) => line.replace(/\x1b\[[0-9;]*m/g, ''));
    expect(plain.map((_, index) => shown.get(index + 1))).toEqual(plain);
  }

  test('shows every line once, in order, also of a log that was opened while it ran and reloaded in the middle', async () => {
    const task = await run('count.py', '600', '0.01');
    await openLog(task);
    await waitUntil('the log grows', async () => (await readLastLine(page)) > 50);
    await page.reload();
    await page.getByRole('article').getByText('Success', { exact: true }).waitFor({ timeout: 60_000 });
    await expectWholeLog(task);
  });

  test('goes on without a gap after the server was killed and started again', async () => {
    const task = await run('count.py', '800', '0.01');
    await openLog(task);
    await waitUntil('the log grows', async () => (await readLastLine(page)) > 50);
    await server.kill();
    await server.start();
    api = await server.signIn();
    await page.getByRole('article').getByText('Success', { exact: true }).waitFor({ timeout: 60_000 });
    await waitUntil('the last line is shown', async () =>
      (await readDrawnLines(page)).some(({ text }) => text === 'number 800 of the count'),
    );
    await expectWholeLog(task);
  });

  test('follows at the bottom, stays where the reader is, and says how many lines came meanwhile', async () => {
    const task = await run('count.py', '900', '0.01');
    await openLog(task);
    await waitUntil('it follows', async () => (await readLastLine(page)) > 150);
    await page.getByRole('log').focus();
    await page.keyboard.press('Home');
    await page.getByText('number 1 of the count').waitFor();
    const follow = page.getByRole('button', { name: /Follow · \d+ new lines/ });
    await follow.waitFor();
    expect((await readDrawnLines(page))[0]?.line).toBe(1);
    await follow.click();
    await waitUntil('it follows again', async () => (await readLastLine(page)) > 300);
    await waitForSuccess(api, task);
  });

  test('finds across the whole stored log with a count, and goes from hit to hit', async () => {
    const task = await run('count.py', '3000', '0');
    await waitForSuccess(api, task);
    await openLog(task);
    const find = page.getByLabel('Find in the log');
    // A search begins at what can be seen: here at the first line.
    await page.getByText('number 3000 of the count').waitFor();
    await page.getByRole('log').press('Home');
    await page.getByText('number 1 of the count').waitFor();
    await find.fill('NUMBER 29');
    // 29, 290 to 299 and 2900 to 2999.
    await page.getByText('1 of 111', { exact: true }).waitFor();
    await find.press('Enter');
    await page.getByText('2 of 111', { exact: true }).waitFor();
    await page.locator('[data-hit]').getByText('290').waitFor();
    await find.press('Shift+Enter');
    await find.press('Shift+Enter');
    await page.getByText('111 of 111', { exact: true }).waitFor();
    await page.locator('[data-hit]').getByText('2999').waitFor();
  });

  test('opens at the line of a link, and a click on a number makes one', async () => {
    const task = await run('count.py', '2000', '0');
    await waitForSuccess(api, task);
    await openLog(task, '#L1500');
    await page.locator('[data-line="1500"][data-selected]').waitFor();
    await page.locator('[data-line="1502"]').getByRole('link').click();
    await page.waitForURL(/#L1502$/);
  });

  test('downloads the bytes that were written', async () => {
    const task = await run('count.py', '100', '0');
    await waitForSuccess(api, task);
    await openLog(task);
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Raw' }).click();
    const file = await (await waiting).path();
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(hash(await readFile(file))).toBe(hash(await api.download(taskRoutes.rawOutput, { params: task })));
  });

  test('makes no HTML of output, and survives a line of 10 MB and a million escape codes', async () => {
    const task = await run('wild.py');
    await waitForSuccess(api, task);
    page.on('dialog', (dialog) => window.faults.push(`a dialog was opened: ${dialog.message()}`));
    await openLog(task);
    await page.getByText('the very end').waitFor({ timeout: 60_000 });
    await page.getByText('before␀after').waitFor();
    await page.getByRole('log').press('Home');
    await page.getByText('<script>alert(2)</script>').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('[data-text] img, [data-text] script').count()).toBe(0);
  });
});
