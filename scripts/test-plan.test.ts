import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSystemProgram, linkPrograms } from './fresh-clone.ts';
import { ROOT } from './node-26.mjs';

/** Of "nobody", who owns nothing. */
const stranger = 65_534;
const isRoot = process.getuid?.() === 0;
const setpriv = findSystemProgram('setpriv') ?? '';
const cannotDrop = isRoot && setpriv === '' ? ' (needs the program setpriv)' : '';

let home = '';
let clone = '';

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'signalbox-plan-'));
  clone = path.join(home, 'clone');
  await cp(path.join(ROOT, 'scripts'), path.join(clone, 'scripts'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(clone, 'package.json'));
  await mkdir(path.join(home, 'own'));
  chmodSync(home, 0o755);
  if (isRoot) chownSync(path.join(home, 'own'), stranger, stranger);
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** `npm test -- --list` of somebody who is not root, on a machine with these programs and no others. */
function listPlan(bin: string): string {
  const drop = isRoot ? [setpriv, `--reuid=${stranger}`, `--regid=${stranger}`, '--clear-groups'] : [];
  const [command = 'npm', ...args] = [...drop, path.join(bin, 'npm'), 'test', '--silent', '--', '--list'];
  return execFileSync(command, args, {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: bin, HOME: path.join(home, 'own'), npm_config_update_notifier: 'false' },
  });
}

const bare = ['node', 'npm', 'sh', 'env'];

test.skipIf(cannotDrop)(`npm test of a user who is not root names what it leaves out${cannotDrop}`, async () => {
  const text = listPlan(await linkPrograms(path.join(home, 'bare'), [...bare, 'git']));
  const left = /^Left out, as they are not installed and cannot be installed here: (.*)\.$/m.exec(text)?.[1] ?? '';
  expect(left.split(', ')).toEqual(expect.arrayContaining(['ansible-core', 'chromium', 'strace', 'sshpass']));
  expect(left).not.toContain('git');
  expect(text).toContain('Left out, as they need root');
  expect(text).not.toContain('To be installed');
});
