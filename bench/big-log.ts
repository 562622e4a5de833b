import type { Page } from 'playwright-core';
import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { launch, type TaskPlace, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import { type Figure, percentile } from './figure.ts';
import { millionLines, printMillion } from './ingest.ts';
import { signIn } from './screen.ts';
import { openShop } from './shop.ts';

const jumps = 20;
const scrolledFrames = 240;

/** Runs `act` in the page and waits until a condition on the document holds and a frame has been painted; milliseconds. */
async function timeInPage(page: Page, act: string, condition: string): Promise<number> {
  const run = `new Promise((resolve, reject) => {
    const begin = performance.now();
    (() => { ${act} })();
    const look = () => {
      if (${condition}) requestAnimationFrame(() => resolve(performance.now() - begin));
      else if (performance.now() - begin > 15000) reject(new Error('not seen within 15 s'));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`;
  return Number(await page.evaluate(run));
}

const hasText = (line: number | string): string =>
  `(document.querySelector('[data-line="${line}"] [data-text]')?.textContent ?? '') !== ''`;

async function measureOpening(page: Page, place: TaskPlace): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`/project/${place.project_id}/history`);
    const link = `a[href*="/tasks/${place.task_id}"], a[href*="t=${place.task_id}"]`;
    await page.locator(link).first().waitFor();
    const act = `document.querySelector(${JSON.stringify(link)}).click()`;
    times.push(await timeInPage(page, act, `document.querySelector('[data-line] [data-text]') !== null`));
  }
  return times;
}

async function measureJumps(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let round = 1; round <= jumps; round += 1) {
    // Far from each other and from whatever is loaded.
    const line = ((round * 617_531) % (millionLines - 1000)) + 500;
    times.push(await timeInPage(page, `location.hash = 'L${line}'`, hasText(line)));
  }
  return times;
}

async function measureSearch(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const number of ['0777777', '0000042', '0999999']) {
    const box = page.getByRole('textbox', { name: /find/i });
    await box.fill('');
    await box.focus();
    const act = `const box = document.activeElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, 'web-${number}');
      box.dispatchEvent(new Event('input', { bubbles: true }));`;
    const hit = `(document.querySelector('[data-line][data-hit] [data-text]')?.textContent ?? '').includes('web-${number}')`;
    times.push(await timeInPage(page, act, hit));
  }
  return times;
}

/** Time from frame to frame while the log is scrolled by 900 pixels in each. */
async function measureFrames(page: Page): Promise<number[]> {
  await page.evaluate(`location.hash = 'L1000'`);
  await page.locator('[data-line="1000"] [data-text]').waitFor();
  const frames: unknown = await page.evaluate(`new Promise((resolve) => {
    let scroller = document.querySelector('[data-line]');
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
    const frames = [];
    let last;
    const step = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      scroller.scrollTop += 900;
      if (frames.length < ${scrolledFrames}) requestAnimationFrame(step);
      else resolve(frames);
    };
    requestAnimationFrame(step);
  })`);
  if (!Array.isArray(frames)) throw new Error('no frames');
  return frames.map(Number);
}

async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

/** A stored log of a million lines in Chromium. */
export async function measureBigLog(): Promise<Figure[]> {
  await using shop = await openShop({ 'million.sh': printMillion });
  const place = await launch(shop.api, await shop.template('Million', 'million.sh'));
  await waitForSuccess(shop.api, place, 120_000);
  await using browser = await launchBrowser();
  const window = await browser.open(shop.server.url);
  const { page } = window;
  await signIn(page, shop.server.url);
  const opening = await measureOpening(page, place);
  const jumping = await measureJumps(page);
  const searching = await measureSearch(page);
  const frames = await measureFrames(page);
  const heap = await measureHeap(page);
  await window.close();
  const floor = { what: 'one frame at 60 Hz', value: 1000 / 60 };
  return [
    {
      name: 'open a log of 1,000,000 lines: first lines',
      unit: 'ms',
      value: percentile(opening, 0.5),
      goal: 300,
      better: 'lower',
      floor,
    },
    {
      name: 'jump to any line of it, p95',
      unit: 'ms',
      value: percentile(jumping, 0.95),
      goal: 150,
      better: 'lower',
      floor,
    },
    {
      name: 'search in it: hit shown and all counted',
      unit: 'ms',
      value: percentile(searching, 0.5),
      goal: 500,
      better: 'lower',
    },
    {
      name: 'frames while scrolling, p95',
      unit: 'ms',
      value: percentile(frames, 0.95),
      goal: 33,
      better: 'lower',
      floor,
    },
    { name: 'JS heap afterwards', unit: 'MB', value: heap, goal: 120, better: 'lower' },
  ];
}
