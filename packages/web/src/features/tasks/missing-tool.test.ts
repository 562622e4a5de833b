import type { SystemState } from '@signalbox/contract/system';
import { describe, expect, it } from 'vitest';
import { findTool } from './missing-tool.ts';

const withTools = (...names: string[]) =>
  ({ tools: names.map((name) => ({ name, path: `/usr/bin/${name}`, version: '1' })) }) as unknown as SystemState;

describe('the tool of an app', () => {
  it.each([
    ['ansible', ['bash', 'ansible-playbook'], 'present'],
    ['ansible', ['ansible'], 'present'],
    ['ansible', ['bash'], 'missing'],
    ['python', ['python3'], 'present'],
    ['bash', ['python3'], 'missing'],
    ['pulumi', ['bash'], 'missing'],
    ['ruby', ['bash'], 'present'],
    ['bash', [], 'no_runner'],
  ])('%s with %j is %s', (app, tools, expected) => {
    expect(findTool(withTools(...tools), app)).toBe(expected);
  });
});
