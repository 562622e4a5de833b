import type { Event } from '@signalbox/contract/events';
import { expect, test } from 'vitest';
import { listGone, nameObject, splitDescription } from './object-place.ts';

const event: Event = {
  id: 1,
  user_id: 1,
  project_id: 1,
  integration_id: null,
  object_id: 7,
  object_type: 'key',
  object_name: 'deploy',
  description: 'Access Key deploy updated',
  created: '2026-03-01T00:00:00Z',
  username: 'admin',
  project_name: 'Site',
};

test('the name of the object is cut out of the text, so that it can be a link', () => {
  expect(splitDescription(event)).toEqual(['Access Key ', 'deploy', ' updated']);
  expect(splitDescription({ ...event, object_name: '' })).toEqual(['Access Key deploy updated', '', '']);
});

test('of a task it is the number', () => {
  const task = { ...event, object_type: 'task', object_name: 'Nightly', description: 'Task ID 7 queued for running' };
  expect(splitDescription(task)).toEqual(['', 'Task ID 7', ' queued for running']);
});

test('what was deleted is gone in the events before, too', () => {
  const deleted = { ...event, id: 2, description: 'Access Key deploy deleted' };
  const other = { ...event, id: 3, object_id: 8, object_name: 'deleted', description: 'Access Key deleted created' };
  const gone = listGone([deleted, other, event]);
  expect([event, other].map((entry) => gone.has(nameObject(entry)))).toEqual([true, false]);
});
