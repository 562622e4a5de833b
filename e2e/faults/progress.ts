import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Round } from './campaign.ts';
import { createRandom } from './random.ts';
import type { Rig } from './rig.ts';
import type { Amounts, Row } from './rows.ts';

/** What a campaign was asked for; a broken-off one goes on with the same. */
export type Order = {
  readonly seed: number;
  readonly databases: ('sqlite' | 'postgres')[];
  readonly amounts: Amounts;
};

export type RowProgress = Round & { readonly seconds: number };

/** How far a campaign is, on disk after every round: whatever ends it, it goes on behind the last round that was judged. */
export class Progress {
  readonly #file: string | null;
  readonly order: Order;
  readonly #rows: Map<string, RowProgress>;

  private constructor(file: string | null, order: Order, rows: Map<string, RowProgress>) {
    this.#file = file;
    this.order = order;
    this.#rows = rows;
  }

  /** @param file null keeps nothing */
  static begin(file: string | null, order: Order): Progress {
    const progress = new Progress(file, order, new Map());
    progress.#write();
    return progress;
  }

  static resume(file: string): Progress {
    if (!existsSync(file)) throw new Error(`There is no campaign in ${file}`);
    const { order, rows } = JSON.parse(readFileSync(file, 'utf8')) as { order: Order; rows: [string, RowProgress][] };
    return new Progress(file, order, new Map(rows));
  }

  of(row: Row): RowProgress {
    return this.#rows.get(keyOf(row)) ?? { faults: 0, tasks: 0, problems: [], seconds: 0 };
  }

  add(row: Row, round: Round, seconds: number): void {
    const before = this.of(row);
    this.#rows.set(keyOf(row), {
      faults: before.faults + round.faults,
      tasks: before.tasks + round.tasks,
      problems: [...before.problems, ...round.problems],
      seconds: before.seconds + seconds,
    });
    this.#write();
  }

  #write(): void {
    if (this.#file === null) return;
    writeFileSync(`${this.#file}.new`, JSON.stringify({ order: this.order, rows: [...this.#rows] }, null, 1));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

const keyOf = ({ database, name }: Row): string => `${database}: ${name}`;

/** The same moments for the same round, in whichever process it is played. */
function randomOf(seed: number, row: Row, done: number): () => number {
  let mixed = seed;
  for (const letter of `${keyOf(row)} ${done}`) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0;
  return createRandom(mixed);
}

/**
 * Plays a row to its goal, from where it is. A round that breaks off is a problem, and the next one gets a new rig.
 *
 * @param open makes what the row works on
 */
export async function playRow(
  row: Row,
  progress: Progress,
  open: () => Promise<Rig>,
  onRound: (now: RowProgress) => void,
): Promise<void> {
  while (progress.of(row).faults < row.goal) {
    await using rig = await open();
    let isBroken = false;
    while (!isBroken && progress.of(row).faults < row.goal) {
      const { faults } = progress.of(row);
      const start = performance.now();
      let round: Round;
      try {
        round = await row.play(rig, randomOf(progress.order.seed, row, faults), row.goal - faults);
      } catch (error) {
        isBroken = true;
        round = { faults: 1, tasks: 0, problems: [error instanceof Error ? error.message : String(error)] };
      }
      progress.add(row, round, (performance.now() - start) / 1000);
      onRound(progress.of(row));
    }
  }
}
