import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Template } from '@signalbox/contract/templates';
import type { Api } from '../fixtures/api.ts';
import { type GitRepository, makeGitRepository } from '../fixtures/git-repository.ts';
import { findMarked } from '../fixtures/processes.ts';
import { addTemplate, makeWorkshop, type Workshop } from '../fixtures/projects.ts';
import { readLog, type TaskPlace } from '../fixtures/tasks.ts';
import { waitUntil } from '../fixtures/wait.ts';

/**
 * The judge of what has happened. Each task first writes its number into a file, with one append that the kernel keeps whole,
 * and then prints numbered lines: the file says how often it was run, the lines say what became of its log.
 */
const ledgerScript = `
ledger=$1 lines=$2 pause=$3
echo "$SIGNALBOX_TASK_ID" >> "$ledger"
number=1
while [ "$number" -le "$lines" ]; do
  echo "number $number"
  [ "$pause" = 0 ] || sleep "$pause"
  number=$((number + 1))
done
`;

/** Three generations, a child in a session of its own, and one that hears nothing but a kill. */
const stubbornScript = `
echo "$SIGNALBOX_TASK_ID" >> "$1"
bash -c 'bash -c "sleep 600; : $0" "$0" & wait' "$1" &
setsid bash -c 'trap "" INT TERM; while :; do sleep 600; done; : $0' "$1" &
echo ready
wait
`;

/** Prints lines in ten bursts, and writes down what they were. */
const longScript = `
import hashlib, sys, time
ledger, lines = sys.argv[1], int(sys.argv[2])
digest = hashlib.sha256()
part = max(1, lines // 10)
for start in range(1, lines + 1, part):
    text = ''.join(f'number {number} {number * 7919 % 104729}\\n' for number in range(start, min(start + part, lines + 1)))
    digest.update(text.encode())
    sys.stdout.write(text)
    sys.stdout.flush()
    time.sleep(0.3)
with open(ledger + '.digest', 'w') as file:
    file.write(digest.hexdigest())
`;

export type Ledger = {
  readonly repository: GitRepository;
  readonly file: string;
};

export async function makeLedger(): Promise<Ledger> {
  const scripts = { 'ledger.sh': ledgerScript, 'stubborn.sh': stubbornScript, 'long.py': longScript };
  const repository = await makeGitRepository(scripts);
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
  const text = await readFile(file, 'utf8').catch(() => ''); // nothing has run yet
  for (const line of text.split('\n')) {
    const id = Number(line);
    if (id > 0) runs.set(id, (runs.get(id) ?? 0) + 1);
  }
  return runs;
}

/** Each task was run once. */
export async function judgeRuns(ledger: Ledger, places: readonly TaskPlace[]): Promise<string[]> {
  const runs = await countRuns(ledger);
  return places.flatMap(({ task_id: id }) => {
    const count = runs.get(id) ?? 0;
    return count === 1 ? [] : [`task ${id} was run ${count} times`];
  });
}

/** Scripts of tasks, by the file that they name: in a long campaign the kernel gives a number of a process to another one. */
function listSurvivors(ledger: Ledger): string[] {
  return findMarked(ledger.file).map(({ pid }) => `process ${pid} of a task that has ended is still there`);
}

/** Where a runner that was stopped or killed has to come back first. */
export async function judgeSurvivors(ledger: Ledger, limitMs: number): Promise<string[]> {
  try {
    await waitUntil('no process is left', () => listSurvivors(ledger).length === 0, limitMs);
    return [];
  } catch {
    return listSurvivors(ledger); // the sentences say it better
  }
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
