import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findUnsavedState, keepRefusedState, StateJournal } from './unsaved-state.ts';

const access = { path: '/terraform/tasks/7', username: 'task-7', password: 'pw' };
let root: string;
let directory: string;
let tree: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sbu-'));
  directory = join(root, '7-c');
  tree = join(directory, 'tree');
  mkdirSync(tree, { recursive: true });
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

it('finds nothing where no tool had a state, and nothing once the server has it', () => {
  expect(findUnsavedState(directory)).toBeNull();
  const journal = new StateJournal(directory, access, tree);
  expect(findUnsavedState(directory)).toBeNull();
  journal.noteUnsaved(Buffer.from('{"serial":1}'));
  journal.noteSaved();
  expect(findUnsavedState(directory)).toBeNull();
});

it('finds the last state that was handed in, with the lock under which it is written', () => {
  const journal = new StateJournal(directory, access, tree);
  journal.noteLock('abc');
  journal.noteUnsaved(Buffer.from('{"serial":1}'));
  journal.noteUnsaved(Buffer.from('{"serial":2}'));
  expect(findUnsavedState(directory)).toEqual({ access, lock: 'abc', body: Buffer.from('{"serial":2}') });
});

it('prefers what the tool has written down itself, in vain for longest', () => {
  const journal = new StateJournal(directory, access, tree);
  journal.noteUnsaved(Buffer.from('{"serial":1}'));
  writeFileSync(join(tree, 'errored.tfstate'), '{"serial":2}');
  expect(findUnsavedState(directory)).toMatchObject({ lock: null, body: Buffer.from('{"serial":2}') });
});

it('does not take a file that the code came with for what the tool has written', () => {
  const errored = join(tree, 'errored.tfstate');
  writeFileSync(errored, '{"serial":1}');
  utimesSync(errored, 1, 1);
  new StateJournal(directory, access, tree);
  expect(findUnsavedState(directory)).toBeNull();
  writeFileSync(errored, '{"serial":2}');
  expect(findUnsavedState(directory)).toMatchObject({ body: Buffer.from('{"serial":2}') });
});

it("follows no link of the tree to what is not the task's", () => {
  new StateJournal(directory, access, tree);
  writeFileSync(join(root, 'secret'), 'of another task');
  symlinkSync(join(root, 'secret'), join(tree, 'errored.tfstate'));
  expect(findUnsavedState(directory)).toBeNull();
  rmSync(tree, { recursive: true });
  writeFileSync(join(root, 'errored.tfstate'), 'of another task');
  symlinkSync(root, tree);
  expect(findUnsavedState(directory)).toBeNull();
});

it('shows its files to nobody else', () => {
  new StateJournal(directory, access, tree).noteUnsaved(Buffer.from('{}'));
  const kept = keepRefusedState(root, directory, Buffer.from('{"serial":3}'));
  expect([kept, readFileSync(kept, 'utf8')]).toEqual([join(root, 'unsaved-states/7-c.tfstate'), '{"serial":3}']);
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(['state-access.json', 'unsaved.tfstate']);
  for (const path of [kept, ...files.map(({ name }) => join(directory, name))]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});
