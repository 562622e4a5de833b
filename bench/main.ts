import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureBigLog } from './big-log.ts';
import { measureDispatch } from './dispatch.ts';
import { measureEveryList } from './every-list.ts';
import { type Figure, isMet, printTable } from './figure.ts';
import { measureFirstLoad } from './first-load.ts';
import { measureIdle } from './idle.ts';
import { measureIngest } from './ingest.ts';
import { measureLists } from './lists.ts';
import { measureScreen } from './screen.ts';
import { measureScroll } from './scroll.ts';
import { measureSecondRunner, measureThroughput } from './throughput.ts';

/** Each opens a server of its own and ends it. The order is that of docs/performance.md. */
const measures: Record<string, () => Promise<Figure[]>> = {
  dispatch: measureDispatch,
  throughput: measureThroughput,
  'second-runner': measureSecondRunner,
  ingest: measureIngest,
  screen: measureScreen,
  lists: measureLists,
  'every-list': measureEveryList,
  'big-log': measureBigLog,
  scroll: measureScroll,
  idle: measureIdle,
  'first-load': measureFirstLoad,
};

const document = new URL('../docs/performance.md', import.meta.url);
const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];

function writeDocument(table: string): void {
  const text = readFileSync(document, 'utf8');
  const head = text.slice(0, text.indexOf(begin) + begin.length);
  const tail = text.slice(text.indexOf(end));
  const when = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}.`;
  writeFileSync(document, `${head}\n\n\`npm run bench -- --write\`, ${when}\n\n${table}\n\n${tail}`);
}

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((word) => !(word in measures));
if (unknown.length > 0)
  throw new Error(`no such figure: ${unknown.join(', ')}; there are ${Object.keys(measures).join(', ')}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  figures.push(...(await measure()));
}
const table = printTable(figures);
console.log(table);
if (words.includes('--write')) writeDocument(table);
const missed = figures.filter((figure) => !isMet(figure));
console.log(missed.length === 0 ? '\nall goals are met' : `\n${missed.length} of ${figures.length} goals are missed`);
process.exitCode = missed.length === 0 ? 0 : 1;
