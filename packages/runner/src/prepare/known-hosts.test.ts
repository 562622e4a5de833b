import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { borrowKnownHosts, knownHostsOf } from './known-hosts.ts';

const owner = { projectId: 3 };
let root: string;
let copy: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sbk-'));
  copy = join(root, 'copy');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('adds what a task has learnt, once, and lends it to the next one', () => {
  const giveBack = borrowKnownHosts(root, owner, copy);
  writeFileSync(copy, 'one ssh-ed25519 A\n');
  giveBack();
  giveBack();
  expect(readFileSync(knownHostsOf(root, owner), 'utf8')).toBe('one ssh-ed25519 A\n');
  borrowKnownHosts(root, owner, join(root, 'next'));
  expect(readFileSync(join(root, 'next'), 'utf8')).toBe('one ssh-ed25519 A\n');
});

it('learns nothing from a link that a task has put in the place of its copy', () => {
  const giveBack = borrowKnownHosts(root, owner, copy);
  writeFileSync(join(root, 'secret'), 'of the runner\n');
  rmSync(copy);
  symlinkSync(join(root, 'secret'), copy);
  giveBack();
  expect(existsSync(knownHostsOf(root, owner))).toBe(false);
});
