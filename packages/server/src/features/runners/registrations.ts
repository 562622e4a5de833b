import type {
  RegisteredRunner,
  RegisterRequest,
  Registration,
  RegistrationInput,
} from '@signalbox/contract/runner-registrations';
import type { Actor } from '../../auth/actor.ts';
import { createToken, hashToken } from '../../auth/tokens.ts';
import type { Database, Db } from '../../db/database.ts';
import { type EventActor, noActor, recordEvent } from '../../db/events.ts';
import type { RunnerIdentity } from '../../engine/runner-identity.ts';
import { AppError } from '../../errors.ts';
import { deleteInstances, insertRunner, listHeldTasks, type RunnerScope, retireRunner } from './queries.ts';
import { deleteOldRegistrations, insertRegistration, spendRegistration } from './registration-queries.ts';
import { noRunner, type RunnerRules, readTag, refuseSwitchedOff, stillBusy } from './runners.ts';

const defaultLife = 3600;
const defaultLostAfter = 300;
/** How long one that has expired is kept: nobody asks for it. */
const keptMs = 24 * 3600 * 1000;

/** Lets one runner register itself, for a while. What it will be is decided here, and nothing of it by the runner. */
export async function createRegistration(
  database: Database,
  rules: RunnerRules,
  actor: Actor,
  { projectId = null }: { projectId?: number | null },
  input: RegistrationInput,
): Promise<Registration> {
  refuseSwitchedOff(rules, projectId);
  const token = createToken();
  const now = rules.now();
  const terms = {
    project_id: projectId,
    tag: readTag(input.tag, projectId),
    max_parallel_tasks: input.max_parallel_tasks ?? 0,
    expires: now + (input.expires_in_seconds ?? defaultLife) * 1000,
  };
  const id = await database.transact(async (db) => {
    await deleteOldRegistrations(db, now - keptMs);
    const row = await insertRegistration(db, { ...terms, token_hash: hashToken(token), created: now, used: null });
    await recordRegistration(db, actor, { projectId, id: row, name: '' }, 'Registration of a runner allowed once');
    return row;
  });
  return { ...terms, id, tag: terms.tag ?? '', expires: new Date(terms.expires).toISOString(), token };
}

/** @throws AppError unauthenticated for a token that is not known, was spent, or has expired: which of it is not told */
export async function registerItself(
  database: Database,
  rules: RunnerRules,
  address: string,
  { registration_token: registrationToken, name, public_key }: RegisterRequest,
): Promise<RegisteredRunner> {
  const token = createToken();
  const now = rules.now();
  const actor = { ...noActor, address };
  const id = await database.transact(async (db) => {
    const terms = await spendRegistration(db, hashToken(registrationToken), now);
    if (terms === undefined) {
      throw new AppError(
        'unauthenticated',
        'The registration token is not valid: it was used, has expired or never was',
      );
    }
    refuseSwitchedOff(rules, terms.project_id);
    const row = await insertRunner(db, {
      name,
      ...terms,
      webhook: '',
      active: true,
      lost_after_seconds: defaultLostAfter,
      token_hash: hashToken(token),
      public_key,
      created: Date.now(),
    });
    const place = { projectId: terms.project_id, id: row, name };
    await recordRegistration(db, actor, place, `Runner ${name} registered itself`);
    return row;
  });
  return { id, name, token };
}

/** @throws AppError conflict while it has tasks in hand: their ends would be refused with its token */
export async function unregisterItself(
  database: Database,
  rules: RunnerRules,
  address: string,
  { runnerId, projectId }: RunnerIdentity,
): Promise<void> {
  if (runnerId === null) throw new AppError('forbidden', 'The built-in runner belongs to its server');
  const scope: RunnerScope = projectId === null ? {} : { projectId };
  await database.transact(async (db) => {
    const { name } = await requireName(db, runnerId);
    if (!(await retireRunner(db, scope, runnerId, rules.now()))) throw noRunner();
    const tasks = await listHeldTasks(db, runnerId);
    if (tasks.length > 0) throw stillBusy(tasks);
    await deleteInstances(db, runnerId);
    const place = { projectId, id: runnerId, name };
    await recordRegistration(db, { ...noActor, address }, place, `Runner ${name} unregistered itself`);
  });
  rules.wakeQueue();
}

async function requireName(db: Db, id: number): Promise<{ name: string }> {
  const row = await db.selectFrom('runner').select('name').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw noRunner();
  return row;
}

async function recordRegistration(
  db: Db,
  actor: EventActor,
  { projectId, id, name }: { projectId: number | null; id: number; name: string },
  description: string,
): Promise<void> {
  await recordEvent(db, actor, { projectId, objectType: 'runner', objectId: id, objectName: name, description });
}
