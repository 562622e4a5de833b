import type { BlockList } from 'node:net';
import type { Database } from '../db/database.ts';
import { noActor } from '../db/events.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { readServerId, writeAddress } from './address-file.ts';
import { BuiltinRunner, type BuiltinSettings, runnerDirectory } from './builtin-runner.ts';
import { type Clock, DatabaseClock } from './clock.ts';
import { Dispatcher } from './dispatcher.ts';
import { LiveHub } from './live-hub.ts';
import { LogNews } from './log-news.ts';
import type { JobSettings } from './make-job.ts';
import { type Finding, ProbeBoard, type Question } from './probes.ts';
import type { PulseFacts } from './pulse.ts';
import { Retention, type RetentionSettings } from './retention.ts';
import { onlineMs, type RunnerFacts, readRunnerFacts } from './runner-facts.ts';
import { RunnerHub } from './runner-hub.ts';
import type { RunnerIdentity } from './runner-identity.ts';
import { findRunnerByToken } from './runner-instances.ts';
import { isRunnerLockHeld } from './runner-lock.ts';
import { RunnerWebhooks } from './runner-webhooks.ts';
import { ScheduleTimer } from './schedule-timer.ts';
import { stopTask } from './stop-task.ts';
import { Sweeper } from './sweeper.ts';
import { TaskNews } from './task-news.ts';
import { isBusy } from './task-sets.ts';

export type EngineParts = {
  readonly database: Database;
  readonly log: Logger;
  readonly settings: JobSettings &
    BuiltinSettings & {
      /** 0 = unlimited. */
      readonly maxParallelTasks: number;
      /** `external`: runners are started by somebody else. */
      readonly runner: 'builtin' | 'external';
      /** Of this product; the built-in runner has the same. */
      readonly version: string;
      /** Addresses of all servers, for runners that lose this one. */
      readonly servers: readonly string[];
      /** How long a plan waits for a person, in milliseconds. */
      readonly confirmMs: number;
      /** Silence of a runner after which what it had not started waits again, in milliseconds. */
      readonly runnerSilentMs: number;
      /** How old a tick of a schedule may be that was missed and is run all the same, in milliseconds. */
      readonly catchUpMs: number;
      /** How long a question waits for a runner. */
      readonly patienceMs?: number;
      readonly retention: RetentionSettings;
      /** Where no webhook of a runner is called. */
      readonly deniedNetworks: BlockList;
    };
  readonly clock?: Clock;
};

/** The queue and everything around it, running. */
export type Engine = {
  readonly news: TaskNews;
  readonly live: LiveHub;
  readonly hub: RunnerHub;
  /** The time on which all servers of the database agree. */
  now(): number;
  identifyRunner(tokenHash: string): Promise<RunnerIdentity | undefined>;
  /** Something besides a task changed that may let one start: a limit, a template, a runner. */
  wakeQueue(): void;
  askRunner(question: Question): Promise<Finding>;
  readFacts(): Promise<RunnerFacts>;
  /** Whether this server can store, and how late it is. */
  readPulse(): PulseFacts;
  /** The server listens: the built-in runner is told where, and started unless one is there. */
  open(url: string): void;
  /** What the timer does every few seconds. */
  sweep(): Promise<void>;
  /** The server is about to end: no task is handed out any more, and none is taken. */
  endWork(): Promise<void>;
  isEnding(): boolean;
  /** Tasks that the built-in runner has in hand. */
  countRunning(): Promise<number>;
  /** Asks those tasks to stop, and waits for their ends. */
  stopRunning(): Promise<void>;
  /** Tasks go on under their runner; an idle one is told to end. */
  stop(): Promise<void>;
};

/** How often the server looks whether all tasks have stopped. */
const stopCheckMs = 200;

