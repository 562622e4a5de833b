import { expect, test } from 'vitest';
import { chooseItems, type Entry, remember } from './choose-items.ts';

const entries: Entry[] = [
  { id: 'page:templates', kind: 'page', label: 'Task templates' },
  { id: 'page:team', kind: 'page', label: 'Team' },
  { id: 'template:1', kind: 'template', label: 'Deploy API', detail: 'deploy/api.yml' },
  { id: 'launch:1', kind: 'launch', label: 'Run Deploy API', detail: 'deploy/api.yml' },
  { id: 'task:7', kind: 'task', label: '#7 Deploy API', detail: 'Failed' },
  { id: 'project:2', kind: 'project', label: 'Billing' },
  { id: 'admin:users', kind: 'admin', label: 'Users' },
];
const ids = (query: string, recent: string[] = []) => chooseItems(entries, query, recent).map(({ id }) => id);

test('without a query what was chosen last comes first, then the pages', () => {
  expect(ids('', ['task:7', 'page:team'])).toEqual(['task:7', 'page:team', 'page:templates', 'admin:users']);
});

test('what was chosen and is gone is passed over', () => {
  expect(ids('', ['template:99'])).toEqual(['page:templates', 'page:team', 'admin:users']);
});

test('the template comes before its launch, and the word for running turns that around', () => {
  expect(ids('deploy api').slice(0, 2)).toEqual(['template:1', 'launch:1']);
  expect(ids('run deploy')[0]).toBe('launch:1');
});

test('what is found beside the name comes after what is called so', () => {
  expect(ids('failed')).toEqual(['task:7']);
  expect(ids('api.yml').toSorted()).toEqual(['launch:1', 'template:1']);
});

test('what matches nothing lists nothing', () => {
  expect(ids('zzz')).toEqual([]);
});

test('eight choices are remembered, each once, newest first', () => {
  let recent: string[] = [];
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'c']) recent = remember(recent, id);
  expect(recent).toEqual(['c', 'i', 'h', 'g', 'f', 'e', 'd', 'b']);
});
