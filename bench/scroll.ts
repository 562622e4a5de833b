import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { copyRow } from '../e2e/fixtures/copy-row.ts';
import { type Figure, percentile } from './figure.ts';
import { signIn } from './screen.ts';
import { openShop } from './shop.ts';

const rows = 1000;
/** A row and a half a frame: as fast as a hand on a wheel. */
const step = 60;

/** Frames while a list of templates is scrolled from its top to its end. */
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
  await signIn(page, shop.server.url);
  await page.goto(`${shop.server.url}/project/${shop.workshop.projectId}/templates`);
  // How long a thousand rows take to be there is not what is measured.
  await page.locator(`table[aria-rowcount="${rows + 1}"]`).waitFor({ timeout: 120_000 });
  await page.waitForLoadState('networkidle');
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
  await window.close();
  if (frames.length < (rows * 20) / step) throw new Error(`the list was scrolled in ${frames.length} frames only`);
  const floor = { what: 'one frame at 60 Hz', value: 1000 / 60 };
  return [
    {
      name: `scrolling a list of ${rows.toLocaleString('en')} templates, longest frame`,
      unit: 'ms',
      value: percentile(frames, 1),
      goal: 50,
      better: 'lower',
      floor,
    },
  ];
}
