import type { Notification, NotificationChannel } from '@signalbox/contract/notifications';
import type { Actor } from '../../auth/actor.ts';
import type { AlertFacts } from '../../db/alerts.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { addNotifications, type Due, holdMs, listChats, type Receiver } from '../../notifications/outbox.ts';
import type { NotificationSender } from '../../notifications/sender.ts';
import { countTests, readNotifications, readTestFacts } from './queries.ts';

const minute = 60_000;
/** Test messages of one project in a minute: receivers are strict, and the button is quickly pressed. */
const mostTests = 40;

/**
 * Sends a test message through one channel or all, on the very way that messages about tasks take, and waits for the
 * outcome of each.
 */
export async function testNotifications(
  database: Database,
  sender: NotificationSender,
  actor: Actor,
  { projectId, channel }: { projectId: number; channel: NotificationChannel | undefined },
): Promise<Notification[]> {
  const taken = await database.transact((db) => takeTests(db, sender, actor, { projectId, channel }));
  await Promise.all(taken.map((due) => sender.send(due)));
  return await readNotifications(
    database.read,
    projectId,
    taken.map(({ id }) => id),
  );
}

async function takeTests(
  db: Db,
  sender: NotificationSender,
  actor: Actor,
  { projectId, channel }: { projectId: number; channel: NotificationChannel | undefined },
): Promise<Due[]> {
  const found = await readTestFacts(db, projectId, actor.userId);
  if (found === undefined) throw new AppError('not_found', 'There is no such project');
  if (channel !== undefined && !sender.channels.includes(channel)) {
    throw refuseChannel('is not set up on this server');
  }
  const now = sender.now();
  if ((await countTests(db, projectId, now - minute)) >= mostTests) {
    throw new AppError('too_many_attempts', 'There were many test messages; try again in a minute');
  }
  const facts: AlertFacts = {
    kind: 'test',
    project: { id: projectId, name: found.project },
    task: null,
    author: found.author,
  };
  const receivers = await findReceivers(db, sender, { projectId, userId: actor.userId, hasMail: found.email !== '' });
  const wanted = receivers.filter((receiver) => channel === undefined || receiver.channel === channel);
  if (channel !== undefined && wanted.length === 0) {
    throw refuseChannel(channel === 'email' ? 'needs your e-mail address' : 'needs a chat');
  }
  await recordEvent(db, actor, {
    projectId,
    objectType: 'project',
    objectId: projectId,
    objectName: found.project,
    description: `Test messages of project ${found.project} sent`,
  });
  return await addNotifications(db, wanted, {
    facts,
    taskId: null,
    created: now,
    nextAttempt: now + holdMs,
    attempts: 1,
  });
}

async function findReceivers(
  db: Db,
  sender: NotificationSender,
  { projectId, userId, hasMail }: { projectId: number; userId: number; hasMail: boolean },
): Promise<Receiver[]> {
  const chats = await listChats(db, sender.settings, projectId);
  const isMailed = hasMail && sender.channels.includes('email');
  return isMailed ? [{ channel: 'email', target: '', user_id: userId }, ...chats] : chats;
}

function refuseChannel(problem: string): AppError {
  return new AppError('invalid', `The channel ${problem}`, [{ path: 'channel', message: problem }]);
}
