import type { Delivery, DeliveryOutcome } from '@signalbox/contract/deliveries';
import { TaskParams } from '@signalbox/contract/tasks';
import * as z from 'zod/mini';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { noActor, recordEvent } from '../../db/events.ts';
import type { Keyring } from '../../db/secrets.ts';
import { createTask } from '../../engine/create-task.ts';
import { describeRefusal } from '../../engine/launch-refusal.ts';
import type { Engine } from '../../engine/start.ts';
import type { TaskRow } from '../../engine/task-record.ts';
import { AppError } from '../../errors.ts';
import { type Arrival, type Judgement, judgeCall } from './judge.ts';
import type { Extraction } from './matching.ts';
import {
  type Candidate,
  findClaim,
  holdIntegration,
  insertDelivery,
  listExtractions,
  listRules,
  pruneDeliveries,
} from './queries.ts';
import { type Recorded, recordJudgement } from './record.ts';

/** What receiver and replay need of the engine. */
export type WebhookEngine = Pick<Engine, 'news' | 'live' | 'now' | 'isEnding'>;

/** An integration whose secret is open. */
export type OpenCandidate = { readonly candidate: Candidate; readonly secret: string | undefined };

type Stored = { readonly delivery: Delivery; readonly task: TaskRow | undefined };

/**
 * Takes a call to one integration: matchers, values, task. Task and delivery are one transaction, so that a task has its
 * delivery and a delivery of a sender has one task, however many servers get it at once.
 *
 * @param kept deliveries of each kind that stay
 * @returns undefined where the integration has just been deleted
 */
export async function startFromCall(
  database: Database,
  engine: WebhookEngine,
  { candidate, secret }: OpenCandidate,
  arrival: Arrival,
  kept: number,
): Promise<Delivery | undefined> {
  const [rules, extractions] = [
    await listRules(database.read, candidate),
    await listExtractions(database.read, candidate),
  ];
  const judgement = judgeCall(candidate, { rules, extractions }, arrival);
  const recorded = { candidate, secret, arrival, now: engine.now() };
  const work = (db: Db) => storeCall(db, database, recorded, { judgement, extractions, kept });
  const stored = await database.transact(work).catch((error: unknown) => {
    // The other server, or the other request, was first: now the claim is there to be seen.
    if (isUniqueViolation(error) && arrival.claim !== null) return database.transact(work);
    throw error;
  });
  if (stored?.task !== undefined) engine.news.publish([stored.task]);
  if (stored !== undefined) engine.live.noteChange(candidate.project_id, 'integrations');
  return stored?.delivery;
}

type Judged = { judgement: Judgement; extractions: readonly Extraction[]; kept: number };

async function storeCall(
  db: Db,
  { keyring }: Database,
  recorded: Recorded,
  { judgement, extractions, kept }: Judged,
): Promise<Stored | undefined> {
  const { candidate } = recorded;
  if (!(await holdIntegration(db, candidate.project_id, candidate.id))) return undefined;
  const { task, ...result } = await findResult(db, keyring, recorded, judgement);
  const taskId = task?.id ?? null;
  const record = recordJudgement(recorded, judgement, extractions, { ...result, taskId });
  const delivery = await insertDelivery(db, record);
  await pruneDeliveries(db, candidate, result.outcome, kept);
  if (recorded.arrival.replay !== null) await recordReplay(db, candidate, recorded.arrival.replay);
  return { delivery, task };
}

type Result = { outcome: DeliveryOutcome; text: string; task?: TaskRow };

async function findResult(
  db: Db,
  keyring: Keyring,
  { candidate, arrival, now }: Recorded,
  { stop, environment }: Judgement,
): Promise<Result> {
  if (stop !== undefined) {
    if (stop.outcome === 'not_started') await recordFailure(db, candidate, stop.text);
    return stop;
  }
  const earlier = arrival.claim === null ? undefined : await findClaim(db, candidate, arrival.claim);
  if (earlier !== undefined) {
    const text = `The sender has delivered this before, as delivery ID ${earlier.id}, and that has started a task`;
    return { outcome: 'duplicate', text };
  }
  try {
    const task = await createTask(db, keyring, {
      projectId: candidate.project_id,
      launch: {
        template_id: candidate.template_id,
        environment: JSON.stringify(environment),
        params: candidate.task_params === null ? null : z.parse(TaskParams, JSON.parse(candidate.task_params)),
      },
      origin: { kind: 'integration', integrationId: candidate.id },
      now,
    });
    return { outcome: 'started', text: `Task ID ${task.id} was started`, task };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const text = describeRefusal(error);
    await recordFailure(db, candidate, text);
    return { outcome: 'not_started', text };
  }
}

async function recordReplay(
  db: Db,
  { project_id, id, name }: Candidate,
  { actor, deliveryId }: NonNullable<Arrival['replay']>,
): Promise<void> {
  await recordEvent(db, actor, {
    projectId: project_id,
    objectType: 'integration',
    objectId: id,
    objectName: name,
    description: `Delivery ID ${deliveryId} to integration ${name} replayed`,
    integrationId: id,
  });
}

async function recordFailure(db: Db, { project_id, id, name }: Candidate, reason: string): Promise<void> {
  await recordEvent(db, noActor, {
    projectId: project_id,
    objectType: 'integration',
    objectId: id,
    objectName: name,
    description: `Integration ${name} started no task: ${reason}`,
    integrationId: id,
  });
}
