import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import cruiserConfig from '../.dependency-cruiser.mjs';
import { cleanFiles, companionFiles, plantedArrows, plantedStyles } from './fences-plants.ts';
import { buildEnvironment, findProgram, ROOT } from './node-26.mjs';

const run = promisify(execFile);
const CONFIG_FILES = ['biome.json', '.dependency-cruiser.mjs', '.gitignore', 'package.json', 'scripts/biome'];
const PACKAGES = ['contract', 'runner', 'server', 'web'];
/** Stand-ins, so that a planted import resolves inside the planted tree. */
const NPM_PACKAGES = ['zod', 'fastify', 'ws', 'kysely', 'undeclared', '@tanstack/react-query'];

interface Finding {
  rule: string;
  file: string;
}

let root = '';
let cleanArrows: Finding[] = [];
let cleanStyles: Finding[] = [];
let arrows: Finding[] = [];
let styles: Finding[] = [];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'signalbox-fences-'));
  for (const file of CONFIG_FILES) await cp(path.join(ROOT, file), path.join(root, file), { recursive: true });
  for (const name of PACKAGES) {
    await cp(path.join(ROOT, 'packages', name, 'package.json'), path.join(root, 'packages', name, 'package.json'));
  }
  for (const name of NPM_PACKAGES) {
    const manifest = JSON.stringify({ name, version: '1.0.0', exports: { '.': './index.js', './mini': './index.js' } });
    await plant(`node_modules/${name}/package.json`, manifest);
    await plant(`node_modules/${name}/index.js`, 'export const value = 1;\n');
  }
  await symlink(path.join(ROOT, 'node_modules/@swc'), path.join(root, 'node_modules/@swc'));
  for (const [file, text] of Object.entries(cleanFiles)) await plant(file, text);
  [cleanArrows, cleanStyles] = await Promise.all([findArrows(), findStyles()]);
  for (const [file, text] of Object.entries(companionFiles)) await plant(file, text);
  for (const { file, text } of [...plantedArrows, ...plantedStyles]) await plant(file, text);
  [arrows, styles] = await Promise.all([findArrows(), findStyles()]);
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function plant(file: string, text: string): Promise<void> {
  await mkdir(path.join(root, path.dirname(file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

/** Both tools exit with an error when they find something; what they print is the answer. */
async function readReport(program: string, args: string[]): Promise<string> {
  const options = { cwd: root, env: buildEnvironment({ NO_COLOR: '1' }), maxBuffer: 64 * 2 ** 20 };
  const outcome = await run(findProgram(program), args, options).catch((error: { stdout: string }) => error);
  return outcome.stdout;
}

async function findArrows(): Promise<Finding[]> {
  const report = await readReport('depcruise', ['--config', '.dependency-cruiser.mjs', '-T', 'json', 'packages']);
  const cruise: { summary: { violations: { from: string; rule: { name: string } }[]; totalCruised: number } } =
    JSON.parse(report);
  expect(cruise.summary.totalCruised).toBeGreaterThan(Object.keys(cleanFiles).length);
  return cruise.summary.violations.map(({ from, rule }) => ({ rule: rule.name, file: from }));
}

async function findStyles(): Promise<Finding[]> {
  const report = await readReport('biome', ['lint', '--reporter=json', '--max-diagnostics=none', 'packages']);
  const found: {
    diagnostics: { category: string; severity: string; message: string; location: { path: string } }[];
  } = JSON.parse(report);
  return found.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ category, message, location }) => ({
      rule: category === 'plugin' ? String(message.split(':')[0]) : String(category.split('/').at(-1)),
      file: location.path,
    }));
}

describe('the arrows between modules', () => {
  test('a tree that keeps them passes', () => {
    expect(cleanArrows).toEqual([]);
  });

  test.each(plantedArrows)('$rule refuses $file', ({ rule, file }) => {
    expect(arrows.filter((found) => found.file === file)).toContainEqual({ rule, file });
  });

  test('no rule is without a planted violation', () => {
    const planted = new Set(plantedArrows.map(({ rule }) => rule));
    expect(cruiserConfig.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});

describe('the style of the house', () => {
  test('a tree that keeps it passes', () => {
    expect(cleanStyles).toEqual([]);
  });

  test.each(plantedStyles)('$rule refuses $file', ({ rule, file }) => {
    expect(styles.filter((found) => found.file === file)).toContainEqual({ rule, file });
  });
});
