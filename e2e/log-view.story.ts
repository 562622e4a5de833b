import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type BrowserWindow, type ChromiumBrowser, launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, type TaskPlace, waitForEnd, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('chromium');
const longLines = 60_000;

const files = {
  'long.sh': `for ((n = 1; n <= ${longLines}; n++)); do printf '\\e[32mok\\e[0m: host %d\\n' "$n"; done\n`,
  'fail.sh': 'for n in {1..300}; do echo "step $n"; [ "$n" = 150 ] && echo "fatal: the disk is full"; done; exit 3\n',
  // Ticks until the file named by its first argument is there.
  'ticks.sh': 'n=0; while [ ! -e "$1" ]; do n=$((n + 1)); echo "tick $n"; sleep 0.05; done; echo "the end after $n"\n',
};

type SeenLine = { line: number; text: string; top: number };

/** The lines that can be seen, from top to bottom. */
function readLines(page: Page): Promise<SeenLine[]> {
  return page.locator('[role=log]').evaluate((log) => {
    const frame = log.getBoundingClientRect();
    return [...log.querySelectorAll<HTMLElement>('[data-line]')].flatMap((row) => {
      const box = row.getBoundingClientRect();
      if (box.bottom < frame.top + 1 || box.top > frame.bottom - 1) return [];
      const text = row.querySelector('[data-text]')?.textContent ?? '';
      return [{ line: Number(row.dataset.line), text, top: box.top - frame.top }];
    });
  });
}

const findLine = (page: Page, line: number) => page.locator(`[data-line="${line}"] [data-text]`);

describe.skipIf(missing !== '')(`the log in a browser${because(missing)}`, () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;
  let browser: ChromiumBrowser;
  let window: BrowserWindow;
  let page: Page;
  let long: TaskPlace;
  let failed: TaskPlace;

  const open = (place: TaskPlace, hash = '') => page.goto(`/project/${place.project_id}/tasks/${place.task_id}${hash}`);
  const gatePath = (name: string) => join(repository.parent, name);
  async function launchTicks(gate: string): Promise<TaskPlace> {
    const more = { name: gate, playbook: 'ticks.sh', arguments: JSON.stringify([gatePath(gate)]) };
    return launch(api, await addTemplate(api, workshop, more));
  }

  beforeAll(async () => {
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
    long = await launch(api, await addTemplate(api, workshop, { name: 'Long', playbook: 'long.sh' }));
    failed = await launch(api, await addTemplate(api, workshop, { name: 'Fail', playbook: 'fail.sh' }));
    await Promise.all([waitForSuccess(api, long), waitForEnd(api, failed)]);
    browser = await launchBrowser();
    window = await browser.open(server.url, { connectionMayBreak: true });
    page = window.page;
    await page.goto('/');
    await signInAsAdmin(page);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
  });

  test('a finished task opens at its end', async () => {
    await open(long);
    await page.getByText(`host ${longLines}`).waitFor();
    const lines = await readLines(page);
    expect(lines.at(-1)?.text).toBe(`ok: host ${longLines}`);
  });

  test('a failed task opens at its first error', async () => {
    await open(failed);
    await page.locator('[data-error]').waitFor();
    await expect.poll(async () => (await readLines(page)).map(({ text }) => text)).toContain('fatal: the disk is full');
  });

  test('a link opens its line, and a click on another number changes the link', async () => {
    await open(long, '#L31000');
    await findLine(page, 31_000).waitFor();
    await expect.poll(() => page.locator('[data-selected]').count()).toBe(1);
    await page.locator('[data-line="31002"] a').click();
    await page.locator('[data-line="31005"] a').click({ modifiers: ['Shift'] });
    await page.waitForURL(/#L31002-L31005$/);
    await expect.poll(() => page.locator('[data-selected]').count()).toBe(4);
  });

  test('every line can be reached by wheel and keys, without a hole on the way', async () => {
    await open(long, '#L20000');
    await findLine(page, 20_000).waitFor();
    const log = page.locator('[role=log]');
    await log.hover();
    const before = (await readLines(page))[0]?.line ?? 0;
    for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 660);
    await expect.poll(async () => (await readLines(page))[0]?.line).toBe(before + 1800);
    await expect.poll(async () => (await readLines(page)).every(({ text }) => text !== '')).toBe(true);
    const lines = await readLines(page);
    expect(lines.every(({ line }, at) => line === (lines[0]?.line ?? 0) + at)).toBe(true);
    await log.focus();
    await page.keyboard.press('Home');
    await findLine(page, 1).waitFor();
    await page.keyboard.press('End');
    await page.getByText(`host ${longLines}`).waitFor();
  });

  test('Ctrl+F finds in the whole stored log and counts', async () => {
    await open(long);
    await page.getByText(`host ${longLines}`).waitFor();
    await page.locator('[role=log]').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('host 1234');
    await page.getByText('1 of 11', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 11', { exact: true }).waitFor();
    await expect.poll(() => page.locator('[data-hit] mark').textContent()).toBe('host 1234');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('Find in the log').inputValue()).toBe('');
  });

  test('copies without numbers and colours, also what is not on the screen', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(long, '#L5000-L5002');
    await findLine(page, 5000).waitFor();
    await page.locator('[role=log]').focus();
    await page.keyboard.press('Control+c');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text.split('\n')).toEqual(
      await Promise.all([5000, 5001, 5002].map((line) => findLine(page, line).textContent())),
    );
  });

  test('follows a running task at its end, and stays where the reader went', async () => {
    const place = await launchTicks('gate-1');
    await open(place);
    await page.getByText('tick 60', { exact: true }).waitFor();
    await page.locator('[role=log]').hover();
    await page.mouse.wheel(0, -200);
    await page.getByRole('button', { name: /new lines?$/ }).waitFor();
    const before = (await readLines(page))[0];
    await page.getByRole('button', { name: /· \d\d new lines$/ }).waitFor();
    await expect.poll(async () => (await readLines(page))[0]).toEqual(before);
    await page.getByRole('button', { name: /^Follow/ }).click();
    await writeFile(gatePath('gate-1'), '');
    await page.getByText(/^the end after/).waitFor();
    await page.getByText('Success', { exact: true }).first().waitFor();
  });

  test('goes on after the server was killed, without a gap and without a line twice', async () => {
    const place = await launchTicks('gate-2');
    await open(place);
    await page.getByText('tick 40', { exact: true }).waitFor();
    await server.kill();
    await server.start();
    await page.getByText('tick 200', { exact: true }).waitFor();
    await writeFile(gatePath('gate-2'), '');
    await page.getByText('Success', { exact: true }).first().waitFor({ timeout: 60_000 });
    const seen = new Map<number, string>();
    for (let line = 1; ![...seen.values()].some((text) => text.startsWith('the end after')); line += 20) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `L${line}`);
      await findLine(page, line).waitFor();
      for (const each of await readLines(page)) if (each.text !== '') seen.set(each.line, each.text);
    }
    const ticks = [...seen].sort(([a], [b]) => a - b).flatMap(([, text]) => /^tick (\d+)$/.exec(text)?.[1] ?? []);
    expect(ticks).toEqual(ticks.map((_, at) => String(at + 1)));
    expect(ticks.length).toBeGreaterThanOrEqual(200);
  });

  test('did nothing that it must not', async () => {
    await window.close();
  });
});
