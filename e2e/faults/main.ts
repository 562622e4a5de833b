import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Order, Progress, playRow } from './progress.ts';
import { type Database, openRig } from './rig.ts';
import { type Amounts, listRows, type Row } from './rows.ts';

/*
 * npm run faults [-- --kills 200 --races 200 --racers 50 --outages 20 --stops 200 --schedules 60 --queue 10000 --lines 1000000
 *                    --seed 1 --database sqlite --database postgres --state FILE --write]
 * npm run faults -- --resume FILE [--write]
 *
 * Does to real servers and runners what power, kernels and people do, on this machine alone, and looks at what is left. How far it is
 * stands in a file, so that one that was broken off goes on where it was. The table is printed at the end, and put into
 * docs/reliability.md with --write.
 */

const document = new URL('../../docs/reliability.md', import.meta.url);
const [begin, end] = ['<!-- campaign -->', '<!-- end of campaign -->'];
const lines = 150;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    races: { type: 'string', default: '200' },
    racers: { type: 'string', default: '50' },
    outages: { type: 'string', default: '20' },
    stops: { type: 'string', default: '200' },
    schedules: { type: 'string', default: '60' },
    queue: { type: 'string', default: '10000' },
    lines: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    state: { type: 'string' },
    resume: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

// What was started ends with this process, however that is broken off.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));

const progress = values.resume === undefined ? beginCampaign() : Progress.resume(values.resume);
const { order } = progress;
const rows = listRows(order.databases, order.amounts);
for (const row of rows) {
  const { database, isDouble } = row;
  await playRow(
    row,
    progress,
    () => openRig({ database, lines, isDouble }),
    (now) => {
      const { faults, tasks, problems } = now;
      console.log(
        `${row.database}, ${row.name}: ${faults} of ${row.goal}, ${tasks} tasks, ${problems.length} problems`,
      );
    },
  );
  for (const problem of progress.of(row).problems) console.error(`${row.database}, ${row.name}: ${problem}`);
}
const table = printTable();
console.log(`\n${table}`);
if (values.write) writeTable(table);
process.exitCode = rows.every((row) => progress.of(row).problems.length === 0) ? 0 : 1;

function beginCampaign(): Progress {
  const file = values.state ?? join(tmpdir(), `signalbox-faults-${Date.now()}.json`);
  console.log(`Goes on, should it be broken off, with: npm run faults -- --resume ${file}`);
  return Progress.begin(file, readOrder());
}

function readOrder(): Order {
  const count = (text: string): number => {
    if (!/^\d+$/.test(text)) throw new Error(`"${text}" is no number`);
    return Number(text);
  };
  const databases = values.database.filter((name): name is Database => name === 'sqlite' || name === 'postgres');
  if (databases.length !== values.database.length) throw new Error('A database is sqlite or postgres');
  const { kills, races, racers, outages, stops, schedules, queue } = values;
  const amounts: Amounts = {
    kills: count(kills),
    races: count(races),
    racers: count(racers),
    outages: count(outages),
    stops: count(stops),
    schedules: count(schedules),
    queue: count(queue),
    lines: count(values.lines),
  };
  return { seed: count(values.seed), databases, amounts };
}

function printTable(): string {
  const printRow = (row: Row): string => {
    const { faults, tasks, problems, seconds } = progress.of(row);
    return `| ${row.name} | ${row.database} | ${faults} | ${tasks} | ${problems.length} | ${Math.round(seconds)} s |`;
  };
  return [
    '| what was done | database | how often | tasks | problems | took |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(printRow),
  ].join('\n');
}

function writeTable(text: string): void {
  const content = readFileSync(document, 'utf8');
  const when = new Date().toISOString().slice(0, 10);
  const head = content.slice(0, content.indexOf(begin) + begin.length);
  const tail = content.slice(content.indexOf(end));
  const flags = Object.entries(order.amounts).map(([name, amount]) => `--${name} ${amount}`);
  const command = `npm run faults -- ${flags.join(' ')} --seed ${order.seed} --write`;
  writeFileSync(document, `${head}\n\n\`${command}\`, ${when}.\n\n${text}\n\n${tail}`);
}
