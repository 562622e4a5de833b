import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Template } from '@signalbox/contract/templates';
import type { Api } from '../fixtures/api.ts';
import { type GitRepository, makeGitRepository } from '../fixtures/git-repository.ts';
import { addTemplate, makeWorkshop, type Workshop } from '../fixtures/projects.ts';
import { readLog, type TaskPlace } from '../fixtures/tasks.ts';

/**
 * The judge of what has happened. Each task first writes its number into a file, with one append that the kernel keeps whole,
 * and then prints numbered lines: the file says how often it was run, the lines say what became of its log.
 */
const script = `
ledger=$1 lines=$2 pause=$3
echo "$SIGNALBOX_TASK_ID" >> "$ledger"
number=1
while [ "$number" -le "$lines" ]; do
  echo "number $number"
  [ "$pause" = 0 ] || sleep "$pause"
  number=$((number + 1))
done
`;

export type Ledger = {
  readonly repository: GitRepository;
  readonly file: string;
};

export async function makeLedger(): Promise<Ledger> {
  const repository = await makeGitRepository({ 'ledger.sh': script });
  return { repository, file: join(repository.parent, 'ledger.txt') };
}

export type Field = {
  readonly workshop: Workshop;
  /** Runs beside itself: prints `lines` lines, one every 20 ms or so. */
  readonly template: Template;
};

export async function makeField(api: Api, ledger: Ledger, lines: number, pause = '0.02'): Promise<Field> {
  const workshop = await makeWorkshop(api, ledger.repository.path);
  const template = await addTemplate(api, workshop, {
    name: 'Ledger',
    playbook: 'ledger.sh',
    arguments: JSON.stringify([ledger.file, String(lines), pause]),
    allow_parallel_tasks: true,
  });
  return { workshop, template };
}

/** How often each task was run. */
export async function countRuns({ file }: Ledger): Promise<Map<number, number>> {
  const runs = new Map<number, number>();
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const id = Number(line);
    if (id > 0) runs.set(id, (runs.get(id) ?? 0) + 1);
  }
  return runs;
}

/** What is wrong with the numbered lines of a log: nothing, or one sentence. */
export async function judgeLog(
  api: Api,
  place: TaskPlace,
  lines: number,
  isWhole: boolean,
): Promise<string | undefined> {
  const numbers = (await readLog(api, place)).flatMap((line) => {
    const number = /^number (\d+)$/.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  const wrong = numbers.findIndex((number, index) => number !== index + 1);
  if (wrong >= 0) return `task ${place.task_id}: line ${numbers[wrong]} stands where ${wrong + 1} was due`;
  if (isWhole && numbers.length !== lines) return `task ${place.task_id}: ${numbers.length} of ${lines} lines`;
  return undefined;
}
