import { createHash } from 'node:crypto';
import { ScheduleParams } from '@signalbox/contract/schedules';
import * as z from 'zod/mini';
import type { Database, Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import type { Clock } from './clock.ts';
import { startTask } from './fire-schedule.ts';
import type { LiveHub } from './live-hub.ts';
import type { Finding, ProbeBoard, Question } from './probes.ts';
import { clearProblem, noteProblem, type ScheduleRow } from './schedule-problem.ts';
import type { TaskNews } from './task-news.ts';
import type { TaskRow } from './task-record.ts';

export type CommitCheckParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly news: TaskNews;
  readonly live: Pick<LiveHub, 'noteChange'>;
  readonly probes: Pick<ProbeBoard, 'ask'>;
};

/** What is asked, and what the answer is worth. */
type Check = {
  readonly question: Question;
  /** Tells a new commit from another branch or another repository. */
  readonly source: string;
  /** Whether the tasks of the template run what was looked at. */
  readonly isOwn: boolean;
};

/**
 * Looks for new commits, for schedules that have a repository: a runner looks, and a task starts where the head of the branch
 * is another one than before. The first look, and the first after the repository or its branch is another one, only remembers.
 */
export class CommitChecks {
  readonly #parts: CommitCheckParts;
  /** One look at a time for each schedule: a slow repository is not asked again meanwhile. */
  readonly #running = new Map<number, Promise<void>>();
  /** Schedules that look at the same branch at the same time share the answer. */
  readonly #shared = new Map<string, Promise<Finding>>();
  #isStopped = false;

  constructor(parts: CommitCheckParts) {
    this.#parts = parts;
  }

  /** The answer is looked after when it comes. */
  begin(schedule: ScheduleRow, nominal: number): void {
    if (this.#isStopped || this.#running.has(schedule.id)) return;
    const check = this.#check(schedule, nominal)
      .catch((error: unknown) =>
        this.#parts.log.error('A check for new commits failed', { schedule: schedule.id, cause: error }),
      )
      .finally(() => this.#running.delete(schedule.id));
    this.#running.set(schedule.id, check);
  }

  /** From here on answers are ignored: the next tick asks again. */
  cancel(): void {
    this.#isStopped = true;
  }

  /** Resolves when nothing is under way any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #check(schedule: ScheduleRow, nominal: number): Promise<void> {
    const { database, clock, news, live } = this.#parts;
    const check = await prepareCheck(database.read, schedule);
    if (check === undefined) return;
    const finding = await this.#ask(check);
    if (this.#isStopped) return;
    const task = await database.transact((db) =>
      noteHead(db, database, { schedule, nominal, check, finding, now: clock.now() }),
    );
    if (task !== undefined) news.publish([task]);
    live.noteChange(schedule.project_id, 'schedules');
  }

  #ask({ question, source }: Check): Promise<Finding> {
    const key = `${question.projectId} ${question.repositoryId} ${question.runnerTag ?? ''} ${source}`;
    const asked = this.#shared.get(key) ?? this.#parts.probes.ask(question).finally(() => this.#shared.delete(key));
    this.#shared.set(key, asked);
    return asked;
  }
}

/** @returns undefined where the schedule was deleted meanwhile */
async function prepareCheck(db: Db, { id, project_id, params }: ScheduleRow): Promise<Check | undefined> {
  const row = await db
    .selectFrom('schedule')
    .innerJoin('repository', 'repository.id', 'schedule.repository_id')
    .innerJoin('template', 'template.id', 'schedule.template_id')
    .select(['repository.id', 'repository.git_url', 'repository.git_branch'])
    .select(['template.repository_id as own_id', 'template.git_branch as own_branch', 'template.runner_tag'])
    .where('schedule.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isOwn = row.own_id === row.id;
  const given = params === null ? {} : z.parse(ScheduleParams, JSON.parse(params));
  const branch = (isOwn && (given.git_branch || row.own_branch)) || row.git_branch;
  return {
    question: {
      projectId: project_id,
      kind: 'remote_head',
      repositoryId: row.id,
      branch,
      // Whoever runs the tasks of the template can reach what they are made of.
      runnerTag: row.runner_tag || null,
    },
    // A digest, because an address may hold a password.
    source: createHash('sha256').update(`${row.git_url}\0${branch}`).digest('hex'),
    isOwn,
  };
}

const isCommit = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

type Answered = {
  readonly schedule: ScheduleRow;
  readonly nominal: number;
  readonly check: Check;
  readonly finding: Finding;
  readonly now: number;
};

/** The commit is stored together with its task, so that a start that fails loses none. */
async function noteHead(
  db: Db,
  { keyring }: Database,
  { schedule, nominal, check, finding, now }: Answered,
): Promise<TaskRow | undefined> {
  const stored = await lockUnchanged(db, schedule);
  // A look that began later has been answered already: this one is no news.
  if (stored === undefined || (stored.last_fire ?? 0) >= nominal) return undefined;
  await setFacts(db, stored, { last_fire: nominal });
  if (!finding.ok || !isCommit(finding.text)) {
    const text = finding.ok ? 'The runner answered with something that is no commit' : finding.text;
    await noteProblem(db, stored, { code: 'unreachable', text });
    return undefined;
  }
  const head = { last_commit_hash: finding.text, commit_source: check.source };
  const isNew = stored.last_commit_hash !== null && stored.commit_source === check.source;
  if (!isNew || stored.last_commit_hash === finding.text) {
    await setFacts(db, stored, head);
    await clearProblem(db, stored);
    return undefined;
  }
  const task = await startTask(db, keyring, stored, { nominal, commit: check.isOwn ? finding.text : null, now });
  if (task !== undefined) await setFacts(db, stored, head);
  return task;
}

/** Nothing that was asked about may be another one by now, and it may not have been switched off. */
async function lockUnchanged(
  db: Db,
  { id, repository_id, template_id }: ScheduleRow,
): Promise<ScheduleRow | undefined> {
  return await db
    .selectFrom('schedule')
    .selectAll()
    .where('id', '=', id)
    .where('active', '=', true)
    .where('repository_id', '=', repository_id)
    .where('template_id', '=', template_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type Facts = Partial<Pick<ScheduleRow, 'last_fire' | 'last_commit_hash' | 'commit_source'>>;

async function setFacts(db: Db, { id }: ScheduleRow, facts: Facts): Promise<void> {
  await db.updateTable('schedule').set(facts).where('id', '=', id).execute();
}
