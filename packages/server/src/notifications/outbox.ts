import type { NotificationChannel } from '@signalbox/contract/notifications';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { ChannelSettings } from '../config-notifications.ts';
import { AlertFacts } from '../db/alerts.ts';
import type { Database, Db } from '../db/database.ts';
import type { StateTables } from '../db/tables.ts';

type NotificationRow = Selectable<StateTables['notification']>;

/** A message that this server has taken to send it now. */
export type Due = NotificationRow & { readonly facts: AlertFacts };

export const maxAttempts = 8;
/** Longer than any attempt takes: a message that is still taken then was left by a server that ended. */
export const holdMs = 45_000;
const minute = 60_000;
/** Waits after the first attempt, the second one, and so on. */
const waits = [1, 3, 10, 30, 60, 180, 360].map((minutes) => minutes * minute);
/** A channel that another server has, and this one has not, may still be set up here. */
const unknownAfter = 24 * 60 * minute;

const channels: readonly (keyof ChannelSettings)[] = [
  'email',
  'telegram',
  'slack',
  'rocketchat',
  'microsoft_teams',
  'dingtalk',
  'gotify',
  'webhook',
] satisfies NotificationChannel[];

/** The channels that are set up. */
export function listChannels(settings: ChannelSettings): NotificationChannel[] {
  return channels.filter((channel) => settings[channel] !== undefined);
}

/** Makes messages of what is to be told, one for each receiver. @returns how many alerts were taken */
export async function spreadAlerts(database: Database, settings: ChannelSettings, now: number): Promise<number> {
  const most = 100;
  // Most tasks are of projects that want to hear nothing: nobody waits for a transaction that has nothing to do.
  const first = await database.read.selectFrom('task_alert').select('id').limit(1).executeTakeFirst();
  if (first === undefined) return 0;
  return await database.transact(async (db) => {
    const alerts = await db
      .selectFrom('task_alert')
      .selectAll()
      .orderBy('id')
      .limit(most)
      .forUpdate()
      .skipLocked()
      .execute();
    if (alerts.length === 0) return 0;
    for (const alert of alerts) {
      const facts = z.parse(AlertFacts, JSON.parse(alert.facts));
      await addNotifications(db, await findReceivers(db, settings, facts), {
        facts,
        taskId: alert.task_id,
        created: alert.created,
        nextAttempt: now,
      });
    }
    const ids = alerts.map(({ id }) => id);
    await db.deleteFrom('task_alert').where('id', 'in', ids).execute();
    return alerts.length;
  });
}

export type Receiver = Pick<NotificationRow, 'channel' | 'target' | 'user_id'>;

/** Who is told of it: every channel that is set up, mail on errors only, and one mail for each person who wants it. */
async function findReceivers(db: Db, settings: ChannelSettings, facts: AlertFacts): Promise<Receiver[]> {
  const people = settings.email !== undefined && facts.kind === 'error' ? await listMailed(db, facts.project.id) : [];
  const mails = people.map((userId) => ({ channel: 'email', target: '', user_id: userId }));
  return [...mails, ...(await listChats(db, settings, facts.project.id))];
}

