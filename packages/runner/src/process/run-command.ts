import { type ChildProcess, spawn } from 'node:child_process';
import { after } from '../pause.ts';
import { signalProcess } from './process-table.ts';

export type CommandEnd = { code: number | null; stdout: string; stderr: string };
export type CommandOptions = {
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** Largest output in bytes; what is beyond is dropped. */
  limit?: number;
  input?: string;
};

const defaultLimit = 64 * 1024;
/** From the request to end to the kill. */
const patience = 2000;
/** After the exit: for output that is on its way, not for a child that keeps the pipe. */
const lastOutput = 300;

/** A program of the runner's own that did not end in time. */
export class CommandTimeout extends Error {}

/**
 * Runs a program that belongs to the runner's work (git, ssh-add, `tool --version`), never the user's. It leads a group of its own,
 * and the whole group is ended when the signal fires. @throws the abort reason, CommandTimeout, or why it could not be started
 */
export async function runCommand(file: string, args: string[], options: CommandOptions): Promise<CommandEnd> {
  options.signal.throwIfAborted();
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, detached: true, stdio: 'pipe' });
  const limit = options.limit ?? defaultLimit;
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  collect(child.stdout, stdout, limit);
  collect(child.stderr, stderr, limit);
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(options.input ?? '');
  try {
    await superviseCommand(child, file, options);
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
  }
  return { code: child.exitCode, stdout: join(stdout), stderr: join(stderr) };
}

/** The same without any output, which saves three sockets. @returns the exit code */
export async function runQuietly(
  file: string,
  args: string[],
  options: Omit<CommandOptions, 'limit' | 'input'>,
): Promise<number | null> {
  options.signal.throwIfAborted();
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, detached: true, stdio: 'ignore' });
  await superviseCommand(child, file, options);
  return child.exitCode;
}

async function superviseCommand(child: ChildProcess, file: string, options: CommandOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: unknown = null;
  let kill: NodeJS.Timeout | undefined;
  const end = (why: unknown): void => {
    failure ??= why;
    if (child.pid === undefined) return;
    const pid = child.pid;
    signalProcess(-pid, 'SIGTERM');
    kill = setTimeout(() => signalProcess(-pid, 'SIGKILL'), patience);
  };
  const onAbort = (): void => end(options.signal.reason);
  const late = new CommandTimeout(`${file} took longer than ${options.timeout / 1000} s`);
  const callOffEnd = after(options.timeout, () => end(late));
  let callOffLast: (() => void) | undefined;
  options.signal.addEventListener('abort', onAbort);
  child.on('error', reject);
  child.on('close', () => resolve());
  child.on('exit', () => {
    callOffLast = after(lastOutput, resolve);
  });
  try {
    await promise;
  } finally {
    callOffEnd();
    clearTimeout(kill);
    callOffLast?.();
    options.signal.removeEventListener('abort', onAbort);
  }
  if (failure === null) return;
  // Its leader is gone; what it had started may have ignored the request.
  if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL');
  throw failure;
}

function join(parts: Buffer[]): string {
  return Buffer.concat(parts).toString('utf8');
}

function collect(stream: NodeJS.ReadableStream, parts: Buffer[], limit: number): void {
  let size = 0;
  stream.on('data', (part: Buffer) => {
    if (size < limit) parts.push(part.subarray(0, limit - size));
    size += part.length;
  });
}
