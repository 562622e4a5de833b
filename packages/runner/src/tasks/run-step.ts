import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { Socket } from 'node:net';
import type { TaskLog } from '../log/task-log.ts';
import { pause } from '../pause.ts';
import type { FifoPool } from '../process/fifo-pool.ts';
import type { SpawnRequest, TaskProcesses } from '../process/task-processes.ts';
import { TaskFailure } from '../task-failure.ts';
import type { Step } from '../tools/adapter.ts';

/** After the last process is gone, for output that is still in the FIFO. */
const lastOutputMs = 2000;

export type StepEnd = { exitCode: number | null; signal: NodeJS.Signals | null; strays: number };
export type StepRoom = {
  processes: TaskProcesses;
  fifos: FifoPool;
  owner: { uid: number; gid: number } | null;
  log: TaskLog;
  /** The tool is there: from now on it can be signalled. */
  onStarted: () => void;
};

const skipped: StepEnd = { exitCode: 0, signal: null, strays: 0 };

/** Runs one process of the task to its true end: it has exited, nothing of it is left, and all that it wrote is in the log. */
export async function runStep(step: Step, room: StepRoom): Promise<StepEnd> {
  const { fills } = step;
  if (fills !== null && existsSync(fills.final)) {
    room.log.say(fills.isThere);
    utimesSync(fills.final, new Date(), new Date());
    rmSync(fills.temporary, { recursive: true, force: true });
    return skipped;
  }
  room.log.say(step.title);
  const end = await runProcess(step, room);
  if (fills !== null) keepFilled(fills, end.exitCode === 0);
  return end;
}

function keepFilled(fills: NonNullable<Step['fills']>, isGood: boolean): void {
  // Two tasks may have filled the same one at the same time: the first stays.
  if (isGood && !existsSync(fills.final)) renameSync(fills.temporary, fills.final);
  else rmSync(fills.temporary, { recursive: true, force: true });
}

async function runProcess(step: Step, room: StepRoom): Promise<StepEnd> {
  const fifo = await room.fifos.take(room.owner);
  const reader = new Socket({ fd: fifo.read, readable: true, writable: false });
  let ended = false;
  const whole = new Promise<void>((resolve) => {
    const end = (): void => {
      ended = true;
      resolve();
    };
    reader.on('end', end);
    reader.on('close', end);
  });
  reader.on('data', (bytes: Buffer) => room.log.feed(bytes));
  // A read that fails ends the stream like its end does; what was read before is in the log.
  reader.on('error', () => reader.destroy());
  let child: ChildProcess;
  try {
    child = start(step, room.processes, fifo);
    await started(step, child);
  } catch (error) {
    reader.destroy();
    throw error;
  } finally {
    closeSync(fifo.write);
  }
  room.onStarted();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const strays = await room.processes.endStrays();
  const hurry = new AbortController();
  await Promise.race([whole, pause(lastOutputMs, hurry.signal)]);
  hurry.abort();
  if (!ended) {
    room.log.say('The end of the output is cut off: something outside of the task still holds it open');
    reader.destroy();
  }
  room.log.endStream();
  return { exitCode: child.exitCode, signal: child.signalCode, strays };
}

function start(step: Step, processes: TaskProcesses, fifo: { write: number; inode: bigint }): ChildProcess {
  const { file, args, cwd, env } = step;
  const input = step.input === null ? null : openSync(step.input, 'r');
  const capture = step.capture === null ? null : openSync(step.capture, 'w', 0o600);
  try {
    const stdio: SpawnRequest['stdio'] = [input, capture ?? fifo.write, fifo.write];
    return processes.spawn({ file, args, cwd, env, stdio }, fifo.inode);
  } catch (error) {
    throw explainSpawn(step, error);
  } finally {
    for (const own of [input, capture]) if (own !== null) closeSync(own);
  }
}

async function started(step: Step, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) return;
  const [error] = await once(child, 'error');
  throw explainSpawn(step, error);
}

function explainSpawn(step: Step, error: unknown): TaskFailure {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'E2BIG')
    return new TaskFailure(`${step.file} could not be started: its arguments and variables are too large`);
  // Not the message: it may quote a value of the environment.
  return new TaskFailure(`${step.file} could not be started (${code})`, { cause: error });
}
