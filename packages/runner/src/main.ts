import manifest from '../package.json' with { type: 'json' };
import { BadSetting, type RunnerOptions, readOwnEnvironment, readStartLine } from './config.ts';
import { readFirstLine } from './first-line.ts';
import { RunnerLock } from './journal/runner-lock.ts';
import { Runner } from './runner.ts';
import { makeDirectories } from './workplace.ts';

// Whoever reads what it prints, a terminal or a journal, may go away. The runner stays, and there is nobody left to tell.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

function note(text: string): void {
  console.error(`${new Date().toISOString()} ${text}`);
}

function takeLock(dataDir: string): RunnerLock | null {
  try {
    makeDirectories({ dataDir });
    return RunnerLock.take(dataDir);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadSetting(`The runner cannot use its data directory ${dataDir}: ${why}`, { cause: error });
  }
}

async function work(options: RunnerOptions): Promise<number> {
  const lock = takeLock(options.dataDir);
  if (lock === null) {
    // Another runner works on this directory: for the built-in one that is as it should be.
    if (options.leaves) return 0;
    throw new BadSetting(`Another runner works in ${options.dataDir}`);
  }
  const runner = new Runner(options, lock, note);
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    runner.shutDown(signals > 1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGUSR2', () => runner.drain());
  // The terminal that started it may go away; the runner stays.
  process.on('SIGHUP', () => undefined);
  return runner.run();
}

function say(lines: readonly string[]): number {
  for (const line of lines) console.log(line);
  return 0;
}

/** What an operator asks for. The built-in runner never needs it, and stays smaller without. */
async function runCommand(command: string, args: readonly string[]): Promise<number> {
  const { readStart, runSetup, runUnregister, usage } = await import('./commands.ts');
  const environment = readOwnEnvironment();
  switch (command) {
    case 'start':
      return work(await readStart(args, environment, note));
    case 'setup':
      return say(await runSetup(args, environment));
    case 'unregister':
      return say(await runUnregister(args, environment, takeLock));
    case 'version':
    case '--version':
      return say([manifest.version]);
    case 'help':
    case '--help':
      return say([usage]);
    default:
      console.error(usage);
      return 1;
  }
}

async function runMain([command = '', ...args]: readonly string[]): Promise<number> {
  if (command === '--built-in') return work(readStartLine(await readFirstLine()));
  return runCommand(command, args);
}

try {
  process.exit(await runMain(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof BadSetting)) throw error;
  note(error.message);
  process.exit(1);
}
