import { TemplateInput, Vault } from '@signalbox/contract/templates';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { findProblems, mergeTemplate } from './template-rules.ts';

const template = (input: Partial<z.input<typeof TemplateInput>>) =>
  mergeTemplate(
    undefined,
    z.parse(TemplateInput, { name: 'x', app: 'bash', playbook: 'run.sh', repository_id: 1, ...input }),
  );
const vaults = (...list: z.input<typeof Vault>[]) => list.map((vault) => z.parse(Vault, vault));

describe('what each app and type needs', () => {
  test.each([
    [{}, []],
    [{ repository_id: null }, ['repository_id']],
    [{ playbook: '' }, ['playbook']],
    [{ app: 'python', playbook: undefined }, ['playbook']],
    [{ app: 'ansible' }, ['inventory_id']],
    [{ app: 'ansible', playbook: '', inventory_id: 1 }, ['playbook']],
    [{ app: 'ansible', inventory_id: 1 }, []],
    [{ app: 'terraform', playbook: '' }, []],
    [{ app: 'tofu', playbook: 'modules/net' }, []],
    [{ app: 'pulumi', playbook: '' }, []],
    [{ playbook: '/etc/passwd' }, ['playbook']],
    [{ playbook: 'a/../../b' }, ['playbook']],
    [{ type: 'build' as const }, ['start_version']],
    [{ type: 'build' as const, start_version: '1.0' }, []],
    [{ type: 'deploy' as const }, ['build_template_id']],
    [{ type: 'deploy' as const, build_template_id: 1 }, []],
  ])('%j: problems with %j', (input, fields) => {
    expect(findProblems(template(input), []).map(({ path }) => path)).toEqual(fields);
  });

  test.each([
    [vaults({ vault_key_id: 1 }, { name: 'dev', vault_key_id: 1 }), []],
    [vaults({ vault_key_id: 1 }, { name: null, vault_key_id: 1 }), ['vaults.1.name']],
    [vaults({ name: 'dev', vault_key_id: 1 }, { name: 'DEV', vault_key_id: 1 }), ['vaults.1.name']],
    [vaults({ name: 'dev' }), ['vaults.0.vault_key_id']],
    [vaults({ name: 'dev', type: 'script', script: 'get-client.py' }), []],
    [vaults({ name: 'dev', type: 'script' }), ['vaults.0.script']],
  ])('vaults %j: problems with %j', (list, fields) => {
    expect(findProblems(template({}), list).map(({ path }) => path)).toEqual(fields);
  });
});

describe('what is stored', () => {
  test('members without a meaning for the type are cleared', () => {
    const given = { start_version: '1.0', build_template_id: 5, autorun: true };
    expect(template(given)).toMatchObject({ start_version: null, build_template_id: null, autorun: false });
    expect(template({ ...given, type: 'build' })).toMatchObject({
      start_version: '1.0',
      build_template_id: null,
      autorun: false,
    });
    expect(template({ ...given, type: 'deploy' })).toMatchObject({
      start_version: null,
      build_template_id: 5,
      autorun: true,
    });
  });

  test('empty texts are no values', () => {
    expect(template({ arguments: '', git_branch: '', runner_tag: ' ', start_version: '' })).toMatchObject({
      arguments: null,
      git_branch: null,
      runner_tag: null,
      start_version: null,
    });
  });

  test('a missing member keeps what is stored, null takes it away', () => {
    const stored = template({ arguments: '["-v"]', environment_id: 3, description: 'old', timeout_seconds: 9 });
    const change = { id: 1, name: 'new', app: 'bash', environment_id: null };
    expect(mergeTemplate(stored, change)).toEqual({ ...stored, name: 'new', environment_id: null });
  });
});
