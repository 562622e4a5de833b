import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';
import type { Shop } from './shop.ts';

const callers = 4;
const roundMs = 3000;
const roundsOfEach = 3;

/** A bare server that does the same SQL; see bare-templates.ts. */
async function startBare(shop: Shop): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const program = fileURLToPath(new URL('bare-templates.ts', import.meta.url));
  const file = join(shop.server.dataDir, 'state.db');
  const child = spawn(process.execPath, [program, file, String(shop.workshop.projectId)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [url] = await once(lines, 'line');
  return {
    url: String(url),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Requests that were answered in a second, over a few kept connections. */
async function measureRate(url: string, cookie: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const end = performance.now() + roundMs;
  let answered = 0;
  const call = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers: { cookie } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} was answered ${answer.statusCode}`));
        answer.resume().once('end', resolve);
      }).once('error', reject);
    });
  const caller = async () => {
    while (performance.now() < end) {
      await call();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  agent.destroy();
  return (answered * 1000) / roundMs;
}

/** The list of 100 templates against a server that does nothing but its SQL and JSON. */
export async function measureBareTemplates(shop: Shop): Promise<Figure> {
  await using bare = await startBare(shop);
  const own = `${shop.server.url}/api/project/${shop.workshop.projectId}/templates`;
  const rates = { own: 0, bare: 0 };
  // In turns, so that whatever else the machine does hits both; the best of each.
  for (let round = 0; round < roundsOfEach; round += 1) {
    rates.bare = Math.max(rates.bare, await measureRate(bare.url, shop.api.cookie));
    rates.own = Math.max(rates.own, await measureRate(own, shop.api.cookie));
  }
  return {
    name: 'list of 100 templates, share of the requests that a bare server answers',
    unit: `of ${Math.round(rates.bare)}/s`,
    value: rates.own / rates.bare,
    goal: 0.5,
    better: 'higher',
  };
}
