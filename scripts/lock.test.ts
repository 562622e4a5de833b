import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listMissing } from './complete-lock.mjs';
import { ROOT } from './node-26.mjs';

async function readJson(file: string): Promise<Record<string, Record<string, object>>> {
  return JSON.parse(await readFile(path.join(ROOT, file), 'utf8'));
}

test('the lock file names every optional package, so that npm ci accepts it on any machine', async () => {
  expect(listMissing((await readJson('package-lock.json')).packages ?? {})).toEqual([]);
});

test('an optional package without an entry is found, also below another package', () => {
  const packages = {
    '': {},
    'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-win32-x64': '1.0.0' } },
    'node_modules/a-linux-x64': { version: '1.0.0' },
    'node_modules/b/node_modules/a': {
      dev: true,
      optionalDependencies: { 'a-linux-x64': '2.0.0', 'a-linux-arm': '2.0.0' },
    },
  };
  expect(listMissing(packages)).toEqual([
    { name: 'a-win32-x64', version: '1.0.0', isDev: false },
    { name: 'a-linux-arm', version: '2.0.0', isDev: true },
  ]);
});

test('every dependency is pinned to one version', async () => {
  for (const folder of [
    '.',
    'e2e',
    'bench',
    'packages/contract',
    'packages/runner',
    'packages/server',
    'packages/web',
  ]) {
    const manifest = await readJson(`${folder}/package.json`);
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    for (const [name, version] of Object.entries(wanted)) {
      expect(version, `${folder}: ${name}`).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);
    }
  }
});
