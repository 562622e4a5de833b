import { userInfo } from 'node:os';
import { type App, startApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { StartRefusal } from './db/start-refusal.ts';
import { giveMemoryBackWhenIdle } from './idle-memory.ts';
import { readVersion } from './installation.ts';
import { createLogger } from './logger.ts';

/** How long a second Ctrl-C is waited for while tasks run: a person has to read first, a service manager does not. */
const secondSignalMs = process.stdout.isTTY ? 10_000 : 1000;
/** Who signals a whole process group reaches this process twice: directly, and through npm, which passes it on. */
const sameActMs = 250;

// Whoever reads what it prints, a terminal or a journal, may go away. The server stays, and there is nobody left to tell.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  const config = loadConfig();
  const started = startApp(
    config,
    createLogger((line) => process.stderr.write(line)),
  );
  // It answers before the start is over: a signal that comes meanwhile must not cut the first administrator off.
  stopOnSignals(started);
  printStart(await started, config);
  giveMemoryBackWhenIdle();
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function printStart(app: App, config: Config): void {
  const lines = [`Signalbox ${readVersion()} is running.`, '', `  URL       ${app.url}`];
  const { firstAdministrator: first } = app;
  if (first !== undefined) lines.push(`  Login     ${first.login}`);
  if (first?.generated) lines.push(`  Password  ${first.password}   (made up now and shown this once)`);
  lines.push(`  Data      ${config.dataDir}`);
  if (config.runner === 'builtin') lines.push(`  Note      ${describeIsolation()}`);
  console.log(`${lines.join('\n')}\n`);
}

/** Both are one user where the server starts the runner; only root can give each slot of tasks a user of its own. */
function describeIsolation(): string {
  const { username, uid } = userInfo();
  const unless = uid === 0 ? 'Unless each slot has a user of its own, tasks' : 'Tasks';
  return `${unless} run as ${username}, like the server, and can read what it can (docs/reliability.md)`;
}

/** The first signal ends the server and leaves tasks to their runner; the second one stops the tasks as well. */
function stopOnSignals(started: Promise<App>): void {
  let signals = 0;
  let last = Number.NEGATIVE_INFINITY;
  const second = Promise.withResolvers<void>();
  const onSignal = () => {
    const now = performance.now();
    const isSameAct = now - last < sameActMs;
    last = now;
    if (isSameAct) return;
    signals += 1;
    if (signals === 1) void endOnce();
    else if (signals === 2) second.resolve();
    else process.exit(1);
  };
  const endOnce = async () => {
    const app = await started.catch(() => undefined);
    // Whoever waits for the start says why it failed.
    if (app === undefined) return;
    try {
      await end(app, second.promise);
      // Nothing is left to do; a handle that somebody forgot must not keep the process.
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function end(app: App, second: Promise<void>): Promise<void> {
  await app.endWork();
  const running = await app.countRunning();
  if (running > 0) {
    const tasks = running === 1 ? '1 task is running and goes on' : `${running} tasks are running and go on`;
    console.log(
      `${tasks}; start again to see ${running === 1 ? 'it' : 'them'}, press Ctrl-C again to stop ${running === 1 ? 'it' : 'them'}`,
    );
    const isSecond = await Promise.race([second.then(() => true), sleep(secondSignalMs).then(() => false)]);
    if (isSecond) await app.stopRunning();
  }
  await app.stop();
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
