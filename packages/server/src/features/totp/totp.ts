import type { NewTotp } from '@signalbox/contract/totp';
import type { Actor } from '../../auth/actor.ts';
import { countCodeAttempt, forgiveAttempt } from '../../auth/login-limits.ts';
import { lockUser } from '../../auth/people-lock.ts';
import { endUnverifiedSessionsOf, unverifySessionsOf, verifySession } from '../../auth/sessions.ts';
import { createRecoveryCode, createTotpSecret, describeTotp, findTimeStep, hashRecoveryCode } from '../../auth/totp.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { type EventActor, recordEvent } from '../../db/events.ts';
import { placeOf } from '../../db/sealed-columns.ts';
import { AppError } from '../../errors.ts';
import { requireUser } from '../users/users.ts';
import { deleteTotp, findTotp, insertTotp, redeemRecovery, takeTimeStep, updateSecret } from './queries.ts';

export type TotpRules = { readonly enabled: boolean; readonly allowRecovery: boolean };

/** A second step from now on: the session that asks for it goes on, the others must show a code. */
export async function enrolTotp(database: Database, rules: TotpRules, actor: Actor, userId: number): Promise<NewTotp> {
  refuseOthers(actor, userId);
  if (!rules.enabled) throw new AppError('forbidden', 'Two-step sign-in is switched off');
  const recoveryCode = rules.allowRecovery ? createRecoveryCode() : undefined;
  const recoveryHash = recoveryCode === undefined ? null : hashRecoveryCode(recoveryCode);
  try {
    const id = await database.transact(async (db) => {
      await lockUser(db, userId);
      const entry = await insertTotp(db, { user_id: userId, recovery_hash: recoveryHash, created: Date.now() });
      await updateSecret(db, entry, database.keyring.seal(createTotpSecret(), placeOf('totp', entry)));
      await unverifySessionsOf(db, userId, actor.sessionId);
      await recordChange(db, actor, actor.userId, 'Two-step sign-in switched on');
      return entry;
    });
    return { id, ...(recoveryCode === undefined ? {} : { recovery_code: recoveryCode }) };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'Two-step sign-in is switched on already');
  }
}

/** Whoever sees it can make codes: its owner, until the first code has shown that the app has it. */
export async function drawTotp(
  database: Database,
  actor: Actor,
  { userId, id, host }: { userId: number; id: number; host: string },
): Promise<Buffer> {
  refuseOthers(actor, userId);
  const entry = await findTotp(database.read, userId);
  if (entry?.id !== id || entry.last_step !== null) {
    throw new AppError('not_found', 'There is no image any more: the first code was accepted');
  }
  const secret = database.keyring.open(entry.secret, placeOf('totp', id));
  const { toBuffer } = await import('qrcode');
  return toBuffer(describeTotp(secret, actor.username, host), { type: 'png', width: 256, margin: 2 });
}

export async function removeTotp(database: Database, actor: EventActor, userId: number, id: number): Promise<void> {
  await database.transact(async (db) => {
    if (!(await deleteTotp(db, userId, id))) throw new AppError('not_found', 'There is no such second step');
    await endUnverifiedSessionsOf(db, userId);
    await recordChange(db, actor, userId, 'Two-step sign-in switched off');
  });
}

/** Verifies the session of the caller. A code counts once, and wrong ones are counted like wrong passwords. */
export async function verifyCode(database: Database, actor: Actor, passcode: string): Promise<void> {
  const entry = await findTotp(database.read, actor.userId);
  if (entry === undefined) throw noSecondStep();
  const attempt = await countCodeAttempt(database, actor.userId, actor.address, Date.now());
  const secret = database.keyring.open(entry.secret, placeOf('totp', entry.id));
  const step = findTimeStep(secret, passcode, Date.now());
  const isGood =
    step !== undefined &&
    (await database.transact(async (db) => {
      if (!(await takeTimeStep(db, entry.id, step))) return false;
      await forgiveAttempt(db, attempt);
      if (actor.sessionId !== undefined) await verifySession(db, actor.sessionId);
      await recordChange(db, actor, actor.userId, 'Passed the second step of the sign-in');
      return true;
    }));
  if (!isGood) throw new AppError('wrong_credentials', 'Incorrect verification code');
}

/** For whoever lost his app: the code removes the second step, and so it counts once. */
export async function redeemRecoveryCode(
  database: Database,
  rules: TotpRules,
  actor: Actor,
  code: string,
): Promise<void> {
  if (!rules.enabled || !rules.allowRecovery) throw new AppError('forbidden', 'Recovery codes are switched off');
  if ((await findTotp(database.read, actor.userId)) === undefined) throw noSecondStep();
  const attempt = await countCodeAttempt(database, actor.userId, actor.address, Date.now());
  const isGood = await database.transact(async (db) => {
    if (!(await redeemRecovery(db, actor.userId, hashRecoveryCode(code)))) return false;
    await forgiveAttempt(db, attempt);
    if (actor.sessionId !== undefined) await verifySession(db, actor.sessionId);
    await endUnverifiedSessionsOf(db, actor.userId);
    await recordChange(db, actor, actor.userId, 'Two-step sign-in switched off with the recovery code');
    return true;
  });
  if (!isGood) throw new AppError('wrong_credentials', 'Incorrect recovery code');
}

function refuseOthers(actor: Actor, userId: number): void {
  if (actor.userId !== userId) throw new AppError('forbidden', 'Everybody sets up his own second step');
}

function noSecondStep(): AppError {
  return new AppError('invalid', 'This account has no second step');
}

async function recordChange(db: Db, actor: EventActor, userId: number, description: string): Promise<void> {
  const { username } = await requireUser(db, userId);
  const entry = { projectId: null, objectType: 'user', objectId: userId, objectName: username };
  await recordEvent(db, actor, { ...entry, description: `${description}: ${username}` });
}