/** Builds the engine, in the order in which its parts need each other, and starts its timers. */
export function startEngine({ database, log, settings, clock: givenClock }: EngineParts): Engine {
  const databaseClock = new DatabaseClock(database);
  const clock = givenClock ?? databaseClock;
  const server = readServerId(settings.dataDir);
  const news = new TaskNews(database, log);
  const logNews = new LogNews(database, log);
  const live = new LiveHub(database, news, logNews, log);
  const shared = { database, log, clock, databaseClock, news, settings };
  const probes: ProbeBoard = new ProbeBoard({ ...shared, sessions: () => hub.sessions() });
  const hub: RunnerHub = new RunnerHub({
    ...shared,
    probes,
    wake: () => dispatcher.wake(),
    onLogGrowth: (growth) => logNews.publish(growth),
  });
  const dispatcher = new Dispatcher({ ...shared, sessions: () => hub.sessions() });
  wakeOnNews(news, dispatcher);
  const webhooks = new RunnerWebhooks(shared);
  const builtin = new BuiltinRunner({ ...shared, server, isHeard: () => hub.hears(server) });
  const schedules = new ScheduleTimer({ ...shared, probes, live });
  const retention = new Retention({ ...shared, settings: settings.retention });
  const sweeper = new Sweeper({
    ...shared,
    live,
    hub,
    probes,
    dispatcher,
    schedules,
    server,
    isBuiltInAlive: () => isRunnerLockHeld(runnerDirectory(settings.dataDir)),
  });
  for (const timed of [sweeper, schedules, retention]) timed.start();
  dispatcher.wake(true);
  return {
    news,
    live,
    hub,
    now: () => clock.now(),
    endWork: async () => {
      await Promise.all([dispatcher.stop(), schedules.stop()]);
    },
    isEnding: () => dispatcher.isStopped,
    identifyRunner: (tokenHash) => findRunnerByToken(database.read, tokenHash),
    wakeQueue: () => news.wake(),
    askRunner: (question) => probes.ask(question),
    readFacts: () => readRunnerFacts(database.read, clock.now() - onlineMs),
    readPulse: () => sweeper.readPulse(),
    open: (url) => {
      writeAddress(settings.dataDir, url);
      if (settings.runner === 'builtin') builtin.start();
    },
    sweep: () => sweeper.sweep(),
    countRunning: async () => (await listRunning(database, server)).length,
    stopRunning: () => stopRunning(database, news, clock, server),
    stop: async () => {
      builtin.stop();
      await schedules.stop();
      hub.drainIdle();
      hub.close();
      probes.stop();
      webhooks.stop();
      await Promise.all([sweeper.stop(), dispatcher.stop(), schedules.settle(), retention.stop()]);
      live.close();
      logNews.stop();
      news.stop();
    },
  };
}

/** A new task, or the end of one that held a slot, may let a task start. */
function wakeOnNews(news: TaskNews, dispatcher: Dispatcher): void {
  news.onTasks((rows) => {
    const isNew = rows.some((row) => row.status === 'waiting');
    const isFree = rows.some((row) => row.end !== null || row.status === 'waiting_confirmation');
    if (isNew || isFree) dispatcher.wake(isNew);
  });
  news.onWake(() => dispatcher.wake(true));
}

async function listRunning(database: Database, server: string): Promise<{ id: number; project_id: number }[]> {
  return await database.read
    .selectFrom('task')
    .select(['id', 'project_id'])
    .where(isBusy)
    .where('instance', 'in', (eb) =>
      eb.selectFrom('runner_instance').select('runner_instance.instance').where('server', '=', server),
    )
    .execute();
}

async function stopRunning(database: Database, news: TaskNews, clock: Clock, server: string): Promise<void> {
  for (const { id, project_id: projectId } of await listRunning(database, server)) {
    const order = { projectId, taskId: id, force: false, actor: noActor, now: clock.now() };
    try {
      news.publish(await stopTask(database, order));
    } catch (error) {
      // It may have ended meanwhile: that is as good.
      if (!(error instanceof AppError) || error.code !== 'task_final') throw error;
    }
  }
  while ((await listRunning(database, server)).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, stopCheckMs));
  }
}
