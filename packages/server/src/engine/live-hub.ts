import type { ServerMessage } from '@signalbox/contract/live';
import { isFinal } from '@signalbox/contract/task-state';
import type { Database } from '../db/database.ts';
import { findLogState, readRange } from '../db/log-lines.ts';
import type { Logger } from '../logger.ts';
import { LegacyFeed } from './legacy-feed.ts';
import { LiveConnection, type Visitor } from './live-connection.ts';
import { allTasks, type LogNews } from './log-news.ts';
import { LogSubscription, pageBytes } from './log-subscription.ts';
import type { LogGrowth } from './log-upload.ts';
import type { TaskNews } from './task-news.ts';
import { type TaskRow, toOptionalTimestamp } from './task-record.ts';

/** Changes of one task within this time go out as one message: nobody sees what lasted shorter. */
const updateMs = 40;
const maxSubscriptions = 50;
/** Changes at other servers of the same database: the project, `-` for the installation, and what of it. */
const channel = 'signalbox_changes';
/** Users of the same database whose sessions have ended or whose rights are others, at another server. */
const accessChannel = 'signalbox_access';

type Subscriber = { connection: LiveConnection; subscription: LogSubscription; stopWanting: () => void };
type Participant = { subscriptions: Map<number, Subscriber>; stopWanting: (() => void) | undefined };

/** Tells browsers what changes. It knows no HTTP: a visitor is something that can be sent texts, and has rights. */
export class LiveHub {
  readonly #database: Database;
  readonly #logNews: LogNews;
  readonly #log: Logger;
  readonly #stopListening: (() => void)[];
  readonly #participants = new Map<LiveConnection, Participant>();
  readonly #byTask = new Map<number, Set<Subscriber>>();
  readonly #legacy: LegacyFeed;
  readonly #updates = new Map<number, TaskRow>();
  #timer: NodeJS.Timeout | undefined;
  /** What was read last, for the others who look at the same place of the same log. */
  #recent: { key: string; lines: ReturnType<typeof readRange> } | undefined;
  #growth = 0;

