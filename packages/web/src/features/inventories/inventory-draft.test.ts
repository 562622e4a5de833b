import { expect, test } from 'vitest';
import { draftOf, findInventoryProblems, type InventoryDraft, toInventoryInput } from './inventory-draft.ts';

function aDraft(change: Partial<InventoryDraft>): InventoryDraft {
  return { ...draftOf(undefined), name: 'prod', ssh_key_id: '3', type: 'static', ...change };
}

test('an inventory needs a name, user credentials and a type', () => {
  expect(findInventoryProblems(draftOf(undefined))).toEqual({
    name: 'Name is required',
    ssh_key_id: 'User credentials is required',
    type: 'Type is required',
  });
});

test('a file inventory needs a path', () => {
  expect(findInventoryProblems(aDraft({ type: 'file', path: '  ' }))).toEqual({
    path: 'Path to the inventory file is required',
  });
});

test.each(['/etc/hosts', '../hosts', 'a/../../hosts'])('the path %s of a file inventory is refused', (path) => {
  expect(findInventoryProblems(aDraft({ type: 'file', path }))).toEqual({
    path: 'Path to the inventory file must be a path inside the repository',
  });
});

test('content and path are trimmed', () => {
  expect(toInventoryInput(aDraft({ content: '\n[web]\na\n\n' })).inventory).toBe('[web]\na');
  expect(toInventoryInput(aDraft({ type: 'file', path: ' hosts.yml ' })).inventory).toBe('hosts.yml');
});

test('only a file inventory names a repository', () => {
  expect(toInventoryInput(aDraft({ repository_id: '7' })).repository_id).toBeNull();
  expect(toInventoryInput(aDraft({ type: 'file', path: 'a', repository_id: '7' })).repository_id).toBe(7);
});

test('hosts are checked by the safe rule until another one is chosen', () => {
  expect(toInventoryInput(aDraft({})).host_key_policy).toBe('accept-new');
  expect(toInventoryInput(aDraft({ host_key_policy: 'strict' })).host_key_policy).toBe('strict');
});
