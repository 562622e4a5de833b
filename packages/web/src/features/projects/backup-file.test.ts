import { expect, test } from 'vitest';
import { nameBackup, readBackup } from './backup-file.ts';

test('the chosen name is written into the meta of the backup, and all else stays as it is', () => {
  const backup = readBackup('{"meta": {"name": "Old", "alert": true}, "keys": [{"name": "a"}], "more": 1}');
  expect(nameBackup(backup, ' New ')).toEqual({ meta: { name: 'New', alert: true }, keys: [{ name: 'a' }], more: 1 });
});

test.each([
  ['{"meta":', 'This file is not valid JSON.'],
  ['[1, 2]', 'This file is not a backup of a project.'],
  ['{"keys": []}', 'This file is not a backup of a project.'],
])('the file %j is refused', (text, sentence) => {
  expect(() => readBackup(text)).toThrow(sentence);
});
