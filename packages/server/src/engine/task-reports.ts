import type { Report, ReportAnswer, ReportsRequest } from '@signalbox/contract/runner-protocol';
import { isFinal, nextStatus } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { judgeReport } from './judge-report.ts';
import { closeLog } from './log-end.ts';
import { sealLog, WrongSeal } from './log-store.ts';
import { isHeldBy } from './reconcile-holds.ts';
import type { TaskRow } from './task-record.ts';
import { readForChange, type Step, takeSteps } from './task-steps.ts';

export type ReportsResult = { readonly answers: ReportAnswer[]; readonly changed: readonly TaskRow[] };
export type ReportsCall = {
  readonly runnerId: number | null;
  readonly request: ReportsRequest;
  /** How long a plan waits for a person. */
  readonly confirmMs: number;
};
type FinishReport = Extract<Report, { kind: 'finish' }>;

/** A log that cannot be sealed, by task: lines are missing, or it is not the one that was written. */
type SealProblem = { kind: 'incomplete'; nextLine: number } | { kind: 'different' };

/**
 * Takes the reports of one request: first the logs of finished tasks are sealed, then all states change in one
 * transaction. A crash between the two repeats the report, and both are safe to repeat.
 */
export async function takeReports(
  database: Database,
  log: Logger,
  { runnerId, request, confirmMs }: ReportsCall,
  now: number,
): Promise<ReportsResult> {
  const finishes = request.reports.filter((report) => report.kind === 'finish');
  const problems = await sealLogs(database, log, finishes, { runnerId, now });
  return await database.transact(async (db) => {
    const tasks = await readForChange(
      db,
      request.reports.map((report) => report.task_id),
    );
    const answers: ReportAnswer[] = [];
    const steps: Step[] = [];
    for (const report of request.reports) {
      const problem = problems.get(report.task_id);
      if (report.kind === 'finish' && problem?.kind === 'incomplete') {
        answers.push({ verdict: 'log_incomplete', task_id: report.task_id, next_line: problem.nextLine });
        continue;
      }
      const judged = judgeReport(report, tasks.get(report.task_id), runnerId, { now, confirmBy: now + confirmMs });
      answers.push(judged.answer);
      if (judged.plan !== undefined) await storePlan(db, judged.plan.task, judged.plan.json);
      if (judged.step !== undefined) steps.push(takeNote(tasks, judged.step, problem));
    }
    return { answers, changed: steps.length === 0 ? [] : await takeSteps(db, database.keyring, steps, now) };
  });
}

/** A second report of the same task is judged by what the first one did. */
function takeNote(tasks: Map<number, TaskRow>, step: Step, problem: SealProblem | undefined): Step {
  const { task, event } = step;
  tasks.set(task.id, { ...task, status: nextStatus(task.status, event) });
  return problem === undefined ? step : blameLog(step);
}

async function storePlan(db: Db, { id, fence }: TaskRow, plan: string): Promise<void> {
  await db.updateTable('task').set({ plan }).where('id', '=', id).where('fence', '=', fence).execute();
}

/** Durably ends the logs of the tasks that this runner may finish. */
async function sealLogs(
  database: Database,
  log: Logger,
  finishes: readonly FinishReport[],
  { runnerId, now }: { runnerId: number | null; now: number },
): Promise<Map<number, SealProblem>> {
  const problems = new Map<number, SealProblem>();
  if (finishes.length === 0) return problems;
  const open = await listOpen(database.read, finishes, runnerId);
  // All at once, so that they share a commit.
  await Promise.all(
    open.map(async ({ task_id: taskId, seal }) => {
      try {
        const lines = await sealLog(database.logs, taskId, seal);
        if (lines < seal.lines) problems.set(taskId, { kind: 'incomplete', nextLine: lines + 1 });
      } catch (error) {
        if (!(error instanceof WrongSeal)) throw error;
        log.error('A stored log is not the one that its runner wrote', { task: taskId, cause: error });
        await closeLog(database.logs, taskId, null, now);
        problems.set(taskId, { kind: 'different' });
      }
    }),
  );
  return problems;
}

/** Finished tasks that are this runner's and not final yet; the others are answered without a look at their logs. */
async function listOpen(
  db: Db,
  finishes: readonly FinishReport[],
  runnerId: number | null,
): Promise<readonly FinishReport[]> {
  const rows = await db
    .selectFrom('task')
    .select(['id', 'status', 'fence', 'claim_id', 'runner_id'])
    .where(
      'id',
      'in',
      finishes.map((report) => report.task_id),
    )
    .execute();
  const tasks = new Map(rows.map((row) => [row.id, row]));
  return finishes.filter((report) => {
    const task = tasks.get(report.task_id);
    return task !== undefined && !isFinal(task.status) && isHeldBy(task, report, runnerId);
  });
}

function blameLog(step: Step): Step {
  if (step.event !== 'finish_success') return step;
  return { ...step, event: 'finish_error', set: { reason: 'The stored log is not the one that its runner wrote' } };
}
