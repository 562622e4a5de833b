import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { copyRow } from '../e2e/fixtures/copy-row.ts';
import { type Figure, percentile } from './figure.ts';
import { measureFrameCosts } from './frame-cost.ts';
import { signIn } from './screen.ts';
import { openShop } from './shop.ts';

const rows = 1000;
/** A row and a half a frame: as fast as a hand on a wheel. */
const step = 60;
/** One frame in 700 that the machine holds up decides about the longest one, so the middle one of some is told. */
const scrolls = 5;

/** Milliseconds between the frames while the page is scrolled from its top to its end. */
async function scrollDown(page: Page): Promise<number[]> {
  const frames = await page.evaluate(async (distance) => {
    const times: number[] = [];
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    let last = await nextFrame();
    for (;;) {
      const before = globalThis.scrollY;
      globalThis.scrollBy(0, distance);
      if (globalThis.scrollY === before) return times;
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
  }, step);
  if (frames.length < (rows * 20) / step) throw new Error(`the list was scrolled in ${frames.length} frames only`);
  return frames;
}

type Measure = (page: Page) => Promise<number[]>;

/** Each time in a page that was just opened. @returns the most that a frame of each scroll took, in milliseconds */
async function scrollOften(open: () => Promise<Page>, measure: Measure = scrollDown): Promise<number[]> {
  const longest: number[] = [];
  for (let count = 0; count < scrolls; count += 1) longest.push(percentile(await measure(await open()), 1));
  return longest;
}

const measureCosts: Measure = (page) => measureFrameCosts(page, () => scrollDown(page));

/** A list of templates, and as many lines of text on a page without a script. */
export async function measureScroll(): Promise<Figure[]> {
  await using shop = await openShop({ 'noop.sh': ':\n' });
  const template = await shop.template('Template', 'noop.sh');
  await shop.server.stop();
  {
    using database = new DatabaseSync(join(shop.server.dataDir, 'state.db'));
    copyRow(database, { table: 'template', id: template.id, count: rows - 1 }, { name: `'Template ' || n` });
  }
  await shop.server.start();
  await using browser = await launchBrowser();
  const window = await browser.open(shop.server.url);
  const { page } = window;
  const bare = await window.context.newPage();
  const lines = Array.from({ length: rows }, (_, index) => `<p>Template ${index}</p>`).join('\n');
  const floor = await scrollOften(async () => {
    await bare.setContent(`<!doctype html><style>p { height: 42px; margin: 0 }</style>${lines}`);
    await bare.evaluate(() => globalThis.scrollTo(0, 0));
    await bare.waitForLoadState('networkidle');
    return bare;
  });
  await bare.close();
  await signIn(page, shop.server.url);
  const open = async () => {
    await page.goto(`${shop.server.url}/project/${shop.workshop.projectId}/templates`);
    // How long a thousand rows take to be there is not what is measured.
    await page.locator(`table[aria-rowcount="${rows + 1}"]`).waitFor({ timeout: 120_000 });
    await page.waitForLoadState('networkidle');
    return page;
  };
  const longest = await scrollOften(open);
  const costs = await scrollOften(open, measureCosts);
  await window.close();
  const name = `scrolling a list of ${rows.toLocaleString('en')} templates, longest frame`;
  const bareFloor = (share: number) => ({ what: 'lines of text alone', value: percentile(floor, share) });
  return [
    {
      name: `${name}, middle of ${scrolls} scrolls`,
      unit: 'ms',
      value: percentile(longest, 0.5),
      goal: 50,
      better: 'lower',
      floor: bareFloor(0.5),
    },
    { name: `${name}, worst of them`, unit: 'ms', value: percentile(longest, 1), better: 'lower', floor: bareFloor(1) },
    {
      name: `the same, processor time of the page's thread in its costliest frame, middle of ${scrolls} scrolls`,
      unit: 'ms',
      value: percentile(costs, 0.5),
      goal: 50,
      better: 'lower',
    },
  ];
}