/** Members of the project who want to hear of failures, and have an address. */
async function listMailed(db: Db, projectId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('project_user')
    .innerJoin('user', 'user.id', 'project_user.user_id')
    .select('user.id')
    .where('project_user.project_id', '=', projectId)
    .where('user.alert', '=', true)
    .where('user.email', '!=', '')
    .orderBy('user.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Everything but mail. A project without a chat of its own has that of the settings, or none. */
export async function listChats(db: Db, settings: ChannelSettings, projectId: number): Promise<Receiver[]> {
  const project = await db.selectFrom('project').select('alert_chat').where('id', '=', projectId).executeTakeFirst();
  const chat = project?.alert_chat?.trim() || settings.telegram?.chat || '';
  return listChannels(settings)
    .filter((channel) => channel !== 'email' && (channel !== 'telegram' || chat !== ''))
    .map((channel) => ({ channel, target: channel === 'telegram' ? chat : '', user_id: null }));
}

export type Letter = {
  readonly facts: AlertFacts;
  readonly taskId: number | null;
  readonly created: number;
  readonly nextAttempt: number;
  /** One who sends it at once has taken it already. */
  readonly attempts?: number;
};

export async function addNotifications(
  db: Db,
  receivers: readonly Receiver[],
  { facts, taskId, created, nextAttempt, attempts = 0 }: Letter,
): Promise<Due[]> {
  if (receivers.length === 0) return [];
  const rows = await db
    .insertInto('notification')
    .values(
      receivers.map((receiver) => ({
        ...receiver,
        project_id: facts.project.id,
        task_id: taskId,
        kind: facts.kind,
        payload: JSON.stringify(facts),
        created,
        next_attempt: nextAttempt,
        attempts,
        sent: null,
        error: '',
      })),
    )
    .returningAll()
    .execute();
  return rows.map((row) => ({ ...row, facts }));
}

/**
 * Takes messages of one channel whose time has come. They are taken for as long as an attempt may last; nobody else takes
 * them meanwhile, and whoever takes a message counts an attempt, so that one that kills its sender is not tried for ever.
 */
export async function takeDue(
  database: Database,
  channel: NotificationChannel,
  limit: number,
  now: number,
): Promise<Due[]> {
  const dueIn = (db: Db) =>
    db
      .selectFrom('notification')
      .select('id')
      .where('channel', '=', channel)
      .where('next_attempt', '<=', now)
      .orderBy('next_attempt')
      .orderBy('id')
      .limit(limit);
  if ((await dueIn(database.read).executeTakeFirst()) === undefined) return [];
  const rows = await database.transact(async (db) => {
    // As a statement of its own: within the update, PostgreSQL might look for more than the limit.
    const due = await dueIn(db).forUpdate().skipLocked().execute();
    if (due.length === 0) return [];
    return await db
      .updateTable('notification')
      .set({ next_attempt: now + holdMs, attempts: sql`attempts + 1` })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .returningAll()
      .execute();
  });
  return rows.map((row) => ({ ...row, facts: z.parse(AlertFacts, JSON.parse(row.payload)) }));
}

/** What becomes of a message after an attempt. */
export type Verdict =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly error: string; readonly waitMs: number }
  | { readonly kind: 'failed'; readonly error: string };

/** How long the next attempt is waited for: longer each time, and not for all messages the same. */
export function waitAfter(attempts: number): number {
  const wait = waits[Math.min(attempts, waits.length) - 1] ?? minute;
  return Math.round(wait * (1 + Math.random() / 10));
}

/** Stores the outcome of an attempt, unless somebody else has taken the message since. */
export async function recordVerdict(database: Database, due: Due, verdict: Verdict, now: number): Promise<void> {
  const set = {
    sent: { sent: now, next_attempt: null, error: '' },
    later: { next_attempt: now + (verdict.kind === 'later' ? verdict.waitMs : 0) },
    failed: { next_attempt: null },
  }[verdict.kind];
  await database.transact((db) =>
    db
      .updateTable('notification')
      .set(verdict.kind === 'sent' ? set : { ...set, error: verdict.error })
      .where('id', '=', due.id)
      .where('attempts', '=', due.attempts)
      .where('next_attempt', 'is not', null)
      .execute(),
  );
}

/** The address of somebody who is still to be told. A test goes to whoever asks for it. */
export async function findAddress(db: Db, due: Due): Promise<string | undefined> {
  if (due.user_id === null) return undefined;
  let query = db.selectFrom('user').select('email').where('id', '=', due.user_id).where('email', '!=', '');
  if (due.kind !== 'test') {
    const membership = db
      .selectFrom('project_user')
      .select('user_id')
      .where('project_id', '=', due.project_id)
      .where('user_id', '=', due.user_id);
    query = query.where('alert', '=', true).where('id', 'in', membership);
  }
  return (await query.executeTakeFirst())?.email;
}

/** At the start of the only server of a database: what is taken was taken by one that has ended. */
export async function freeTaken(database: Database, now: number): Promise<void> {
  if (database.engine === 'postgres') return;
  await database.transact((db) =>
    db
      .updateTable('notification')
      .set({ next_attempt: now })
      .where('next_attempt', '>', now)
      .where('next_attempt', '<=', now + holdMs)
      .execute(),
  );
}

/** Gives up what nobody can send, and deletes what is old, a portion at a time. */
export async function tidyOutbox(
  database: Database,
  settings: ChannelSettings,
  { keptMs, now }: { keptMs: number; now: number },
): Promise<void> {
  const known = listChannels(settings);
  await database.transact((db) =>
    db
      .updateTable('notification')
      .set({ next_attempt: null, error: 'The channel is switched off' })
      .where('next_attempt', 'is not', null)
      .where('created', '<', now - unknownAfter)
      .$if(known.length > 0, (query) => query.where('channel', 'not in', known))
      .execute(),
  );
  const most = 500;
  const deleteSome = () =>
    database.transact(async (db) => {
      const { numDeletedRows } = await db
        .deleteFrom('notification')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('notification as old')
            .select('old.id')
            .where('old.created', '<', now - keptMs)
            .where('old.next_attempt', 'is', null)
            .orderBy('old.created')
            .limit(most),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  while ((await deleteSome()) === most);
}
