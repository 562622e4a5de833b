import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Job } from '@signalbox/contract/job';
import { type SealedJob, sealAad } from '@signalbox/contract/runner-protocol';
import * as z from 'zod/mini';
import { taskDirectoryName } from '../journal/journal.ts';
import type { Claim } from '../log/task-log.ts';
import { openSealed, type SealKeys } from '../open-sealed.ts';
import { tasksDirectoryOf } from '../workplace.ts';
import type { HeldTask } from './held-task.ts';
import { InheritedTask } from './inherited-task.ts';
import { makeJournalEntry } from './task-record.ts';
import { TaskRun } from './task-run.ts';
import { UntakenTask } from './untaken-task.ts';
import type { Workshop } from './workshop.ts';

type Places = { directory: string; secrets: string };

/** Makes of a job whatever can be made of it: a task that runs, or one that ends with the reason why it does not. */
export function takeJob(workshop: Workshop, keys: SealKeys, sealed: SealedJob): HeldTask {
  const { task_id, fence, claim_id } = sealed;
  const claim = { task_id, fence, claim_id };
  const name = taskDirectoryName(claim);
  const directory = join(tasksDirectoryOf(workshop.options), name);
  // Short, because sockets must fit in.
  const secrets = join(workshop.memory, name.slice(0, name.indexOf('-') + 9));
  try {
    const text = openOrNull(keys, sealed, sealAad(claim, workshop.instance));
    if (text === null) return refuse(workshop, claim, { directory, secrets });
    const job = z.parse(Job, JSON.parse(text));
    // The clock of another machine says nothing about ours: there, only what is fetched from now on is new enough. Nor can
    // anything have been created later than now.
    const now = Date.now();
    const created = workshop.options.leaves ? Math.min(job.created, now) : now;
    return new TaskRun(workshop, { job, claim, directory, secrets, created });
  } catch (error) {
    workshop.trash.add(directory);
    workshop.note(`Task ${task_id} could not be taken: ${error instanceof Error ? error.message : error}`);
    return new UntakenTask(workshop, claim, error);
  }
}

function openOrNull(keys: SealKeys, { sealed }: SealedJob, associated: string): string | null {
  try {
    return openSealed(keys, sealed, associated);
  } catch {
    return null; // sealed for another key, or changed on its way
  }
}

function refuse(workshop: Workshop, claim: Claim, { directory, secrets }: Places): InheritedTask {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const reason = 'The job was not sealed for this runner';
  const ending = { outcome: 'error' as const, reason, exit_code: null, strays: 0 };
  const entry = { ...makeJournalEntry(workshop, claim, directory, secrets), phase: 'ended' as const, ending };
  const task = new InheritedTask(workshop, { directory, entry, strays: 0 });
  task.say(`Failed: ${reason}`);
  return task;
}
