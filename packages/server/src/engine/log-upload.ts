import { decodeFrames } from '@signalbox/contract/log-frame';
import type { LogAnswer } from '@signalbox/contract/runner-protocol';
import { isFinal } from '@signalbox/contract/task-state';
import type { Database, Db } from '../db/database.ts';
import { findLogState } from '../db/log-lines.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { BadFrame, type Frame } from './log-frames.ts';
import { appendFrames } from './log-store.ts';
import { isHeldBy } from './reconcile-holds.ts';

/** Lines were added to the log of a task. */
export type LogGrowth = {
  readonly taskId: number;
  readonly projectId: number;
  /** The first of them; some of what follows may have been there before. */
  readonly first: number;
  /** The number of the line that comes next. */
  readonly next: number;
};

type Upload = { taskId: number; frames: Frame[] };
type HeldTask = { id: number; project_id: number };

/**
 * Stores the frames of one request, of one task or of many, and answers which line of each comes next. Frames of a claim
 * that is not held any more are not looked at.
 *
 * @throws AppError when the body is no sequence of frames
 */
export async function takeLog(
  database: Database,
  log: Logger,
  runnerId: number | null,
  body: Uint8Array,
): Promise<{ answer: LogAnswer; growth: LogGrowth[] }> {
  const uploads = readUploads(body);
  const held = await listHeld(database.read, uploads, runnerId);
  const growth: LogGrowth[] = [];
  // All at once, so that they share a commit.
  const tasks = await Promise.all(
    uploads.map(async (upload) => {
      const task = held.get(upload.taskId);
      if (task === undefined) return { task_id: upload.taskId, next_line: 1, forget: true };
      const next = await store(database, log, upload);
      const first = upload.frames[0]?.header.first ?? next;
      growth.push({ taskId: task.id, projectId: task.project_id, first, next });
      return { task_id: task.id, next_line: next, forget: false };
    }),
  );
  return { answer: { tasks }, growth };
}

function readUploads(body: Uint8Array): Upload[] {
  const uploads = new Map<number, Upload>();
  for (const frame of readFrames(body)) {
    const { task_id: taskId } = frame.header;
    const upload = uploads.get(taskId);
    if (upload === undefined) uploads.set(taskId, { taskId, frames: [frame] });
    else upload.frames.push(frame);
  }
  return [...uploads.values()];
}

function readFrames(body: Uint8Array): Frame[] {
  try {
    return decodeFrames(body);
  } catch {
    // Whatever is wrong with it: nothing of it is stored, and the runner sends it again.
    throw new AppError('invalid', 'The body is no sequence of log frames');
  }
}

async function listHeld(db: Db, uploads: readonly Upload[], runnerId: number | null): Promise<Map<number, HeldTask>> {
  if (uploads.length === 0) return new Map();
  const rows = await db
    .selectFrom('task')
    .select(['id', 'project_id', 'status', 'fence', 'claim_id', 'runner_id'])
    .where(
      'id',
      'in',
      uploads.map((upload) => upload.taskId),
    )
    .execute();
  const frames = new Map(uploads.map((upload) => [upload.taskId, upload.frames]));
  const held = rows.filter(
    (row) => !isFinal(row.status) && frames.get(row.id)?.every((frame) => isHeldBy(row, frame.header, runnerId)),
  );
  return new Map(held.map((row) => [row.id, row]));
}

async function store({ logs }: Database, log: Logger, { taskId, frames }: Upload): Promise<number> {
  try {
    return await appendFrames(logs, taskId, frames);
  } catch (error) {
    if (!(error instanceof BadFrame)) throw error;
    // Damaged on its way: the runner is told where to go on, and sends it again from its spool.
    log.warn('A log upload was damaged', { task: taskId, cause: error });
    return (await findLogState(logs.read, taskId)).lines + 1;
  }
}
