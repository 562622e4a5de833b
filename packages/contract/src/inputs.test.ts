import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { EnvironmentInput } from './environments.ts';
import { JsonArgumentsText, JsonObjectText, JsonStringMapText, Name, PathId, Text, Timestamp } from './fields.ts';
import { InventoryInput } from './inventories.ts';
import { ProjectInput } from './projects.ts';
import { RepositoryInput } from './repositories.ts';
import { RunnerInput } from './runners.ts';
import { Launch } from './tasks.ts';
import { SurveyVariable, TemplateInput, Vault } from './templates.ts';

function problems(schema: z.ZodMiniType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('text', () => {
  it('refuses what a store cannot keep', () => {
    expect(problems(Text, 'a\0b')).not.toEqual([]);
    expect(problems(Text, '\uD800')).not.toEqual([]);
    expect(problems(Text, 'fine \u{1F682}')).toEqual([]);
  });

  it.each([
    [Name, 255],
    [TemplateInput.shape.name, 100],
    [RunnerInput.shape.name, 100],
  ])('is a name up to one limit, and that one is told', (schema, longest) => {
    expect(problems(schema, 'x'.repeat(longest))).toEqual([]);
    const { error } = schema.safeParse('x'.repeat(300));
    expect(error?.issues).toMatchObject([{ code: 'too_big', maximum: longest }]);
  });

  it('trims a name and refuses an empty one', () => {
    expect(Name.parse('  web ')).toBe('web');
    expect(problems(Name, '   ')).toEqual([': is required']);
  });
});

describe('an id in a path', () => {
  it.each(['0', '-1', '1e3', '0x10', '1.0', '', ' 1', '99999999999999999999'])('%j is refused', (text) => {
    expect(problems(PathId, text)).not.toEqual([]);
  });

  it('is a number afterwards', () => {
    expect(PathId.parse('42')).toBe(42);
  });
});

describe('JSON texts', () => {
  it('are variables only as an object, and arguments only as a list', () => {
    expect([problems(JsonObjectText, '{"a":{"b":1}}'), problems(JsonArgumentsText, '["-v"]')]).toEqual([[], []]);
    for (const text of ['{"a":', '[]', '3', 'null']) expect(problems(JsonObjectText, text)).not.toEqual([]);
    for (const text of ['["-v"', '{}', '3', 'null']) expect(problems(JsonArgumentsText, text)).not.toEqual([]);
  });

  it('are arguments only as an array of strings', () => {
    expect(problems(JsonArgumentsText, '["-v","x"]')).toEqual([]);
    for (const text of ['{}', '[1]', '"x"', '[', '']) expect(problems(JsonArgumentsText, text)).not.toEqual([]);
  });

  it('are a process environment only as a flat object of strings', () => {
    expect(problems(JsonStringMapText, '{"A":"1"}')).toEqual([]);
    for (const text of ['{"A":1}', '[]', 'null', '{"A":{}}']) expect(problems(JsonStringMapText, text)).not.toEqual([]);
  });
});

describe('a timestamp', () => {
  it('is what Date prints, in UTC', () => {
    expect(problems(Timestamp, new Date(0).toISOString())).toEqual([]);
    expect(problems(Timestamp, '2026-11-21T12:00:00+01:00')).not.toEqual([]);
  });
});

describe('a repository', () => {
  it('needs a branch unless it is local', () => {
    const base = { name: 'site', ssh_key_id: 1 };
    expect(problems(RepositoryInput, { ...base, git_url: '/srv/site' })).toEqual([]);
    expect(problems(RepositoryInput, { ...base, git_url: 'git@host:site.git' })).toEqual(['git_branch: is required']);
  });
});

describe('an inventory file', () => {
  it.each(['/etc/passwd', '../hosts', 'a/../../b', ''])('%j is refused as a path', (inventory) => {
    expect(problems(InventoryInput, { name: 'hosts', type: 'file', inventory })).not.toEqual([]);
  });
});

describe('a project', () => {
  it.each([
    [1.5, 'Must be an integer'],
    [-1, 'Must be 0 or greater'],
  ])('with %d parallel tasks is refused: %s', (max_parallel_tasks, message) => {
    expect(problems(ProjectInput, { name: 'x', max_parallel_tasks })).toEqual([`max_parallel_tasks: ${message}`]);
  });
});

describe('a secret of a variable group', () => {
  it('is named like a variable, so that it can never be read as an option', () => {
    const secrets = (name: string) => ({
      name: 'g',
      secrets: [{ type: 'env', name, secret: 's', operation: 'create' }],
    });
    expect(problems(EnvironmentInput, secrets('API_TOKEN'))).toEqual([]);
    for (const name of ['-x', 'a b', 'a=b', '']) expect(problems(EnvironmentInput, secrets(name))).not.toEqual([]);
  });
});

describe('a survey variable', () => {
  const variable = { name: 'region', title: 'Region', type: 'enum' };

  it('of the type enum needs values with unique names', () => {
    expect(problems(SurveyVariable, variable)).toEqual(['values: Enumeration must have values.']);
    expect(problems(SurveyVariable, { ...variable, values: [{ name: '', value: 'a' }] })).toEqual([
      'values: Value name cannot be empty.',
    ]);
    const twice = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    expect(problems(SurveyVariable, { ...variable, values: twice })).toEqual([
      'values: Enumeration values must have unique names.',
    ]);
  });
});

describe('a vault script', () => {
  it.each(['pass-client', 'bin/pass-client.py'])('%s is taken', (script) => {
    expect(problems(Vault, { type: 'script', script })).toEqual([]);
  });

  it.each(['pass.sh', '/bin/pass-client', '../pass-client', 'a/../../pass-client'])('%s is refused', (script) => {
    expect(problems(Vault, { type: 'script', script })).not.toEqual([]);
  });
});

describe('a launch', () => {
  it.each(['abcdef', 'HEAD', '--upload-pack=x', 'g'.repeat(40), 'a'.repeat(65)])(
    'of the commit %j is refused',
    (commit_hash) => {
      expect(problems(Launch, { template_id: 1, commit_hash })).not.toEqual([]);
    },
  );

  it('takes the members of the older product', () => {
    expect(
      problems(Launch, { template_id: 1, project_id: 1, limit: 'web*', debug: false, environment: '', secret: '{}' }),
    ).toEqual([]);
  });
});
