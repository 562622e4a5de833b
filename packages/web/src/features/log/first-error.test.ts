import type { LogRange, LogSearch } from '@signalbox/contract/tasks';
import { describe, expect, it } from 'vitest';
import { type ErrorPorts, findFirstError } from './first-error.ts';

const time = '2026-11-21T12:00:00.000Z';

/** Searches as the server does: plain text in any letter case, escape sequences included. */
function openLog(outputs: string[]): ErrorPorts {
  const lines = outputs.map((output, index) => ({ line: index + 1, time, output }));
  return {
    search: async (query): Promise<LogSearch> => {
      const hits = lines
        .filter((line) => line.output.toLowerCase().includes(query.toLowerCase()))
        .map((line) => line.line);
      return { lines: hits.slice(0, 1000), count: hits.length, total: lines.length };
    },
    fetchRange: async (from, count): Promise<LogRange> => {
      const range = lines.slice(from - 1, from - 1 + count);
      return { first: from, next: from + range.length, total: lines.length, sealed: true, lines: range };
    },
  };
}

describe('the first error of a failed task', () => {
  it.each<[string, string[], number | undefined]>([
    [
      'is the first failed host of Ansible',
      ['PLAY [x] ***', 'ok: [a]', '\u001b[0;31mfatal: [b]: UNREACHABLE!\u001b[0m', 'fatal: [c]: FAILED!'],
      3,
    ],
    [
      'is not a failure that the playbook ignores',
      ['fatal: [a]: FAILED! => {}', '...ignoring', 'ok: [a]', 'fatal: [b]: FAILED! => {}'],
      4,
    ],
    ['is a failed item', ['failed: [a] (item=x) => {}', 'PLAY RECAP ***', 'a : ok=1 failed=1'], 1],
    [
      'is not the recap of what went well',
      ['ok: [a]', 'a : ok=3 changed=0 unreachable=0 failed=0', 'error: exit status 2'],
      3,
    ],
    ['is an error of Ansible itself', ['[WARNING]: no inventory', 'ERROR! the playbook could not be found'], 2],
    [
      'is where a Python program broke',
      ['working', 'Traceback (most recent call last):', '  File "a.py"', 'ValueError: error'],
      2,
    ],
    ['is what git says', ['Cloning', 'fatal: repository not found'], 2],
    ['is an error in any letter case', ['+ make', 'Error: no rule'], 2],
    ['is a word, not a part of one', ['terrors of the deep', 'step failed'], 2],
    ['is nothing where nothing says so', ['exit status 1'], undefined],
    ['is nothing in an empty log', [], undefined],
  ])('%s', async (_name, outputs, expected) => {
    expect(await findFirstError(openLog(outputs))).toBe(expected);
  });

  it('gives up a sign that has only hits that do not count', async () => {
    const noise = Array.from({ length: 500 }, () => 'terror');
    expect(await findFirstError(openLog([...noise, 'it failed']))).toBe(501);
  });
});
