import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startPostgres } from '../fixtures/postgres.ts';
import { startServer } from '../fixtures/server.ts';
import { drainQueue, killRunner, killServer, type Outcome, type Rig } from './campaign.ts';
import { makeField, makeLedger } from './ledger.ts';
import { createRandom } from './random.ts';

/*
 * npm run faults [-- --kills 200 --queue 10000 --seed 1 --database sqlite|postgres --write]
 *
 * Does to a real server and its runner what power, kernels and people do, and looks at what is left. What was done is
 * printed as it goes on, and put into docs/reliability.md with --write.
 */

const document = new URL('../../docs/reliability.md', import.meta.url);
const [begin, end] = ['<!-- campaign -->', '<!-- end of campaign -->'];
const lines = 150;

type Row = { what: string; database: string } & Outcome & { seconds: number };

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    queue: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    write: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
const queue = Number(values.queue);
const rows: Row[] = [];
for (const database of values.database) rows.push(...(await runAll(database)));
const table = printTable(rows);
console.log(`\n${table}`);
if (values.write) writeTable(table);
process.exitCode = rows.every(({ problems }) => problems.length === 0) ? 0 : 1;

async function runAll(database: string): Promise<Row[]> {
  await using postgres = database === 'postgres' ? await startPostgres() : undefined;
  const ledger = await makeLedger();
  await using _repository = ledger.repository;
  await using server = await startServer({
    localRepositories: [ledger.repository.parent],
    env: {
      SIGNALBOX_MAX_PARALLEL_TASKS: '12',
      ...(postgres === undefined ? {} : { SIGNALBOX_DATABASE_URL: postgres.url }),
    },
  });
  await server.waitForRunner();
  const api = await server.signIn();
  const rig: Rig = {
    server,
    ledger,
    field: await makeField(api, ledger, lines),
    lines,
    random: createRandom(Number(values.seed)),
  };
  const quick: Rig = { ...rig, field: await makeField(api, ledger, 1, '0') };
  return [
    await measure('kill -9 of the server', database, (tell) => killServer(rig, kills, tell)),
    await measure('kill -9 of the runner', database, (tell) => killRunner(rig, kills, tell)),
    await measure('queue drained', database, () => drainQueue(quick, queue)),
  ];
}

async function measure(
  what: string,
  database: string,
  work: (tell: (outcome: Outcome) => void) => Promise<Outcome>,
): Promise<Row> {
  const start = performance.now();
  const outcome = await work(({ faults, tasks, problems }) => {
    console.log(`${database}, ${what}: ${faults} faults, ${tasks} tasks, ${problems.length} problems`);
  });
  for (const problem of outcome.problems) console.error(problem);
  return { what, database, ...outcome, seconds: Math.round((performance.now() - start) / 1000) };
}

function printTable(all: readonly Row[]): string {
  const body = all.map(
    ({ what, database, faults, tasks, problems, seconds }) =>
      `| ${what} | ${database} | ${faults} | ${tasks} | ${problems.length} | ${seconds} s |`,
  );
  return [
    '| what was done | database | faults | tasks | problems | took |',
    '| --- | --- | --- | --- | --- | --- |',
    ...body,
  ].join('\n');
}

function writeTable(text: string): void {
  const content = readFileSync(document, 'utf8');
  const when = new Date().toISOString().slice(0, 10);
  const head = content.slice(0, content.indexOf(begin) + begin.length);
  const tail = content.slice(content.indexOf(end));
  const command = `npm run faults -- --kills ${kills} --queue ${queue} --seed ${values.seed} --write`;
  writeFileSync(document, `${head}\n\n\`${command}\`, ${when}.\n\n${text}\n\n${tail}`);
}
