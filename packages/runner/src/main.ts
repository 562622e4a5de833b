import { BadSetting, type RunnerOptions, readRemoteOptions, readStartLine } from './config.ts';
import { RunnerLock } from './journal/runner-lock.ts';
import { Runner } from './runner.ts';
import { makeDirectories } from './workplace.ts';

async function readLine(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    if (part.includes(10)) break;
  }
  return Buffer.concat(parts).toString('utf8').split('\n', 1)[0] ?? '';
}

async function readOptions(): Promise<RunnerOptions> {
  if (process.argv.includes('--built-in')) return readStartLine(await readLine());
  return readRemoteOptions();
}

function note(text: string): void {
  console.error(`${new Date().toISOString()} ${text}`);
}

function takeLock(options: RunnerOptions): RunnerLock | null {
  try {
    makeDirectories(options);
    return RunnerLock.take(options.dataDir);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadSetting(`The runner cannot use its data directory ${options.dataDir}: ${why}`, { cause: error });
  }
}

async function runMain(): Promise<number> {
  const options = await readOptions();
  const lock = takeLock(options);
  // Another runner works on this directory: that is as it should be.
  if (lock === null) return 0;
  const runner = new Runner(options, lock, note);
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    runner.shutDown(signals > 1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // The terminal that started it may go away; the runner stays.
  process.on('SIGHUP', () => undefined);
  return runner.run();
}

try {
  process.exit(await runMain());
} catch (error) {
  if (!(error instanceof BadSetting)) throw error;
  note(error.message);
  process.exit(1);
}