  constructor(database: Database, taskNews: TaskNews, logNews: LogNews, log: Logger) {
    this.#database = database;
    this.#logNews = logNews;
    this.#log = log;
    this.#stopListening = [
      database.notices.listen(channel, (text) => {
        const [projectId, object = ''] = text.split(' ');
        this.#tellChange(projectId === '-' ? null : Number(projectId), object);
      }),
      database.notices.listen(accessChannel, (text) => this.#checkUser(Number(text))),
    ];
    this.#legacy = new LegacyFeed((taskId, from, count) => readRange(database.logs.read, taskId, from, count));
    taskNews.onTasks((rows) => this.#noteTasks(rows));
    logNews.onGrowth((growth) => this.#noteGrowth(growth));
  }

  /** @returns the connection, to which what the client says is given by `receive` */
  join(visitor: Visitor): LiveConnection {
    const connection: LiveConnection = new LiveConnection(visitor, () => this.#becomeLegacy(connection));
    this.#participants.set(connection, { subscriptions: new Map(), stopWanting: undefined });
    return connection;
  }

  leave(connection: LiveConnection): void {
    const participant = this.#participants.get(connection);
    if (participant === undefined) return;
    this.#participants.delete(connection);
    for (const [taskId, subscriber] of participant.subscriptions) this.#drop(taskId, subscriber);
    participant.stopWanting?.();
    this.#legacy.remove(connection);
    connection.leave();
  }

  async receive(connection: LiveConnection, text: string): Promise<void> {
    const message = connection.read(text);
    if (message?.type === 'subscribe') await this.#subscribe(connection, message.task_id, message.from);
    else if (message?.type === 'unsubscribe') this.#unsubscribe(connection, message.task_id);
  }

  /** Somebody joined or left a project, or lost or won a right. */
  noteRights(): void {
    for (const [connection, { subscriptions }] of this.#participants) {
      connection.forgetRights();
      for (const { subscription } of subscriptions.values()) subscription.note();
    }
  }

  /** Sessions of a user have ended, or his rights are others. */
  noteAccess(userId: number): void {
    this.#checkUser(userId);
    this.#database.notices.send(accessChannel, String(userId)).catch((error: unknown) => {
      this.#log.warn('Other servers could not be told of a change of rights', { cause: error });
    });
  }

  /** Sessions run out, and commands of an operator end some, without anybody saying so here. */
  checkEverybody(): void {
    for (const connection of this.#participants.keys()) connection.checkRights();
  }

  #checkUser(userId: number): void {
    for (const connection of this.#participants.keys()) {
      if (connection.userId === userId) connection.checkRights();
    }
  }

  /** Something of a project besides its tasks has changed, or something of the whole installation. */
  noteChange(projectId: number | null, object: string): void {
    this.#tellChange(projectId, object);
    this.#database.notices.send(channel, `${projectId ?? '-'} ${object}`).catch((error: unknown) => {
      this.#log.warn('Other servers could not be told of a change', { cause: error });
    });
  }

  #tellChange(projectId: number | null, object: string): void {
    this.#broadcast([{ projectId, message: { type: 'changed', project_id: projectId, object } }]);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
    for (const connection of [...this.#participants.keys()]) {
      connection.close(1001, 'The server is shutting down');
      this.leave(connection);
    }
    this.#legacy.stop();
  }

  async #subscribe(connection: LiveConnection, taskId: number, from: number): Promise<void> {
    const participant = this.#participants.get(connection);
    const refuse = (error: string) => connection.send({ type: 'refused', task_id: taskId, error });
    if (participant === undefined) return;
    this.#unsubscribe(connection, taskId);
    if (participant.subscriptions.size >= maxSubscriptions) return refuse('Too many subscriptions');
    const task = await this.#database.read
      .selectFrom('task')
      .select(['project_id', 'status'])
      .where('id', '=', taskId)
      .executeTakeFirst();
    if (task === undefined || !(await connection.maySee(task.project_id))) return refuse('There is no such task');
    if (connection.isClosed) return;
    // He may have asked again while the task was looked up: the last word counts.
    this.#unsubscribe(connection, taskId);
    const view = {
      connection,
      taskId,
      projectId: task.project_id,
      from,
      read: (id: number, first: number, count: number) => this.#read(id, first, count),
      findState: (id: number) => findLogState(this.#database.logs.read, id),
      onEnd: () => this.#unsubscribe(connection, taskId),
    };
    const subscription = new LogSubscription(view, isFinal(task.status));
    const subscriber = { connection, subscription, stopWanting: this.#logNews.want(taskId) };
    // Registered before the first line is read, so that nothing falls between the stored and the new.
    participant.subscriptions.set(taskId, subscriber);
    const others = this.#byTask.get(taskId);
    if (others === undefined) this.#byTask.set(taskId, new Set([subscriber]));
    else others.add(subscriber);
    subscription.note();
  }

  #unsubscribe(connection: LiveConnection, taskId: number): void {
    const subscriptions = this.#participants.get(connection)?.subscriptions;
    const subscriber = subscriptions?.get(taskId);
    if (subscriber === undefined) return;
    subscriptions?.delete(taskId);
    this.#drop(taskId, subscriber);
  }

  #drop(taskId: number, subscriber: Subscriber): void {
    subscriber.subscription.end();
    subscriber.stopWanting();
    const others = this.#byTask.get(taskId);
    others?.delete(subscriber);
    if (others?.size === 0) this.#byTask.delete(taskId);
  }

  #becomeLegacy(connection: LiveConnection): void {
    const participant = this.#participants.get(connection);
    if (participant === undefined) return;
    participant.stopWanting = this.#logNews.want(allTasks);
    this.#legacy.add(connection);
  }

  #noteGrowth(growth: readonly LogGrowth[]): void {
    this.#growth += 1;
    for (const { taskId } of growth) {
      for (const { subscription } of this.#byTask.get(taskId) ?? []) subscription.note();
    }
    this.#legacy.note(growth);
  }

  #noteTasks(rows: readonly TaskRow[]): void {
    this.#growth += 1;
    for (const row of rows) {
      for (const { subscription } of this.#byTask.get(row.id) ?? []) subscription.note(isFinal(row.status));
      if (this.#participants.size > 0) this.#updates.set(row.id, row);
    }
    if (this.#updates.size > 0) this.#timer ??= setTimeout(() => this.#sendUpdates(), updateMs);
  }

  #sendUpdates(): void {
    this.#timer = undefined;
    const rows = [...this.#updates.values()];
    this.#updates.clear();
    this.#broadcast(rows.map((row) => ({ projectId: row.project_id, message: toUpdate(row) })));
  }

  #broadcast(messages: readonly { projectId: number | null; message: ServerMessage }[]): void {
    if (this.#participants.size === 0) return;
    const texts = messages.map(({ projectId, message }) => ({
      projectId,
      text: JSON.stringify(message),
      isLegacy: message.type === 'update',
    }));
    for (const connection of this.#participants.keys()) connection.queue(texts);
  }

  #read(taskId: number, from: number, count: number): ReturnType<typeof readRange> {
    const key = `${taskId} ${from} ${count} ${this.#growth}`;
    if (this.#recent?.key === key) return this.#recent.lines;
    const lines = readRange(this.#database.logs.read, taskId, from, count, pageBytes);
    this.#recent = { key, lines };
    return lines;
  }
}

function toUpdate(row: TaskRow): ServerMessage {
  return {
    type: 'update',
    task_id: row.id,
    template_id: row.template_id,
    project_id: row.project_id,
    status: row.status,
    start: toOptionalTimestamp(row.start),
    end: toOptionalTimestamp(row.end),
    version: row.version,
  };
}
