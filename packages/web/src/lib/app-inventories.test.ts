import { describe, expect, it } from 'vitest';
import { fitsApp } from './app-inventories.ts';

describe('an inventory for an app', () => {
  it.each([
    ['ansible', 'static', true],
    ['ansible', 'static-yaml', true],
    ['ansible', 'file', true],
    ['ansible', 'terraform-workspace', false],
    ['terraform', 'terraform-workspace', true],
    ['terraform', 'tofu-workspace', false],
    ['terraform', 'static', false],
    ['tofu', 'tofu-workspace', true],
    ['bash', 'static', true],
    ['pulumi', 'static', true],
  ] as const)('of %s may be %s: %s', (app, type, expected) => {
    expect(fitsApp(app, type)).toBe(expected);
  });
});
