import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { launch, waitForSuccess } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
const count = 120;
const nameOf = (index: number): string => `Job ${String(index).padStart(3, '0')}`;

describe.skipIf(missing)(`a list of ${count} templates${because(missing)}`, () => {
  let area: WorkArea;

  beforeAll(async () => {
    area = await openWorkArea({ 'quick.sh': 'echo quick\n' });
    const add = (index: number) => addTemplate(area.api, area.workshop, { name: nameOf(index), playbook: 'quick.sh' });
    await waitForSuccess(area.api, await launch(area.api, await add(1)));
    for (let index = 2; index <= count; index += 1) await add(index);
  });
  afterEach(() => area.closeWindows());
  afterAll(() => area?.[Symbol.asyncDispose]());

  const table = (page: Page) => page.getByRole('table', { name: 'Task templates' });
  const rowOf = (page: Page, index: number) =>
    table(page)
      .getByRole('row')
      .filter({ hasText: nameOf(index) });
  /** Where each row that is drawn begins and ends, from the top. */
  const readEdges = (page: Page) =>
    table(page).evaluate((element) =>
      [...element.querySelectorAll('tbody tr')]
        .map((row) => row.getBoundingClientRect())
        .map(({ top, bottom }) => ({ top: Math.round(top), bottom: Math.round(bottom) })),
    );
  /** One row begins where the one before ends. */
  const findGaps = async (page: Page) => {
    const edges = await readEdges(page);
    return edges.flatMap(({ top }, at) => (at > 0 && edges[at - 1]?.bottom !== top ? [at] : []));
  };

  test.each([1440, 390])('has the rows near the window at %i px, one below the other, to the last', async (width) => {
    const page = await area.open('templates', 'admin', { width });
    await rowOf(page, 1).waitFor();
    await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(count + 1));
    expect((await readEdges(page)).length).toBeLessThan(count / 2);
    await expect.poll(() => findGaps(page)).toEqual([]);
    await page.keyboard.press('End');
    await rowOf(page, count).waitFor();
    await expect.poll(() => rowOf(page, 1).count()).toBe(0);
    await expect.poll(() => rowOf(page, count).getAttribute('aria-rowindex')).toBe(String(count + 1));
    await expect.poll(() => findGaps(page)).toEqual([]);
  });

  test.each([1440, 390])('makes room for the tasks of an opened row at %i px, and takes it back', async (width) => {
    const page = await area.open('templates', 'admin', { width });
    await rowOf(page, 1).getByRole('button', { expanded: false }).click();
    await expect.poll(() => table(page).getByRole('link', { name: '#1', exact: true }).count()).toBe(2);
    await expect.poll(() => findGaps(page)).toEqual([]);
    await rowOf(page, 1).getByRole('button', { expanded: true }).click();
    await expect.poll(() => table(page).getByRole('link', { name: '#1', exact: true }).count()).toBe(1);
    await expect.poll(() => findGaps(page)).toEqual([]);
  });

  test('shows what is found, and all again', async () => {
    const page = await area.open('templates');
    await rowOf(page, 1).waitFor();
    await page.getByPlaceholder('Filter templates').fill(nameOf(117));
    await rowOf(page, 117).waitFor();
    await expect.poll(() => table(page).getByRole('row').count()).toBe(2);
    await page.getByPlaceholder('Filter templates').fill('');
    await rowOf(page, 1).waitFor();
    await expect.poll(() => findGaps(page)).toEqual([]);
  });

  test('lets the code of the other screens wait as long as it is scrolled', async () => {
    const page = await area.open('templates');
    await rowOf(page, 1).waitFor();
    const hasTeam = () =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/team-screen-')));
    // Longer than what waits would wait after the opening.
    await page.evaluate(async () => {
      for (let turn = 0; turn < 80; turn += 1) {
        globalThis.scrollBy(0, turn % 2 === 0 ? 200 : -200);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    expect(await hasTeam()).toBe(false);
    await expect.poll(hasTeam).toBe(true);
  });
});
