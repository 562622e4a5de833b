import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openToSlotUsers } from './slot-access.ts';

let directory: string;
let dataDir: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'signalbox-slots-'));
  dataDir = path.join(directory, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
});
afterEach(() => rmSync(directory, { recursive: true }));

function openWith(users: string): number {
  const passwd = path.join(directory, 'passwd');
  writeFileSync(passwd, `root:x:0:0:root:/root:/bin/bash\n${users}`);
  openToSlotUsers(dataDir, passwd);
  return statSync(dataDir).mode & 0o777;
}

test('a data directory stays closed where there are no slot users', () => {
  expect(openWith('not-signalbox-slot-0:x:900:900::/:/bin/false\n')).toBe(0o700);
});

const slots = 'signalbox-slot-0:x:900:900::/nonexistent:/usr/sbin/nologin\n';
// Only root can start a task as another user.
if (process.getuid?.() === 0) {
  test('slot users may pass through the data directory of root, and not list it', () => {
    expect(openWith(slots)).toBe(0o711);
  });
} else {
  test('a data directory of another user than root stays closed', () => {
    expect(openWith(slots)).toBe(0o700);
  });
}
