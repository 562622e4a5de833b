import { rolePermissions } from '@signalbox/contract/permissions';
import type { Launch } from '@signalbox/contract/tasks';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { type OverridableTemplate, readOverrides } from './launch-overrides.ts';

const closed: OverridableTemplate = {
  playbook: 'site.yml',
  gitBranch: null,
  inventoryId: 3,
  allowsArguments: false,
  params: {
    limit: ['web'],
    tags: [],
    skip_tags: [],
    allow_override_inventory: false,
    allow_override_limit: false,
    allow_override_tags: false,
    allow_override_skip_tags: false,
    allow_debug: false,
    auto_approve: false,
  },
};
const open: OverridableTemplate = {
  ...closed,
  allowsArguments: true,
  params: {
    ...closed.params,
    allow_override_inventory: true,
    allow_override_limit: true,
    allow_override_tags: true,
    allow_override_skip_tags: true,
    allow_debug: true,
  },
};

function read(launch: Partial<Launch>, template: OverridableTemplate, permissions: number) {
  try {
    return readOverrides({ template_id: 1, ...launch }, template, permissions);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details as { path: string; message: string }[];
  }
}

const switched: [path: string, launch: Partial<Launch>][] = [
  ['inventory_id', { inventory_id: 4 }],
  ['params.limit', { params: { limit: ['db'] } }],
  ['params.limit', { limit: 'db' }],
  ['params.tags', { params: { tags: 'a,b' } }],
  ['params.skip_tags', { params: { skip_tags: ['a'] } }],
  ['params.debug', { params: { debug: true } }],
  ['params.debug', { debug: true }],
  ['arguments', { arguments: '["-v"]' }],
];

describe('a task runner', () => {
  test.each(switched)('sets %s only with the switch of the template (%j)', (path, launch) => {
    expect(read(launch, closed, rolePermissions.task_runner)).toMatchObject([{ path }]);
    expect(read(launch, open, rolePermissions.task_runner)).not.toBeInstanceOf(Array);
  });

  test.each([
    ['playbook', { playbook: 'other.yml' }],
    ['git_branch', { git_branch: 'dev' }],
  ])('never sets %s', (path, launch) => {
    expect(read(launch, open, rolePermissions.task_runner)).toMatchObject([{ path }]);
  });

  test.each(['@/etc/passwd', 'web,@/etc/passwd', 'web:@/etc/passwd', ' @hosts', 'web, @hosts'])(
    'never sets the limit %j, which would be read from a file of the runner',
    (limit) => {
      for (const launch of [{ limit }, { params: { limit: [limit] } }, { params: { limit: ['db', limit] } }]) {
        expect(read(launch, open, rolePermissions.task_runner)).toMatchObject([{ path: 'params.limit' }]);
      }
      const withFile = { ...open, params: { ...open.params, limit: ['@site.retry'] } };
      expect(read({ limit: '@site.retry' }, withFile, rolePermissions.task_runner)).not.toBeInstanceOf(Array);
    },
  );

  test('may send what changes nothing', () => {
    const launch = {
      inventory_id: 3,
      limit: 'web',
      playbook: 'site.yml',
      git_branch: '',
      arguments: '[]',
      params: { debug: false, tags: [] },
    };
    expect(read(launch, closed, rolePermissions.task_runner)).toEqual({
      params: { debug: false },
      playbook: '',
      arguments: null,
      gitBranch: null,
      inventoryId: null,
    });
  });
});

test('a manager is not bound by the switches', () => {
  for (const [, launch] of switched) {
    expect(read(launch, closed, rolePermissions.manager)).not.toBeInstanceOf(Array);
  }
  expect(read({ limit: '@site.retry' }, closed, rolePermissions.manager)).not.toBeInstanceOf(Array);
  expect(read({ playbook: 'other.yml', git_branch: 'dev' }, closed, rolePermissions.manager)).toMatchObject({
    playbook: 'other.yml',
    gitBranch: 'dev',
  });
});

test('a list that was emptied takes the one of the template away, where the template lets it be set', () => {
  const emptied: Partial<Launch> = { params: { limit: [], tags: [], skip_tags: [] } };
  for (const permissions of [rolePermissions.task_runner, rolePermissions.manager]) {
    expect(read(emptied, open, permissions)).toMatchObject({ params: { limit: [] } });
    // Forms send empty lists of what they do not show, and older clients empty texts.
    expect(read(emptied, closed, permissions)).toMatchObject({ params: {} });
    expect(read(emptied, closed, permissions)).not.toHaveProperty('params.limit');
    expect(read({ limit: '', params: { limit: '' } }, open, permissions)).not.toHaveProperty('params.limit');
  }
});

test('members of the older product and of `params` are one, and `params` wins', () => {
  const launch = { debug: true, dry_run: true, limit: ' a , b ,', params: { dry_run: false } };
  expect(read(launch, open, rolePermissions.manager)).toMatchObject({
    params: { debug: true, dry_run: false, limit: ['a', 'b'] },
  });
});
