import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type JournalEntry, JournalFile, listJournal } from './journal.ts';

let root: string;
let directory: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sbj-'));
  directory = join(root, '1-c');
  mkdirSync(directory);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const entry: JournalEntry = {
  version: 1,
  task_id: 1,
  fence: 1,
  claim_id: 'c',
  phase: 'preparing',
  instance: 'i',
  owner: { pid: 1, start: '1' },
  boot_id: 'b',
  tree: { cgroup: null, user: null, leaders: [], mark: 'm', directory: '/d' },
  secrets: '/s',
  ending: null,
};

function endWith(reason: string): JournalEntry {
  return { ...entry, phase: 'ended', ending: { outcome: 'error', reason, exit_code: 1, strays: 0 } };
}

function write(...entries: JournalEntry[]): void {
  const file = new JournalFile(directory);
  for (const one of entries) file.write(one);
  file.close();
}

it('keeps an entry until the next one is written over it', () => {
  write(entry);
  write();
  expect(listJournal(root)).toEqual([{ directory, entry }]);
});

it('reads what was written last, be it longer or shorter than what was there', () => {
  for (const reason of ['ü'.repeat(5000), 'short']) {
    write(endWith(reason));
    expect(listJournal(root)[0]?.entry?.ending?.reason).toBe(reason);
  }
});

it('needs no more room for an ending than it took at the start', () => {
  write(entry);
  const { size } = statSync(join(directory, 'state.json'));
  write(endWith('x'.repeat(1000)));
  expect(statSync(join(directory, 'state.json')).size).toBe(size);
});
