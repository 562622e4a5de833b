import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyMaterial } from '@signalbox/contract/job';
import { pause } from '../pause.ts';
import { signalProcess } from '../process/process-table.ts';
import { runCommand } from '../process/run-command.ts';
import { TaskFailure } from '../task-failure.ts';
import { makeAnswerEnv } from './git-access.ts';

const timeout = 20_000;
type SshKey = Extract<KeyMaterial, { type: 'ssh' }>;
type Places = {
  secrets: string;
  /** The script that answers with a file. */
  ask: string;
};

/** An agent of one task, with one key. The key itself is in no file: tools get a socket that dies with the task. */
export class SshAgent {
  readonly socket: string;
  readonly #child: ChildProcess;

  private constructor(socket: string, child: ChildProcess) {
    this.socket = socket;
    this.#child = child;
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /** @throws TaskFailure when the key or its passphrase is wrong, or when there is no ssh-agent */
  static async start(
    key: SshKey,
    places: Places,
    env: Record<string, string>,
    owner: { uid: number; gid: number } | null,
    signal: AbortSignal,
  ): Promise<SshAgent> {
    const socket = join(places.secrets, 'agent.sock');
    // Its working directory is not the task's, and it has no mark of it: it is no stray.
    const child = spawn('ssh-agent', ['-D', '-a', socket], {
      cwd: '/',
      env,
      detached: true,
      stdio: 'ignore',
      ...owner,
    });
    const agent = new SshAgent(socket, child);
    const failure = new Promise<never>((_resolve, reject) => {
      child.on('error', () => reject(new TaskFailure('ssh-agent is not installed on this machine')));
      child.on('exit', () => reject(new TaskFailure('The ssh agent of the task ended')));
    });
    failure.catch(() => undefined); // it ends after its task, too
    try {
      await Promise.race([waitForFile(socket, signal), failure]);
      await addKey(key, places, { ...env, SSH_AUTH_SOCK: socket }, signal);
      return agent;
    } catch (error) {
      agent.close();
      throw error;
    }
  }

  close(): void {
    if (this.#child.pid !== undefined) signalProcess(this.#child.pid, 'SIGKILL');
  }
}

async function waitForFile(path: string, signal: AbortSignal): Promise<void> {
  const giveUp = performance.now() + timeout;
  while (!existsSync(path)) {
    signal.throwIfAborted();
    if (performance.now() > giveUp) throw new TaskFailure('The ssh agent of the task did not start');
    await pause(2, signal);
  }
}

async function addKey(key: SshKey, places: Places, env: Record<string, string>, signal: AbortSignal): Promise<void> {
  const text = key.private_key.replaceAll('\r\n', '\n');
  const options = { cwd: '/', signal, timeout, input: text.endsWith('\n') ? text : `${text}\n` };
  // Without a passphrase the question is answered with an empty word, so that nothing ever waits for an answer.
  const answer = join(places.secrets, 'agent-passphrase');
  writeFileSync(answer, key.passphrase, { mode: 0o600 });
  const answerEnv = makeAnswerEnv(places.ask, answer);
  const end = await runCommand('ssh-add', ['-q', '-'], { ...options, env: { ...env, ...answerEnv } }).finally(() =>
    rmSync(answer, { force: true }),
  );
  if (end.code === 0) return;
  const why = key.passphrase === '' ? 'is it complete, and without a passphrase?' : 'is its passphrase right?';
  throw new TaskFailure(`The ssh key of the inventory cannot be used: ${why}`);
}
