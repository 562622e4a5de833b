import { execFileSync } from 'node:child_process';
import { environmentRoutes } from '@signalbox/contract/environments';
import { taskRoutes } from '@signalbox/contract/tasks';
import { launch, waitForSuccess } from '../e2e/fixtures/tasks.ts';
import { type Figure, percentile } from './figure.ts';
import { openShop } from './shop.ts';

export const millionLines = 1_000_000;
const line = 'ok: [web-%07d.example.com] => (item=package) changed=0 unreachable=0';
/** One process that writes a million lines of 60 bytes as fast as it can. */
export const printMillion = `seq -f '${line.replace('%07d', '%07.0f')}' 1 ${millionLines}\n`;

/** The same program into a pipe that is only read. */
function measureFloor(): number {
  const start = performance.now();
  execFileSync('bash', ['-c', `${printMillion.trim()} | wc -l`]);
  return (millionLines * 1000) / (performance.now() - start);
}

/** Log of one task: masked with 50 secrets, numbered, compressed, spooled, stored, checksummed, sealed. */
export async function measureIngest(): Promise<Figure[]> {
  await using shop = await openShop({ 'million.sh': printMillion });
  const params = { project_id: shop.workshop.projectId };
  const secrets = Array.from({ length: 50 }, (_, index) => ({
    type: 'env' as const,
    name: `SECRET_${index}`,
    secret: `s3cret-${index}-${'x'.repeat(12)}`,
    operation: 'create' as const,
  }));
  const environment = await shop.api.call(environmentRoutes.create, {
    params,
    body: { name: 'Fifty secrets', json: '{}', secrets },
  });
  const template = await shop.template('Million', 'million.sh', { environment_id: environment.id });
  const speeds: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const place = await launch(shop.api, template);
    let open = true;
    const probe = (async () => {
      while (open) {
        const start = performance.now();
        await shop.api.call(taskRoutes.get, { params: place });
        delays.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const task = await waitForSuccess(shop.api, place, 120_000);
    open = false;
    await probe;
    const log = await shop.api.call(taskRoutes.log, { params: place, query: { from: '1', count: '1' } });
    if (!log.sealed || log.total < millionLines) throw new Error(`the log has ${log.total} lines`);
    speeds.push((millionLines * 1000) / (Date.parse(task.end ?? '') - Date.parse(task.start ?? '')));
  }
  const floor = { what: 'seq | wc -l', value: measureFloor() };
  return [
    {
      name: 'log ingest, 50 secrets masked',
      unit: 'lines/s',
      value: percentile(speeds, 0.5),
      goal: 300_000,
      better: 'higher',
      floor,
    },
    { name: 'API call during ingest, p99', unit: 'ms', value: percentile(delays, 0.99), goal: 50, better: 'lower' },
  ];
}
