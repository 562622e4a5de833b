import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pause } from './pause.ts';
import { commit, git, makeJob, makeRepository, writeFiles, Yard } from './test/fixtures.ts';
import type { Finish, Track } from './test/protocol-server.ts';

let yard: Yard;

beforeAll(async () => {
  yard = await Yard.open();
});

afterAll(async () => {
  await yard.close();
  expect(yard.server.problems).toEqual([]);
  expect(yard.output).toBe('');
});

async function run(job: ReturnType<typeof makeJob>): Promise<{ track: Track; finish: Finish; text: string }> {
  const track = yard.server.add(job);
  const finish = await yard.server.finished(track, 60_000);
  return { track, finish, text: yard.server.textOf(track) };
}

it('prints and records the same commit for 100 tasks while the branch moves', { timeout: 120_000 }, async () => {
  const path = yard.repository('moving', { 'run.sh': 'git rev-parse HEAD; cat n', n: '0\n' });
  const move = 'for n in $(seq 1 999); do echo $n > n; git commit -q -a -m "Move $n"; sleep 0.05; done';
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@x',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@x',
  };
  const mover = spawn('bash', ['-c', move], { cwd: path, env, stdio: 'ignore' });
  const tracks: Track[] = [];
  let head = '';
  for (let wave = 0; wave < 10; wave += 1) {
    while (git(path, 'rev-parse', 'HEAD') === head) await pause(10);
    head = git(path, 'rev-parse', 'HEAD');
    const started = Array.from({ length: 10 }, () => yard.server.add(makeJob(path)));
    for (const track of started) await yard.server.finished(track, 60_000);
    tracks.push(...started);
  }
  mover.kill();
  await once(mover, 'exit');
  for (const track of tracks) {
    const recorded = track.start?.commit_hash ?? '';
    expect(track.finish?.outcome).toBe('success');
    expect(yard.server.textOf(track)).toContain(`\n${recorded}\n`);
    expect(git(path, 'show', `${recorded}:n`)).toBe(yard.server.textOf(track).trim().split('\n').at(-1));
  }
  expect(new Set(tracks.map((track) => track.start?.commit_hash)).size).toBeGreaterThanOrEqual(10);
});

it('runs the commit that was asked for, by its full hash and by its beginning', async () => {
  const path = yard.repository('history', { 'run.sh': 'echo old' });
  const old = git(path, 'rev-parse', 'HEAD');
  commit(path, { 'run.sh': 'echo new' }, 'Second');
  for (const hash of [old, old.slice(0, 8)]) {
    const { track, text } = await run(makeJob(path, { commit_hash: hash }));
    expect(text).toContain('\nold\n');
    expect(track.start?.commit_hash).toBe(old);
  }
  const { finish } = await run(makeJob(path, { commit_hash: '0123456789' }));
  expect(finish).toMatchObject({ outcome: 'error', reason: `${path} has no commit 0123456789` });
});

it('takes a tag where there is no branch of that name', async () => {
  const path = yard.repository('tagged', { 'run.sh': 'echo tagged; git status --short' });
  git(path, 'tag', '-a', '-m', 'one', 'v1');
  commit(path, { 'run.sh': 'echo later' }, 'Second');
  const job = makeJob(path);
  const { text } = await run({ ...job, repository: { ...job.repository, branch: 'v1' } });
  expect(text).toContain('\ntagged\n');
});

it('runs what is committed, and says that the rest does not run', async () => {
  const path = yard.repository('dirty', {
    'run.sh': 'echo committed; git branch --show-current; git remote get-url origin',
  });
  writeFiles(path, { 'run.sh': 'echo dirty' });
  const { text } = await run(makeJob(path));
  expect(text).toContain(`\ncommitted\nmain\n${path}\n`);
  expect(text).toContain('changes that are not committed do not run');
});

it('copies a plain directory and records no commit', async () => {
  const path = join(yard.repositories, 'plain');
  writeFiles(path, { 'run.sh': 'echo plain; ls; touch made-here' });
  const { track, text } = await run(makeJob(path));
  expect(text).toContain('\nplain\nrun.sh\n');
  expect(track.start?.commit_hash).toBeNull();
  expect(readdirSync(path)).toEqual(['run.sh']);
});

it('uses directories below the allowed ones only, also through a link, unless the repository is trusted', async () => {
  const outside = join(yard.directory, 'outside');
  makeRepository(outside, { 'run.sh': 'echo outside' });
  symlinkSync(outside, join(yard.repositories, 'link'));
  for (const url of [
    outside,
    join(yard.repositories, 'link'),
    `file://${outside}`,
    `${yard.repositories}/../outside`,
  ]) {
    expect((await run(makeJob(url))).finish.reason).toContain('SIGNALBOX_LOCAL_REPOSITORIES');
  }
  const job = makeJob(outside);
  expect((await run({ ...job, repository: { ...job.repository, trusted: true } })).finish.outcome).toBe('success');
});

