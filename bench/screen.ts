import type { Page } from 'playwright-core';
import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { adminPassword } from '../e2e/fixtures/server.ts';
import { launch, waitForLine, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import { type Figure, percentile } from './figure.ts';
import { openShop } from './shop.ts';

const lines = 300;
const script = `echo ready; sleep 3; for ((n = 1; n <= ${lines}; n++)); do echo "at $EPOCHREALTIME #$n"; sleep 0.05; done\n`;

/** Signs a window in through the form. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/auth/login`);
  await page.getByLabel('Username or email').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(adminPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((address) => !address.pathname.endsWith('/auth/login'));
}

/** Notes for each line when it is painted first, and how old its time is then. Page and script share a clock. */
async function watchLines(page: Page): Promise<void> {
  await page.evaluate(() => {
    const delays: Record<string, number> = {};
    Reflect.set(window, 'lineDelays', delays);
    const look = (): void => {
      for (const text of document.querySelectorAll('[data-line] [data-text]')) {
        const found = /^at (\d+)[.,](\d+) (#\d+)$/.exec(text.textContent ?? '');
        const name = found?.[3];
        if (found === null || name === undefined || name in delays) continue;
        delays[name] = performance.timeOrigin + performance.now() - Number(`${found[1]}.${found[2]}`) * 1000;
      }
      // A frame after the one in which the line was put into the document, it has been painted.
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** A line is written by the tool → it is painted in a browser that follows the log. */
export async function measureScreen(): Promise<Figure[]> {
  await using shop = await openShop({ 'ticks.sh': script });
  await using browser = await launchBrowser();
  const window = await browser.open(shop.server.url);
  const { page } = window;
  await signIn(page, shop.server.url);
  const template = await shop.template('Ticks', 'ticks.sh');
  const place = await launch(shop.api, template);
  await waitForLine(shop.api, place, 'ready');
  await page.goto(`${shop.server.url}/project/${place.project_id}/tasks/${place.task_id}`);
  await page.locator('[data-line] [data-text]', { hasText: 'ready' }).waitFor();
  await watchLines(page);
  await waitForSuccess(shop.api, place, 120_000);
  await page.locator('[data-line] [data-text]', { hasText: `#${lines}` }).waitFor();
  const delays = Object.values(
    await page.evaluate(() => Reflect.get(globalThis, 'lineDelays') as Record<string, number>),
  );
  if (delays.length < lines * 0.95) throw new Error(`only ${delays.length} of ${lines} lines were seen`);
  await window.close();
  const floor = { what: 'one frame at 60 Hz', value: 1000 / 60 };
  return [
    { name: 'line written to line painted, p50', unit: 'ms', value: percentile(delays, 0.5), better: 'lower', floor },
    {
      name: 'line written to line painted, p99',
      unit: 'ms',
      value: percentile(delays, 0.99),
      goal: 250,
      better: 'lower',
      floor,
    },
  ];
}
