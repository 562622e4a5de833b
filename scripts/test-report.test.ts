import { expect, test } from 'vitest';
import { tallyReport } from './test-report.mjs';

const local = { isCi: false };

function write(title: string, status: string, ancestorTitles: string[] = []) {
  return { title, status, ancestorTitles, fullName: [...ancestorTitles, title].join(' '), failureMessages: [] };
}

function tally(...assertionResults: ReturnType<typeof write>[]) {
  return tallyReport({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] }, local);
}

test('passed, failed and skipped tests are counted', () => {
  const result = tally(write('one', 'passed'), write('two', 'failed'), write('three (needs root)', 'skipped'));
  expect(result).toEqual({ passed: 1, failures: [{ name: 'two', message: '' }], skipped: ['three (needs root)'] });
});

test('a skipped test without a reason in its name is a failure', () => {
  for (const status of ['skipped', 'pending', 'todo']) {
    expect(tally(write('one', 'passed'), write('two', status)).failures.map(({ name }) => name)).toEqual(['two']);
  }
});

test('the reason may stand in the name of the group', () => {
  expect(tally(write('runs', 'skipped', ['Ansible (needs ansible, sshd)'])).skipped).toHaveLength(1);
});

test('in CI only the tools that no package brings may be missing', () => {
  const skipped = [write('stop (needs root)', 'skipped'), write('plan (needs terraform)', 'skipped')];
  const report = { testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: skipped }] };
  const result = tallyReport(report, { isCi: true });
  expect(result.failures.map(({ name }) => name)).toEqual(['stop (needs root)']);
  expect(result.skipped).toEqual(['plan (needs terraform)']);
});

test('a suite or a file without a test fails', () => {
  expect(tallyReport({ testResults: [] }, local).failures).toHaveLength(1);
  expect(tally().failures).toHaveLength(1);
});

test('a file that fails outside its tests fails', () => {
  const file = {
    name: 'a.test.ts',
    status: 'failed',
    message: 'no import',
    assertionResults: [write('one', 'passed')],
  };
  expect(tallyReport({ testResults: [file] }, local).failures).toEqual([{ name: 'a.test.ts', message: 'no import' }]);
});
