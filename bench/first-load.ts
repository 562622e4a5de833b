import { launchBrowser } from '../e2e/fixtures/browser.ts';
import { startServer } from '../e2e/fixtures/server.ts';
import { type Figure, percentile } from './figure.ts';
import { builtServer } from './shop.ts';

/** 1.6 Mbit/s and 150 ms. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

type Load = { scripts: number; styles: number; paint: number };

/** One visit of the sign-in screen with an empty cache on a slow line. */
async function visit(url: string, slow: boolean): Promise<Load> {
  await using browser = await launchBrowser();
  const window = await browser.open(url);
  const session = await window.context.newCDPSession(window.page);
  await session.send('Network.enable');
  if (slow) await session.send('Network.emulateNetworkConditions', slowLine);
  const types = new Map<string, string>();
  const load: Load = { scripts: 0, styles: 0, paint: 0 };
  session.on('Network.responseReceived', (event) => types.set(event.requestId, event.type));
  session.on('Network.loadingFinished', (event) => {
    const type = types.get(event.requestId);
    if (type === 'Script') load.scripts += event.encodedDataLength;
    if (type === 'Stylesheet') load.styles += event.encodedDataLength;
  });
  await window.page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Reflect.set(window, 'largestPaint', entry.startTime);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await window.page.goto(`${url}/`, { waitUntil: 'networkidle' });
  await window.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await window.page.waitForTimeout(500);
  load.paint = await window.page.evaluate(() => Number(Reflect.get(window, 'largestPaint')));
  await window.close();
  return load;
}

/** What a first visitor loads before he can sign in. */
export async function measureFirstLoad(): Promise<Figure[]> {
  await using server = await startServer({ program: builtServer });
  const slow = [await visit(server.url, true), await visit(server.url, true), await visit(server.url, true)];
  const quick = await visit(server.url, false);
  const bytes = (pick: (load: Load) => number): number => percentile(slow.map(pick), 0.5) / 1024;
  return [
    {
      name: 'first load, JavaScript compressed',
      unit: 'kB',
      value: bytes((load) => load.scripts),
      goal: 250,
      better: 'lower',
    },
    { name: 'first load, CSS compressed', unit: 'kB', value: bytes((load) => load.styles), better: 'lower' },
    {
      name: 'LCP of the sign-in screen at 1.6 Mbit/s, 150 ms',
      unit: 'ms',
      value: percentile(
        slow.map((load) => load.paint),
        0.5,
      ),
      goal: 2500,
      better: 'lower',
      floor: { what: 'the same without throttling', value: quick.paint },
    },
  ];
}
