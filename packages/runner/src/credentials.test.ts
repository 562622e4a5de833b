import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { JobRepository, KeyMaterial } from '@signalbox/contract/job';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commit, git, makeJob, Yard } from './test/fixtures.ts';
import { GitHttpServer } from './test/git-http.ts';
import type { Finish } from './test/protocol-server.ts';
import { SshServer } from './test/ssh-server.ts';

const password = 'p@ss: /w%rd#1';
const canServeSsh = existsSync('/usr/sbin/sshd') && process.getuid?.() === 0;
let yard: Yard;
let web: GitHttpServer;
let host: string;
let ssh: SshServer | null = null;

beforeAll(async () => {
  yard = await Yard.open();
  web = new GitHttpServer(yard.repositories, 'ann', password);
  host = await web.listen();
  if (canServeSsh) ssh = await SshServer.start(yard.directory);
});

afterAll(async () => {
  await yard.close();
  await web.close();
  await ssh?.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

async function run(
  url: string,
  key: KeyMaterial,
  change: Partial<JobRepository> = {},
): Promise<{ finish: Finish; text: string }> {
  const job = makeJob(url);
  const track = yard.server.add({ ...job, repository: { ...job.repository, key, ...change } });
  const finish = await yard.server.finished(track, 60_000);
  return { finish, text: yard.server.textOf(track) };
}

const ann: KeyMaterial = { type: 'login_password', login: 'ann', password };
const user = userInfo().username;

it('clones over http with a login and password, which stay out of .git/config', async () => {
  yard.repository('web', { 'run.sh': 'cat .git/config; git remote get-url origin' });
  const { finish, text } = await run(`http://${host}/web`, ann);
  expect(finish.reason).toBe('');
  expect(text).toContain(`url = "http://${host}/web"`);
  expect(web.seen.length).toBeGreaterThan(0);
});

it('takes a password from the URL, and shows it nowhere', async () => {
  yard.repository('inline', { 'run.sh': 'git remote get-url origin' });
  const { finish, text } = await run(`http://ann:${encodeURIComponent(password)}@${host}/inline`, { type: 'none' });
  expect(finish.reason).toBe('');
  expect(text).not.toContain(encodeURIComponent(password));
  expect(text).toContain(`http://${host}/inline\n`);
});

it('fails with a sentence, not with a prompt, when the password is missing or wrong', async () => {
  yard.repository('closed', { 'run.sh': 'true' });
  for (const key of [{ type: 'none' } as const, { ...ann, password: 'wrong-password' }]) {
    const { finish, text } = await run(`http://${host}/closed`, key);
    expect(finish.reason).toMatch(/^http:\/\/.*\/closed could not be fetched: fatal: /);
    expect(text).not.toContain('wrong-password');
  }
});

it('fetches submodules of the same host with the same password, and gives it to no other host', async () => {
  yard.repository('part', { file: 'part of it' });
  const path = yard.repository('whole', { 'run.sh': 'cat part/file' });
  git(path, 'submodule', '--quiet', 'add', `${yard.repositories}/part`, 'part');
  git(path, 'config', '--file', '.gitmodules', 'submodule.part.url', `http://${host}/part`);
  commit(path, {}, 'Add part');
  const { finish, text } = await run(`http://${host}/whole`, ann);
  expect(finish.reason).toBe('');
  expect(text).toContain('part of it');
  const other = new GitHttpServer(yard.repositories, 'ann', password);
  const elsewhere = await other.listen();
  git(path, 'config', '--file', '.gitmodules', 'submodule.part.url', `http://${elsewhere}/part`);
  commit(path, {}, 'Move part');
  expect((await run(`http://${host}/whole`, ann)).finish.reason).toContain('The submodules could not be fetched');
  expect(other.seen).toEqual([]);
  await other.close();
});

it('says which kind of key a URL needs', async () => {
  const key: KeyMaterial = { type: 'ssh', login: '', passphrase: '', private_key: 'x' };
  expect((await run(`http://${host}/web`, key)).finish.reason).toContain('its URL needs a login with password');
  expect((await run('git@127.0.0.1:web', ann)).finish.reason).toContain('its URL needs an ssh key');
});

it.skipIf(!canServeSsh)(
  'clones over ssh with a key, with and without a passphrase, and remembers the host (needs sshd as root)',
  async () => {
    const path = yard.repository('shell', { 'run.sh': 'echo by ssh; git remote get-url origin' });
    const keys = [
      { type: 'ssh' as const, login: user, passphrase: '', private_key: ssh?.plainKey ?? '' },
      { type: 'ssh' as const, login: user, passphrase: ssh?.passphrase ?? '', private_key: ssh?.lockedKey ?? '' },
    ];
    for (const key of keys) {
      const { finish, text } = await run(`ssh://127.0.0.1:${ssh?.port}${path}`, key);
      expect(finish.reason).toBe('');
      expect(text).toContain('by ssh\n');
    }
    expect(readFileSync(join(yard.dataDir, 'known-hosts', 'repository-1'), 'utf8')).toContain('ssh-ed25519');
  },
);

it.skipIf(!canServeSsh)('fails in time when the passphrase is wrong (needs sshd as root)', async () => {
  const path = yard.repository('locked', { 'run.sh': 'true' });
  const key: KeyMaterial = { type: 'ssh', login: user, passphrase: 'wrong one', private_key: ssh?.lockedKey ?? '' };
  const { finish } = await run(`ssh://127.0.0.1:${ssh?.port}${path}`, key);
  expect(finish.reason).toContain('could not be fetched');
});

it.skipIf(!canServeSsh)(
  'keeps passwords, passphrases and keys out of all arguments and files (needs sshd as root)',
  { timeout: 60_000 },
  async () => {
    const path = yard.repository('traced', { 'run.sh': 'true' });
    const trace = join(yard.directory, 'trace');
    const pid = String(yard.runners[0]?.pid);
    const strace = spawn('strace', ['-f', '-e', 'trace=execve', '-s', '10000', '-o', trace, '-p', pid], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(strace.stderr, 'data');
    const key: KeyMaterial = {
      type: 'ssh',
      login: user,
      passphrase: ssh?.passphrase ?? '',
      private_key: ssh?.lockedKey ?? '',
    };
    expect((await run(`ssh://127.0.0.1:${ssh?.port}${path}`, key)).finish.reason).toBe('');
    expect((await run(`http://${host}/traced`, ann)).finish.reason).toBe('');
    strace.kill('SIGINT');
    await once(strace, 'exit');
    const calls = readFileSync(trace, 'utf8');
    expect(calls).toContain('"fetch"');
    const secrets = [
      password,
      encodeURIComponent(password),
      'open, sesame',
      ...(ssh?.lockedKey.split('\n').slice(1, 3) ?? []),
    ];
    for (const secret of secrets) {
      expect(calls).not.toContain(secret);
      expect(() => execFileSync('grep', ['-rFl', '--', secret, yard.dataDir])).toThrow();
    }
  },
);
