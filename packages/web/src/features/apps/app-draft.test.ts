import type { App } from '@signalbox/contract/apps';
import { expect, test } from 'vitest';
import { draftOf, findAppProblems, toAppSave } from './app-draft.ts';

const ruby: App = {
  id: 'ruby',
  title: 'Ruby',
  icon: '',
  color: '',
  dark_color: '',
  path: '/usr/bin/ruby',
  args: ['-w'],
  priority: 10,
  active: true,
};

test('an app needs an id of its own that a path can hold', () => {
  const findId = (id: string) => findAppProblems({ ...draftOf(undefined), id }, true, ['bash']).id;
  expect(findId(' ')).toBe('ID is required');
  expect(findId('bash')).toBe('There is an app with this ID already.');
  expect(findId('Two words')).toMatch(/small letters/);
  expect(findId('ruby3.4')).toBeUndefined();
});

test('the priority is a whole number, and 0 where none is given', () => {
  const draft = draftOf(ruby);
  expect(findAppProblems({ ...draft, priority: 'high' }, false, [])).toEqual({ priority: 'Must be an integer' });
  expect(toAppSave({ ...draft, priority: '' }).input.priority).toBe(0);
  expect(findAppProblems({ ...draft, priority: '-5' }, false, [])).toEqual({});
});

test('the command of an app is no option', () => {
  expect(findAppProblems({ ...draftOf(ruby), path: '--version' }, false, [])).toHaveProperty('path');
});

test('an app goes back as it came', () => {
  const { color: _, dark_color: __, id, ...input } = ruby;
  expect(toAppSave(draftOf(ruby))).toEqual({ id, input });
});
