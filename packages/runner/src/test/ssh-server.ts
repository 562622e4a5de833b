import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pause } from '../pause.ts';

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function makeKey(path: string, passphrase: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path]);
}

/** A real sshd on loopback that lets the test's own user in with one of two keys. */
export class SshServer {
  readonly port: number;
  readonly plainKey: string;
  readonly lockedKey: string;
  readonly passphrase = 'open, sesame "1"';
  readonly #place: string;
  #child: ChildProcess;

  private constructor(port: number, directory: string, child: ChildProcess) {
    this.port = port;
    this.plainKey = readFileSync(join(directory, 'plain'), 'utf8');
    this.lockedKey = readFileSync(join(directory, 'locked'), 'utf8');
    this.#place = directory;
    this.#child = child;
  }

  static async start(directory: string): Promise<SshServer> {
    const place = join(directory, 'sshd');
    mkdirSync(place, { mode: 0o700 });
    const port = await findFreePort();
    makeKey(join(place, 'host'), '');
    makeKey(join(place, 'plain'), '');
    makeKey(join(place, 'locked'), 'open, sesame "1"');
    copyFileSync(join(place, 'plain.pub'), join(place, 'authorized'));
    writeFileSync(join(place, 'authorized'), readFileSync(join(place, 'locked.pub')), { flag: 'a' });
    chmodSync(join(place, 'authorized'), 0o600);
    const lines = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(place, 'host')}`,
      `AuthorizedKeysFile ${join(place, 'authorized')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin yes',
      `PidFile ${join(place, 'pid')}`,
      'Subsystem sftp internal-sftp',
    ];
    writeFileSync(join(place, 'config'), `${lines.join('\n')}\n`);
    mkdirSync('/run/sshd', { recursive: true });
    return new SshServer(port, place, await run(place, port));
  }

  /** Another machine at the same address, or somebody who pretends to be it. */
  async changeHostKey(): Promise<void> {
    await this.close();
    for (const name of ['host', 'host.pub']) rmSync(join(this.#place, name));
    makeKey(join(this.#place, 'host'), '');
    this.#child = await run(this.#place, this.port);
  }

  async close(): Promise<void> {
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}

async function run(place: string, port: number): Promise<ChildProcess> {
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(place, 'config')], { stdio: 'ignore' });
  while (!(await answers(port))) await pause(20);
  return child;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // not listening yet
  } finally {
    socket.destroy();
  }
}