it('fetches submodules, nested ones too, and judges their URLs first', async () => {
  const inner = yard.repository('inner', { deep: 'deep water' });
  const middle = yard.repository('middle', { 'middle.txt': 'x' });
  git(middle, 'submodule', '--quiet', 'add', '../inner', 'inner');
  commit(middle, {}, 'Add inner');
  const path = yard.repository('outer', { 'run.sh': 'cat parts/middle/inner/deep' });
  git(path, 'submodule', '--quiet', 'add', middle, 'parts/middle');
  commit(path, {}, 'Add middle');
  const { text, finish } = await run(makeJob(path));
  expect(finish.reason).toBe('');
  expect(text).toContain('deep water');
  expect(inner).not.toBe('');
});

it.each([
  ['ext::sh -c "touch /tmp/owned"', 'remote helpers are not allowed'],
  ['/etc', 'SIGNALBOX_LOCAL_REPOSITORIES'],
  ['-u./evil', 'begins with a dash'],
])('refuses a repository with the submodule %s', async (url, why) => {
  const path = yard.repository(`evil${readdirSync(yard.repositories).length}`, { 'run.sh': 'echo ran' });
  const modules = `[submodule "evil"]\n\tpath = evil\n\turl = ${JSON.stringify(url)}\n`;
  const head = git(path, 'rev-parse', 'HEAD');
  writeFileSync(join(path, '.gitmodules'), modules);
  git(path, 'update-index', '--add', '--cacheinfo', `160000,${head},evil`);
  git(path, 'add', '.gitmodules');
  git(path, 'commit', '--quiet', '--message=Evil');
  const { finish, text } = await run(makeJob(path));
  expect(finish.outcome).toBe('error');
  expect(text).not.toContain('\nran\n');
  expect(`${finish.reason}`).toMatch(new RegExp(`${RegExp.escape(why)}|could not be fetched`));
});

it.each(['a path that leads out of the tree', 'a link'])('follows no submodule through %s', async (way) => {
  const victim = join(yard.directory, `victim-${way.length}`);
  makeRepository(victim, { file: 'x' });
  const settings = `[submodule "x"]\n\tpath = x\n\turl = ${join(yard.repositories, 'none')}\n`;
  writeFiles(victim, { '.gitmodules': settings });
  git(victim, 'update-index', '--add', '--cacheinfo', `160000,${git(victim, 'rev-parse', 'HEAD')},x`);
  const before = readFileSync(join(victim, '.git', 'config'), 'utf8');
  const path = yard.repository(`leads-out-${way.length}`, { 'run.sh': 'echo ran' });
  const isLink = way === 'a link';
  if (isLink) symlinkSync(victim, join(path, 'link'));
  const inside = isLink ? 'link' : `../../../../${basename(victim)}`;
  commit(path, { '.gitmodules': `[submodule "out"]\n\tpath = ${inside}\n\turl = ./none\n` }, 'Lead out');
  const { finish } = await run(makeJob(path));
  expect(finish.outcome).toBe('success');
  expect(readFileSync(join(victim, '.git', 'config'), 'utf8')).toBe(before);
});

it.each([
  ['../outside.sh', 'is outside of the repository'],
  ['/etc/passwd', 'is not in the repository'],
  ['missing.sh', 'is not in the repository'],
  ['link.sh', 'leads out of the repository'],
  ['', 'The playbook is not set'],
  ['.', 'is the repository itself'],
])('refuses the playbook %j', async (playbook, why) => {
  const path = join(yard.repositories, 'links');
  mkdirSync(path, { recursive: true });
  if (readdirSync(path).length === 0) symlinkSync('/etc/hostname', join(path, 'link.sh'));
  expect((await run(makeJob(path, { playbook }))).finish.reason).toContain(why);
});

it('lets no variable of a task reach git', async () => {
  const path = yard.repository('deaf', { 'run.sh': 'echo ran with $GIT_CONFIG_VALUE_0' });
  const tools = join(yard.directory, 'tools');
  const touched = join(yard.directory, 'touched');
  writeFiles(tools, { git: `#!/bin/sh\ntouch ${touched}\n`, 'post-checkout': `#!/bin/sh\ntouch ${touched}\n` });
  for (const name of ['git', 'post-checkout']) chmodSync(join(tools, name), 0o755);
  const env = {
    PATH: `${tools}:${process.env.PATH}`,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: tools,
    GIT_DIR: yard.directory,
    GIT_SSH_COMMAND: `touch ${touched}`,
  };
  const { finish, text } = await run(makeJob(path, { env }));
  expect(finish).toMatchObject({ outcome: 'success' });
  expect(text).toContain(`ran with ${tools}`);
  expect(existsSync(touched)).toBe(false);
});

it('runs a script whose name begins with a dash as a file', async () => {
  const path = yard.repository('dash', { '-c': 'echo dashed' });
  expect((await run(makeJob(path, { playbook: '-c' }))).text).toContain('\ndashed\n');
});

it('names the tool that is missing, before it clones anything', async () => {
  const job = yard.script('echo x', { app: { id: 'bash', path: 'no-such-shell', args: null } });
  const { finish, text } = await run(job);
  expect(finish.reason).toMatch(/^no-such-shell is not installed on /);
  expect(text.trim().split('\n').length).toBe(1);
});

it('says which branch is missing', async () => {
  const job = yard.script('echo x');
  const { finish } = await run({ ...job, repository: { ...job.repository, branch: 'none' } });
  expect(finish.reason).toBe(`${job.repository.url} has no branch "none"`);
});
